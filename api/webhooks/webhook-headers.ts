import { z } from 'zod';
import type { ErrorCode } from '../platform/operation/error-codes';
import { boundedText } from '../platform/text/bounded-text';

const maxHeaders = 20;
const maxNameLength = 100;
const maxValueLength = 1_024;
/**
 * The limit of all names and values together, in characters. Node's servers accept 16 KiB of headers by default, and
 * the platform adds its own.
 */
const maxTotalLength = 12_288;

/**
 * Accepts texts up to the size of a body. `findProblems` checks the actual limits, because its messages name the
 * header.
 */
const headerText = boundedText(1_048_576);

/**
 * Custom headers that a merchant adds to every delivery, usually to prove who sends it (docs/webhooks.md#endpoints).
 * Names keep their case. Two names that differ only in case are rejected.
 */
export const customHeaders = z
  .preprocess(
    (sent, context) => {
      // Rejects the key `__proto__`, which a zod record would drop without an error.
      if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__'))
        context.addIssue({
          code: 'custom',
          message: 'must not name a header __proto__',
          params: { code: 'invalid_value' },
        });
      if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > maxHeaders)
        context.addIssue({
          code: 'custom',
          message: `must have at most ${maxHeaders} headers`,
          params: { code: 'too_long' },
        });
      return sent;
    },
    z.record(headerText, headerText).superRefine((headers, context) => {
      for (const { name, code, message } of findProblems(headers))
        context.addIssue({ code: 'custom', path: name === null ? [] : [name], message, params: { code } });
    }),
  )
  .meta({
    description:
      `At most ${maxHeaders} headers. Names are HTTP tokens of at most ${maxNameLength} characters, values printable ` +
      `Latin-1 of at most ${maxValueLength}; names and values together have at most ${maxTotalLength} characters. Not allowed: webhook-*, x-platform-*, proxy-*, content-*, host, connection, expect, ` +
      'keep-alive, te, trailer, transfer-encoding, upgrade.',
    examples: [{ 'x-api-key': 'b1946ac92492d2347c6235b4d2611184' }],
  });
export type CustomHeaders = z.output<typeof customHeaders>;

/** Masks a header's value, as it is stored with attempts: a long value keeps its first four characters. */
export const maskSecret = (value: string): string => (value.length >= 16 ? `${value.slice(0, 4)}…` : '…');

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const printableLatin1 = /^[\u0020-\u007e\u00a0-\u00ff]*$/;
/** Matches headers that the platform sets, or that the HTTP client sets for the connection. */
const reserved =
  /^(?:(?:webhook|x-platform|proxy|content)-.*|host|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

type Problem = { code: ErrorCode; message: string };

/**
 * Yields what is wrong with the headers. `name` is the header's name, or null for a problem of all headers together.
 */
function* findProblems(headers: Record<string, string>): Generator<Problem & { name: string | null }> {
  const names = Object.keys(headers);
  const length = names.reduce((sum, name) => sum + name.length + (headers[name] ?? '').length, 0);
  if (length > maxTotalLength)
    yield {
      name: null,
      code: 'too_long',
      message: `must have at most ${maxTotalLength} characters in all names and values together, but has ${length}`,
    };
  const seen = new Set<string>();
  for (const name of names) {
    const problem = findNameProblem(name) ?? findValueProblem(headers[name] ?? '');
    if (problem) yield { name: name.slice(0, maxNameLength), ...problem };
    else if (seen.has(name.toLowerCase()))
      yield {
        name,
        code: 'duplicate_value',
        message: 'is listed twice. Header names are not case-sensitive',
      };
    seen.add(name.toLowerCase());
  }
}

function findNameProblem(name: string): Problem | undefined {
  if (name.length > maxNameLength)
    return { code: 'too_long', message: `must have a name of at most ${maxNameLength} characters` };
  if (!token.test(name))
    return {
      code: 'invalid_format',
      message: 'must have a name of letters, digits and hyphens, such as x-api-key',
    };
  if (reserved.test(name.toLowerCase()))
    return { code: 'invalid_value', message: 'must not be set, because the platform sets this header' };
  return undefined;
}

/** Returns what is wrong with a value. The message does not contain the value, which may be a secret. */
function findValueProblem(value: string): Problem | undefined {
  if (value.length > maxValueLength)
    return { code: 'too_long', message: `must have at most ${maxValueLength} characters` };
  if (!printableLatin1.test(value))
    return { code: 'invalid_format', message: 'must have only printable Latin-1 characters' };
  return undefined;
}
