import { z } from 'zod';

/** A text may exceed its limit by this many characters before the blanks around it are removed. */
const maxBlanks = 1_000;

/**
 * Every text in a request must be defined with this function, which a test checks for all contracts. The length is
 * checked first and ends the validation, so that no pattern, transform or refinement runs on a long text. If one of
 * them takes quadratic time, a body of 1 MiB could block the process for minutes.
 */
export const boundedText = (max: number, error?: string) => z.string().max(max, { abort: true, error });

/** A text whose surrounding blanks are removed. */
export const trimmedText = (max: number) =>
  boundedText(max + maxBlanks, `must have at most ${max} characters`)
    .trim()
    .max(max, { abort: true });

/** Rejects an object with too many keys before the schema parses it, because the schema visits every key. */
export const withFewKeys = <T extends z.ZodType>(maxKeys: number, error: string, schema: T) =>
  z.preprocess((sent, context) => {
    if (hasMoreKeys(sent, maxKeys))
      context.addIssue({ code: 'custom', message: error, params: { code: 'too_long' } });
    return sent;
  }, schema);

function hasMoreKeys(value: unknown, max: number): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > max;
}
