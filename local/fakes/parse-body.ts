import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

export type Parsed<T> = { ok: true; value: T } | { ok: false; error: string; name: string | null };

const bodyHeaders = new Set(['content-length', 'transfer-encoding', 'trailer']);

/** Headers that an answer may carry: names and values that Node would throw on are refused at the door. */
export const answerHeaders = z.record(z.string(), z.string()).superRefine((headers, context) => {
  for (const [name, value] of Object.entries(headers)) {
    if (bodyHeaders.has(name.toLowerCase())) {
      context.addIssue({ code: 'custom', message: `${name} follows from the body and cannot be set` });
      continue;
    }
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      context.addIssue({ code: 'custom', message: `${JSON.stringify(name)} is not a valid header` });
    }
  }
});

/** Parses a JSON text by a schema; a refusal names the first wrong field. */
export function parseBody<T>(schema: z.ZodType<T>, text: unknown): Parsed<T> {
  const json = parseJson(text);
  if (json === undefined) return { ok: false, error: 'the body must be JSON', name: null };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  return { ok: false, error: issue?.message ?? 'invalid body', name: name || null };
}

/** The JSON value of a text, undefined when it is none. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
