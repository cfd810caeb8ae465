import type { z } from 'zod';
import { ApiError } from '../contracts/api-error';
import { toWireName } from './check-text';

type Issue = z.core.$ZodIssue;

const maxMessageLength = 600;

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** The first fault of an input as the API tells it: one sentence that says what to change, and the field. */
export function describeIssue(issue: Issue | undefined, input: unknown): ApiError {
  if (!issue) return new ApiError(422, 'The request is malformed');
  const name = toWireName(issue.path);
  const what = demand(issue, valueAt(input, issue.path));
  // A demand of several fields is a sentence of its own.
  const message = /^[A-Z]/.test(what) ? what : `${name || 'The body'} ${what}`;
  return new ApiError(422, message.slice(0, maxMessageLength), name || undefined);
}

function demand(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return 'is required';
      if (value === null) return 'must not be null';
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'array')
        return `must have at least ${issue.minimum} ${plural(issue.minimum, 'item')}`;
      if (issue.origin === 'string')
        return issue.minimum === 1 ? 'must not be blank' : `must have at least ${issue.minimum} characters`;
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'array')
        return `must have at most ${issue.maximum} ${plural(issue.maximum, 'item')}`;
      if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      if (value === undefined) return 'is required';
      if (value === null) return 'must not be null';
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    default:
      return value === undefined && issue.code === 'invalid_format' ? 'is required' : issue.message;
  }
}

const plural = (count: number | bigint, noun: string) => (Number(count) === 1 ? noun : `${noun}s`);

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Reflect.get(value, part);
  }
  return value;
}
