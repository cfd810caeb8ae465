import path from 'node:path';
import { parseArgs } from 'node:util';
import { createModel } from '../../activities/providers/openai';
import { ProviderError } from '../../activities/providers/provider-error';
import { evaluate, renderTables } from './evaluate';
import { createFakeModel } from './fake-model';
import { createPatientModel } from './patient-model';
import type { Spent } from './patient-model';

/**
 * `npm run eval`: scores the gold set and prints the tables of docs/scoring.md. Without OPENAI_API_KEY, it scores
 * with the fake model. Exits with 1 if a figure misses its required value, and with 2 if the model could not be called;
 * then the next run goes on where this one stopped.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { fresh: { type: 'boolean', default: false }, concurrency: { type: 'string', default: '4' } },
  });
  const concurrency = Math.max(1, Math.floor(Number(values.concurrency)) || 1);
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: name = 'gpt-4.1' } = process.env;
  const where = `${name} at ${baseUrl ?? 'OpenAI'}`;
  const file = path.resolve('.local/eval', `${where.replaceAll(/[^\w.-]+/g, '-')}.jsonl`);
  const model = apiKey
    ? createPatientModel(createModel({ apiKey, baseUrl, model: name }), { file, isFresh: values.fresh })
    : undefined;
  console.log(`model: ${model ? where : 'the fake'}\n`);
  try {
    const evaluation = await evaluate(model ?? createFakeModel(null), model ? concurrency : 1);
    console.log(renderTables(evaluation));
    console.log(`\nOther brackets than expected:\n${evaluation.wrong.join('\n')}`);
    if (evaluation.rows.some(({ isMissed }) => isMissed)) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    console.log(`stopped: ${error.message}${error.code === undefined ? '' : ` (${error.code})`}.`);
    console.log(`The replies so far are kept in ${path.relative('.', file)}. Run it again to go on.`);
    process.exitCode = 2;
  }
  if (model) console.log(`\n${describeSpent(model.spent)}`);
}

function describeSpent({ calls, kept, promptTokens, completionTokens }: Spent): string {
  const { OPENAI_PROMPT_PRICE: prompt, OPENAI_COMPLETION_PRICE: completion } = process.env;
  const cost = (promptTokens * Number(prompt) + completionTokens * Number(completion)) / 1_000_000;
  const price = prompt && completion ? `, ${cost.toFixed(2)} USD` : '';
  return `${calls} calls (${kept} of them kept from earlier runs): ${promptTokens} prompt tokens, ${completionTokens} completion tokens${price}`;
}

void main();
