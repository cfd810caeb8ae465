import type { z } from 'zod';
import { maxErrors, toOneError } from '../operation/api-error';
import type { ApiError, ErrorItem } from '../operation/api-error';
import { errorCodes } from '../operation/error-codes';
import type { ErrorCode } from '../operation/error-codes';
import { toWireName } from './check-text';

type Issue = z.core.$ZodIssue;

const maxMessageLength = 600;
/**
 * The most characters that a list of names may take in a message. The rest of the message has room for the longest
 * field name.
 */
const maxListLength = 350;

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Describes what is wrong with an input: one error for each field, with the first one as the main error. */
export function describeIssues(issues: readonly Issue[] | undefined, input: unknown): ApiError {
  const byField = new Map<string | Issue, ErrorItem>();
  for (const issue of issues ?? []) {
    const item = describe(issue, input);
    const key = item.name ?? issue;
    if (!byField.has(key)) byField.set(key, item);
    if (byField.size >= maxErrors) break;
  }
  const details = (issues ?? []).flatMap((issue) => (issue.code === 'custom' ? detailsOf(issue.params) : []));
  const error = toOneError([...byField.values()]);
  return details.length > 0 ? Object.assign(error, { details }) : error;
}

/** Returns the `details` of an issue, from which a program can repair its request (docs/reports.md#errors). */
const detailsOf = (params: Record<string, unknown> = {}): unknown[] =>
  Array.isArray(params['details']) ? params['details'] : [];

function describe(issue: Issue, input: unknown): ErrorItem {
  const name = toWireName(issue.path);
  const value = valueAt(input, issue.path);
  const what = demand(issue, value);
  // The message of a schema continues the sentence that the field's name begins, without its period. Only a message about
  // several fields is a sentence of its own, which begins with a capital letter.
  const error = /^[A-Z]/.test(what) ? what : `${name || 'The body'} ${what}`;
  return { name: name || null, code: codeOf(issue, value), error: toSentence(error) };
}

function codeOf(issue: Issue, value: unknown): ErrorCode {
  if (issue.message === 'must not be blank') return 'too_short';
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'array' || issue.origin === 'string' ? 'too_short' : 'too_small';
    case 'too_big':
      return issue.origin === 'array' || issue.origin === 'string' ? 'too_long' : 'too_large';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'custom':
      return isErrorCode(issue.params?.['code']) ? issue.params['code'] : 'invalid_value';
    default:
      if (value === undefined) return 'required';
      if (value === null || issue.code === 'invalid_type') return 'invalid_type';
      return issue.code === 'invalid_format' ? 'invalid_format' : 'invalid_value';
  }
}

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(errorCodes, code);

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
      // `trimmedText` first checks a higher limit, which leaves room for blanks. The message of that check already
      // contains the actual limit.
      if (issue.origin === 'string')
        return issue.message.startsWith('must ')
          ? issue.message
          : `must have at most ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    case 'invalid_value':
      if (value === undefined) return 'is required';
      if (value === null) return 'must not be null';
      return `must be one of: ${joinNamesWithin(issue.values.map(String))}`;
    default:
      return value === undefined && issue.code === 'invalid_format' ? 'is required' : issue.message;
  }
}

/** Lists as many names as fit into a message, without cutting a name. */
export function joinNamesWithin(names: readonly string[], room = maxListLength): string {
  const fitting: string[] = [];
  let length = 0;
  for (const name of names) {
    length += name.length + 2;
    if (length > room) return `${fitting.join(', ')} and ${names.length - fitting.length} more`;
    fitting.push(name);
  }
  return fitting.join(', ');
}

/** Adds the period, or cuts a message that is too long after a word. */
function toSentence(message: string): string {
  if (message.length < maxMessageLength) return `${message}.`;
  const cut = message.slice(0, maxMessageLength - 1);
  const end = cut.lastIndexOf(' ');
  return `${end > 0 ? cut.slice(0, end) : cut}…`;
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
