import { z } from 'zod';
import { languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type { Model, ModelMessage } from '../providers/openai';
import { ProviderError } from '../providers/provider-error';
import type { ModelCallLimits, NoJudgementsReason, Sample } from './types';

export type AssessingModel = Pick<Model, 'complete' | 'name'>;
type Prompt = { version: string; hash: string; system: string; repair: (problems: string) => string };
type Usage = Pick<
  Sample,
  'model' | 'prompt_tokens' | 'completion_tokens' | 'repaired' | 'prompt_version' | 'prompt_hash'
>;

/** Returns the usage of this prompt before the model is called, or where nothing has to be asked. */
export const usageWithoutCall = (
  model: Pick<AssessingModel, 'name'>,
  prompt: Pick<Prompt, 'version' | 'hash'>,
): Usage => ({
  model: model.name,
  prompt_tokens: 0,
  completion_tokens: 0,
  repaired: 0,
  prompt_version: prompt.version,
  prompt_hash: prompt.hash,
});

/**
 * A reply after its check. `value` is undefined if the reply is unusable. The model is asked to repair `problems`; if
 * the repair fails, a value with problems is used all the same.
 */
export type CheckedReply<Value> = { value: Value | undefined; problems: string[] };

type Request<Shape extends z.ZodType, Value> = {
  model: AssessingModel;
  /** The name of the response format. */
  name: string;
  shape: Shape;
  prompt: Prompt;
  user: string;
  limits: ModelCallLimits;
  /**
   * Checks a reply that matches the shape. When a repaired reply is checked, `first` is the value of the first reply.
   */
  check: (reply: z.infer<Shape>, first?: Value) => CheckedReply<Value>;
};

/**
 * Asks the model, and asks for one repair if the reply is malformed or has problems. If neither reply is usable,
 * `value` is undefined and `refused` says why. Throws ProviderError if a call fails, unless that call is the repair
 * and the first reply is usable.
 */
export async function askWithRepair<Shape extends z.ZodType, Value>({
  model,
  name,
  shape,
  prompt,
  user,
  limits,
  check,
}: Request<Shape, Value>): Promise<{
  value: Value | undefined;
  refused: NoJudgementsReason | null;
  usage: Usage;
}> {
  const usage = usageWithoutCall(model, prompt);
  const messages: ModelMessage[] = [
    { role: 'system', content: prompt.system },
    { role: 'user', content: user },
  ];
  const call = async () => {
    const reply = await model.complete({ name, schema: strict(shape), messages, ...limits });
    usage.model = reply.model;
    usage.prompt_tokens += reply.promptTokens ?? 0;
    usage.completion_tokens += reply.completionTokens ?? 0;
    return reply.content;
  };
  const judge = (content: string, first?: Value): CheckedReply<Value> => {
    const parsed = shape.safeParse(parseJson(content));
    if (parsed.success) return check(parsed.data, first);
    return { value: first, problems: ['it does not have the form of the schema.'] };
  };

  const content = await call();
  if (content === null) return { value: undefined, refused: 'refused', usage };
  // A server that returns no text is broken. There is nothing to repair.
  if (content === '') return { value: undefined, refused: 'malformed', usage };
  const first = judge(content);
  if (first.problems.length === 0) return { value: first.value, refused: null, usage };
  messages.push(
    { role: 'assistant', content },
    { role: 'user', content: prompt.repair(first.problems.join(' ')) },
  );
  const repaired = await call().catch((error: unknown) => {
    if (first.value === undefined) throw error;
    return null;
  });
  usage.repaired = 1;
  const { value } = repaired === null ? first : judge(repaired, first.value);
  const reason = repaired === null ? 'refused' : 'malformed';
  return { value, refused: value === undefined ? reason : null, usage };
}

/** Creates the error for replies from which nothing can be read. The call is then repeated later. */
export const malformedReplyError = (): ProviderError => new ProviderError('the model', 'malformed');

/** Returns the code and the English name of a language, for prompts. */
export const describeLanguage = (code: LanguageCode) => ({ code, name: languages[code].name });

/** Returns the shape as a JSON schema for strict mode. */
function strict(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape);
  return schema;
}

function parseJson(text: string): unknown {
  try {
    // Some OpenAI-compatible servers wrap the JSON in a Markdown fence despite the schema.
    return JSON.parse(text.replaceAll(/^\s*```(?:json)?|```\s*$/g, ''));
  } catch {
    return undefined;
  }
}
