import { z } from 'zod';

export type ModelAnswer = {
  /**
   * The text that the model wrote, which is empty if the server returned a 200 without text, and incomplete if it was
   * cut off. Null if the model refused, or a content filter removed the text.
   */
  content: string | null;
  model: string;
  promptTokens: number | null;
  completionTokens: number | null;
};

const part = z.object({ type: z.string(), text: z.string().catch('') });
const message = z.object({
  content: z.union([z.string(), z.array(part)]).catch(''),
  refusal: z.unknown().optional(),
});
const choice = z.object({
  finish_reason: z.unknown().optional(),
  message: message.optional().catch(undefined),
});
const choices = z.object({ choices: z.tuple([choice], z.unknown()) });

const tokens = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .nullable()
  .catch(null);
const usageOf = z.object({ usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }) });
const modelName = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u);

/**
 * Reads a chat completion. Never throws, whatever an OpenAI-compatible server sent: invalid numbers become null, and
 * `model` replaces an invalid model name.
 */
export function readCompletion(body: string, model: string): ModelAnswer {
  const json = parseJson(body);
  const named = z.object({ model: modelName.catch(model) }).safeParse(json);
  const counted = usageOf.safeParse(json);
  return {
    content: readContent(json),
    model: named.success ? named.data.model : model,
    promptTokens: counted.success ? counted.data.usage.prompt_tokens : null,
    completionTokens: counted.success ? counted.data.usage.completion_tokens : null,
  };
}

function readContent(json: unknown): string | null {
  const parsed = choices.safeParse(json);
  if (!parsed.success) return '';
  const [{ finish_reason: reason, message: written }] = parsed.data.choices;
  if (reason === 'content_filter' || written?.refusal) return null;
  const content = written?.content ?? '';
  if (typeof content === 'string') return content;
  if (content.some(({ type }) => type === 'refusal')) return null;
  return content.map(({ type, text }) => (type === 'text' ? text : '')).join('');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
