import type { Request, Response as Reply } from 'express';
import { ApiError } from '../operation/api-error';
import { countOf } from '../text/count-of';
import { bodyBytesReader } from './body-bytes';
import { toApiError } from './error-reply';

/** A form of the console has far fewer fields. Parsing many of them would take long. */
const maxParts = 100;

/** A file of a form, with the name that the browser sent. */
export type SentFile = { name: string; content: Buffer };

/** Returns the files of a form that `uploadReader` has read, by the names of their fields. */
export const filesOf = ({ locals }: Pick<Reply, 'locals'>): Readonly<Record<string, SentFile | undefined>> =>
  (locals['files'] ?? {}) as Record<string, SentFile>;

/**
 * Returns a handler that parses a form with files (multipart/form-data) of at most `limitBytes`. It sets the body to the
 * fields, as `formReader` does, and keeps the files that are not empty for `filesOf`.
 */
export function uploadReader(
  limitBytes: number,
): (request: Request, response: Reply, next: () => void) => Promise<void> {
  const readBytes = bodyBytesReader(limitBytes);
  return async (request, response, next) => {
    const bytes = await readBytes(request, response).catch((error: unknown) => {
      throw toApiError(error).status === 413 ? tooLarge() : error;
    });
    const fields: Record<string, string> = {};
    const files: Record<string, SentFile> = {};
    for (const [name, value] of await parse(request, bytes)) {
      if (typeof value === 'string') fields[name] = value;
      else if (value.size > 0)
        files[name] = { name: value.name, content: Buffer.from(await value.arrayBuffer()) };
    }
    request.body = fields;
    response.locals['files'] = files;
    next();
  };
}

/** Node's own parser, whose result holds all of the body in memory. */
async function parse(request: Request, bytes: Buffer) {
  const type = request.get('content-type') ?? '';
  const [, boundary = ''] =
    /^multipart\/form-data;.*boundary="?([\w'()+,./:=?-]{1,70})/i.exec(type.slice(0, 300)) ?? [];
  if (boundary === '' || countOf(bytes, boundary, maxParts) > maxParts) throw malformed();
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw malformed();
  }
}

const tooLarge = () =>
  new ApiError('body_too_large', 'The file is too large. Choose one of less than 1 MiB.');
const malformed = () =>
  new ApiError('invalid_request', 'The form could not be read. Reload the page and try again.');
