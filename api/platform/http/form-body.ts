import querystring from 'node:querystring';
import { raw } from 'express';
import type { RequestHandler } from 'express';

/** The maximum number of fields that are read. */
const maxFields = 1_000;

/**
 * Returns a handler that parses the body of a form, which may have `limit` bytes. Node's parser takes up to a
 * microsecond for each `+`, which stands for a blank, so the blanks are put back before it sees the body.
 */
export function formReader(limit: string): RequestHandler {
  const readRaw = raw({ type: 'application/x-www-form-urlencoded', limit });
  return (request, response, next) =>
    readRaw(request, response, (error?: unknown) => {
      const body: unknown = request.body;
      if (Buffer.isBuffer(body)) {
        for (let index = 0; index < body.length; index += 1) if (body[index] === 0x2b) body[index] = 0x20;
        request.body = querystring.parse(body.toString(), '&', '=', { maxKeys: maxFields });
      }
      next(error);
    });
}
