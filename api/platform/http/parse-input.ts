import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { ApiError, joinErrors, toOneError } from '../operation/api-error';
import type { ErrorItem } from '../operation/api-error';
import { acceptedFields } from '../operation/define-operation';
import type { CheckFacts, Contract } from '../operation/define-operation';
import { describeIssues } from './describe-issue';
import { ignoredKeys, suggestField } from './known-keys';

type Issue = z.core.$ZodIssue;

export type Parsed<Value> = { value: Value; error?: undefined } | { value?: undefined; error: ApiError };
type ParsedInput<Value> = Parsed<Value> & { sentAs: SentAs };
/** Maps each field to the alias under which it was sent. */
type SentAs = ReadonlyMap<PropertyKey, string>;

/**
 * Replaces aliases with their fields and parses the input with the operation's contract. If the input is invalid,
 * returns a 422 that lists all errors under the field names that were sent, beginning with the errors in `known`.
 * `facts` are needed only by operations with a `check` of their own.
 */
export function parseInput<Input extends z.ZodType>(
  operation: Contract<Input>,
  sent: unknown,
  facts?: CheckFacts,
  known: readonly ApiError[] = [],
): ParsedInput<z.output<Input>> {
  const { input, sentAs, conflicts } = resolveAliases(operation, sent);
  conflicts.unshift(...known);
  const parsed = operation.input.safeParse(input);
  const checked = checkInput(operation, input, facts, sentAs);
  if (parsed.success && conflicts.length + checked.length === 0) return { value: parsed.data, sentAs };
  const issues = (parsed.error?.issues ?? []).map((issue) => renamed(issue, sentAs));
  if (conflicts.length + checked.length === 0 && issues.every(isNothingToChange))
    return { error: nothingToChange(operation, sent, issues), sentAs };
  const others = issues.filter(
    (issue) => !isNothingToChange(issue) && !known.some(({ field }) => field === issue.path[0]),
  );
  const errors = others.length > 0 ? [describeIssues(others, sent)] : [];
  const named = new Set(errors.flatMap((error) => error.errors.map(({ name }) => name)));
  const further = checked.filter(({ name }) => !named.has(name)).map((item) => toOneError([item]));
  return { error: joinErrors([...conflicts, ...errors, ...further]), sentAs };
}

/** Returns the errors that the operation's own check finds, under the names that were sent. */
function checkInput(
  operation: Contract,
  input: unknown,
  facts: CheckFacts | undefined,
  sentAs: SentAs,
): ErrorItem[] {
  if (!operation.check || !facts || typeof input !== 'object' || input === null) return [];
  const items = operation.check(input as Record<string, unknown>, facts);
  return items.length > 0 ? withSentNames(toOneError(items), sentAs).errors : [];
}

function resolveAliases(operation: Contract, sent: unknown) {
  const sentAs = new Map<PropertyKey, string>();
  const conflicts: ApiError[] = [];
  const aliases = Object.entries(operation.aliases ?? {});
  if (typeof sent !== 'object' || sent === null || !aliases.some(([alias]) => Object.hasOwn(sent, alias)))
    return { input: sent, sentAs, conflicts };
  const input: Record<string, unknown> = { ...sent };
  for (const [alias, field] of aliases) {
    if (!Object.hasOwn(input, alias)) continue;
    const value = input[alias];
    delete input[alias];
    if (input[field] === undefined) {
      input[field] = value;
      sentAs.set(field, alias);
    } else if (!isSame(input[field], value))
      conflicts.push(
        new ApiError(
          'conflicting_fields',
          `${alias} is another name of ${field}. Send only one of them, or the same value.`,
          alias,
        ),
      );
  }
  return { input, sentAs, conflicts };
}

/** Compares two values. Ids that differ only in letter case are the same. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(folded(one), folded(other));
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const folded = (value: unknown): unknown =>
  typeof value === 'string' && value.length === 36 && uuidPattern.test(value) ? value.toLowerCase() : value;

/** Returns an issue with the name under which its field was sent. */
function renamed<One extends Issue>(issue: One, sentAs: SentAs): One {
  const [first, ...rest] = issue.path;
  const alias = first === undefined ? undefined : sentAs.get(first);
  return alias === undefined ? issue : { ...issue, path: [alias, ...rest] };
}

/** Returns a handler's error in which the fields have the names that the caller sent, also in the error messages. */
export function withSentNames(error: ApiError, sentAs: SentAs): ApiError {
  const items = error.errors.map((item) => {
    const [first = ''] = item.name?.split(/[.[]/, 1) ?? [];
    const alias = sentAs.get(first);
    if (item.name === null || alias === undefined) return item;
    return {
      ...item,
      name: alias + item.name.slice(first.length),
      error: item.error.replaceAll(new RegExp(`\\b${first}\\b`, 'g'), alias),
    };
  });
  return Object.assign(toOneError(items, error.retryAfterSeconds), { details: error.details });
}

const isNothingToChange = (issue: Issue): boolean =>
  issue.code === 'custom' && issue.params?.['code'] === 'nothing_to_change';

/**
 * Returns the error of an update that sends no field to change. Because the usual cause is a misspelled field, the
 * error lists the unknown fields.
 */
function nothingToChange(operation: Contract, sent: unknown, issues: readonly Issue[]): ApiError {
  const fields = acceptedFields(operation);
  const unknown = ignoredKeys(operation, sent).filter((name) => !/[.[]/.test(name));
  const items = unknown.map((name) => ({
    name: name.slice(0, 100),
    code: 'unknown_field' as const,
    error: describeUnknown(name, suggestField(name, fields)),
  }));
  return items.length > 0 ? toOneError(items) : describeIssues(issues, sent);
}

const describeUnknown = (name: string, suggestion: string | undefined): string =>
  `\`${name}\` is not a field of this operation.${suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`}`;
