import type { z } from 'zod';
import type { ApiError } from '../contracts/api-error';
import { describeIssues } from '../http/describe-issue';

export type Parsed<Value> = { value: Value; error?: undefined } | { value?: undefined; error: ApiError };

/** What a form says, judged like the input of an operation: the first fault is told as the API tells it. */
export function parseForm<Shape extends z.ZodType>(shape: Shape, input: unknown): Parsed<z.output<Shape>> {
  const parsed = shape.safeParse(input);
  return parsed.success ? { value: parsed.data } : { error: describeIssues(parsed.error.issues, input) };
}
