import type { z } from 'zod';
import { checkText } from '../platform/http/check-text';
import { describeIssues } from '../platform/http/describe-issue';
import { ApiError } from '../platform/operation/api-error';
import type { RowErrorCode } from '../platform/operation/error-codes';

const maxEchoedBytes = 1024;

/** Why a row failed: a sentence that says what to change, and its code. */
export type RowError = { code: RowErrorCode; error: string };

/** The validated fields of a row of `users`, or the row's error. */
export type ValidatedRow<Row> = { row: Row; error?: undefined } | ({ row?: undefined } & RowError);

/** Validates one row on its own (docs/people.md#rows). `known` contains the keys that the operation stores. */
export function validateRow<Row>(
  sent: unknown,
  shape: z.ZodType<Row>,
  known: ReadonlySet<string>,
): ValidatedRow<Row> {
  if (!isRow(sent))
    return { code: 'invalid_type', error: 'Each entry of users must be an object with an email.' };
  try {
    checkText(sent, [], 'The row');
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, error: error.message };
    throw error;
  }
  const tooLong = Object.entries(sent).find(([key, value]) => !known.has(key) && !isEchoable(value));
  if (tooLong) return { code: 'too_long', error: `${tooLong[0].slice(0, 100)} must be under 1 KiB.` };
  const parsed = shape.safeParse(sent);
  if (parsed.success) return { row: parsed.data };
  const { code, message } = describeIssues(parsed.error.issues, sent);
  return { code, error: message };
}

/** Returns true if an entry of `users` is an object. All other entries are errors. */
export const isRow = (sent: unknown): sent is object =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent);

/** Keys of the reply that a caller's own keys must not overwrite. */
const ownKeys = new Set(['__proto__', 'result', 'code', 'interview_url', 'profile_interview_id']);

/**
 * Returns the keys and values of a row that the reply repeats. Leaves out the keys in `ownKeys` and whatever is too
 * long or contains characters that no text may contain.
 */
export function echoedFields(sent: unknown): Record<string, unknown> {
  if (!isRow(sent)) return {};
  return Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => !ownKeys.has(key) && isEchoable(key) && isEchoable(value)),
  );
}

/** Returns a known field of a row as it was sent, or null if it is not a text. */
export function sentTextOf(sent: unknown, key: string): string | null {
  if (typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, key)) return null;
  const value: unknown = Reflect.get(sent, key);
  return typeof value === 'string' && isEchoable(value) ? value : null;
}

function isEchoable(value: unknown): boolean {
  if (!isSmall(value) || Buffer.byteLength(JSON.stringify(value) ?? '') >= maxEchoedBytes) return false;
  try {
    checkText({ value });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns false if a value is certainly too large to be repeated. Without this check, writing 1 MiB of JSON for each
 * of many keys would block the event loop.
 */
function isSmall(value: unknown): boolean {
  const open: unknown[] = [value];
  let left = maxEchoedBytes;
  for (let next = open.pop(); left > 0; next = open.pop()) {
    left -= typeof next === 'string' ? next.length : 1;
    if (typeof next === 'object' && next !== null) {
      const entries = Array.isArray(next) ? next : Object.keys(next);
      if (entries.length > left) return false;
      for (const entry of Object.values(next)) open.push(entry);
    }
    if (open.length === 0) return left > 0;
  }
  return false;
}
