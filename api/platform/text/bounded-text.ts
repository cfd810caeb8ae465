import { z } from 'zod';

/** Characters that blanks around a text may take beyond its own limit, before they are trimmed. */
const maxBlanks = 1_000;

/**
 * The only way to make a text of a request: a test walks all contracts. Its length is checked first and ends the
 * validation, so that no pattern, transform or refinement sees a long text: one that takes quadratic time can block the
 * process for minutes with a body of 1 MiB.
 */
export const boundedText = (max: number, error?: string) => z.string().max(max, { abort: true, error });

/** A text without the blanks around it. */
export const trimmedText = (max: number) =>
  boundedText(max + maxBlanks, `must have at most ${max} characters`)
    .trim()
    .max(max, { abort: true });

/** A free object is walked key by key, so an object with more keys than fit is refused before. */
export const withFewKeys = <T extends z.ZodType>(maxKeys: number, error: string, schema: T) =>
  z.preprocess((sent, context) => {
    if (hasMoreKeys(sent, maxKeys))
      context.addIssue({ code: 'custom', message: error, params: { code: 'too_long' } });
    return sent;
  }, schema);

function hasMoreKeys(value: unknown, max: number): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > max;
}
