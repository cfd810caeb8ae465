import type { z } from 'zod';
import { describeIssues } from '../http/describe-issue';
import type { Parsed } from '../http/parse-input';

/** What a form says, validated like the input of an operation: the first fault is told as the API tells it. */
export function parseForm<Shape extends z.ZodType>(shape: Shape, input: unknown): Parsed<z.output<Shape>> {
  const parsed = shape.safeParse(input);
  return parsed.success ? { value: parsed.data } : { error: describeIssues(parsed.error.issues, input) };
}
