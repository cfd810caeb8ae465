import { createModel } from '../../activities/providers/openai';
import { startFakes } from '../../local/fakes/server';
import { evaluate, renderTables } from './evaluate';

/**
 * `npm run eval`: scores the gold set and prints the tables of docs/scoring.md. Without OPENAI_API_KEY, it scores
 * with the fake model. The lying model is always the fake. Exits with 1 if a figure misses its required value.
 */
async function main(): Promise<void> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: name = 'gpt-4.1' } = process.env;
  const fakes = await startFakes({ port: 0 });
  try {
    const fake = createModel({ apiKey: 'fake', baseUrl: `${fakes.url}/openai/v1`, model: 'gpt-4.1' });
    const model = apiKey ? createModel({ apiKey, baseUrl, model: name }) : fake;
    console.log(`model: ${apiKey ? `${name} at ${baseUrl ?? 'OpenAI'}` : 'the fake'}\n`);
    const evaluation = await evaluate(async (lie) => {
      await fetch(`${fakes.url}/faults`, { method: 'DELETE' });
      if (lie === null) return model;
      const fault = { provider: 'openai', assessment: lie, times: 1_000_000 };
      await fetch(`${fakes.url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
      return fake;
    });
    console.log(renderTables(evaluation));
    console.log(`\nOther brackets than expected:\n${evaluation.wrong.join('\n')}`);
    if (evaluation.rows.some(({ isMissed }) => isMissed)) process.exitCode = 1;
  } finally {
    await fakes.close();
  }
}

void main();
