import type { z } from 'zod';
import { describeIssues } from '../http/describe-issue';
import type { Parsed } from '../http/parse-input';

/** Validates a form like the input of an operation. The error has the same wording as in the API. */
export function parseForm<Shape extends z.ZodType>(shape: Shape, input: unknown): Parsed<z.output<Shape>> {
  const parsed = shape.safeParse(input);
  return parsed.success ? { value: parsed.data } : { error: describeIssues(parsed.error.issues, input) };
}

/** Returns the decimal number in a control, or NaN, which every schema rejects. `Number` also reads `0x10` and `1e2`. */
export const numberOf = (text = ''): number =>
  /^[+-]?\d{1,10}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
