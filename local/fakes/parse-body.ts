import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';

export type ParsedBody<T> = { ok: true; value: T } | { ok: false; error: string; name: string | null };

const bodyHeaders = new Set(['content-length', 'transfer-encoding', 'trailer']);

/**
 * Headers that a response can have. Rejects headers that follow from the body, and names and values for which Node
 * would throw.
 */
export const responseHeaders = z.record(z.string(), z.string()).superRefine((headers, context) => {
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

/** Parses a JSON text with a schema. The error names the first invalid field. */
export function parseBody<T>(schema: z.ZodType<T>, text: unknown): ParsedBody<T> {
  const json = parseJson(text);
  if (json === undefined) return { ok: false, error: 'the body must be JSON', name: null };
  const parsed = schema.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path.join('.');
  return { ok: false, error: issue?.message ?? 'invalid body', name: name || null };
}

/** Returns the JSON value of a text, or undefined when it is invalid. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
