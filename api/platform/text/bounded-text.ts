import { z } from 'zod';

/** The most blanks around a text, in addition to its own limit, before it is trimmed. */
const maxBlanks = 1_000;

/**
 * The only way to define a text of a request; a test checks all contracts. The length is checked first and ends the
 * validation, so that no pattern, transform or refinement sees a long text. With quadratic time, one of them could
 * block the process for minutes with a body of 1 MiB.
 */
export const boundedText = (max: number, error?: string) => z.string().max(max, { abort: true, error });

/** A text without the surrounding blanks. */
export const trimmedText = (max: number) =>
  boundedText(max + maxBlanks, `must have at most ${max} characters`)
    .trim()
    .max(max, { abort: true });

/** A free-form object is walked key by key, so an object with too many keys is rejected first. */
export const withFewKeys = <T extends z.ZodType>(maxKeys: number, error: string, schema: T) =>
  z.preprocess((sent, context) => {
    if (hasMoreKeys(sent, maxKeys))
      context.addIssue({ code: 'custom', message: error, params: { code: 'too_long' } });
    return sent;
  }, schema);

function hasMoreKeys(value: unknown, max: number): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > max;
}
