import { z } from 'zod';
import { boundedText } from './bounded-text';

const maxHeaders = 20;
const maxNameLength = 100;
const maxValueLength = 1_024;
/** Names and values together: Node's servers take 16 KiB of headers by default, and ours come on top. */
const maxTotalLength = 12_288;

/** The body's limit: the messages about longer ones name the header. */
const headerText = boundedText(1_048_576);

/**
 * The headers of its own that a merchant has sent with every delivery, mostly to prove who sends it (spec/decisions.md
 * section 6). Names are kept as sent; two that differ in case only are one header, so they are refused.
 */
export const customHeaders = z
  .preprocess(
    (sent, context) => {
      // A record leaves that key out without a word.
      if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__'))
        context.addIssue({ code: 'custom', message: 'must not name a header __proto__' });
      if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > maxHeaders)
        context.addIssue({ code: 'custom', message: `must have at most ${maxHeaders} headers` });
      return sent;
    },
    z.record(headerText, headerText).superRefine((headers, context) => {
      for (const problem of findProblems(headers)) context.addIssue({ code: 'custom', message: problem });
    }),
  )
  .meta({
    description:
      `At most ${maxHeaders} headers. Names are HTTP tokens of at most ${maxNameLength} characters, values printable ` +
      `Latin-1 of at most ${maxValueLength}; names and values together have at most ${maxTotalLength} characters. Not: webhook-*, x-platform-*, proxy-*, content-*, host, connection, expect, ` +
      'keep-alive, te, trailer, transfer-encoding, upgrade.',
    examples: [{ 'x-api-key': 'b1946ac92492d2347c6235b4d2611184' }],
  });
export type CustomHeaders = z.output<typeof customHeaders>;

/** A header's value as it is stored with attempts and shown: the first four characters of a long one. */
export const maskSecret = (value: string): string => (value.length >= 16 ? `${value.slice(0, 4)}…` : '…');

const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const printableLatin1 = /^[\u0020-\u007e\u00a0-\u00ff]*$/;
/** Ours, or those of the connection: the HTTP client writes them. */
const reserved =
  /^(?:(?:webhook|x-platform|proxy|content)-.*|host|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade)$/;

function* findProblems(headers: Record<string, string>): Generator<string> {
  const names = Object.keys(headers);
  const length = names.reduce((sum, name) => sum + name.length + (headers[name] ?? '').length, 0);
  if (length > maxTotalLength)
    yield `must have at most ${maxTotalLength} characters, names and values together: these have ${length}`;
  const seen = new Set<string>();
  for (const name of names) {
    const problem = findNameProblem(name) ?? findValueProblem(name, headers[name] ?? '');
    if (problem) yield problem;
    else if (seen.has(name.toLowerCase())) yield `must name ${name} once: case makes no difference`;
    seen.add(name.toLowerCase());
  }
}

function findNameProblem(name: string): string | undefined {
  if (name.length > maxNameLength) return `must have names of at most ${maxNameLength} characters`;
  if (!token.test(name)) return 'must have names of letters, digits and hyphens, as x-api-key';
  if (reserved.test(name.toLowerCase())) return `must not set ${name}: that header is the platform's`;
  return undefined;
}

/** The name tells which one: the value may be a secret. */
function findValueProblem(name: string, value: string): string | undefined {
  if (value.length > maxValueLength)
    return `must have values of at most ${maxValueLength} characters: ${name} is longer`;
  if (!printableLatin1.test(value))
    return `must have values of printable Latin-1 characters: ${name} has others`;
  return undefined;
}
