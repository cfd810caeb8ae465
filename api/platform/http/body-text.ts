import type { Request, Response } from 'express';
import { ApiError } from '../operation/api-error';
import { bodyBytesReader } from './body-bytes';

const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * Returns a function that reads request bodies of any type as UTF-8 text, without a byte order mark. It returns '' if
 * there is no body. It rejects with 422 for another charset or invalid UTF-8, and otherwise with the errors of
 * Express's reader.
 */
export function bodyTextReader(
  limitBytes: number,
): (request: Request, response: Response) => Promise<string> {
  const readBytes = bodyBytesReader(limitBytes);
  return async (request, response) => {
    const [, charset] = charsetPattern.exec(request.headers['content-type'] ?? '') ?? [];
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new ApiError('invalid_encoding', 'The charset must be utf-8.', 'Content-Type');
    const bytes = await readBytes(request, response);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    } catch {
      throw new ApiError('invalid_encoding', 'The body is not valid UTF-8.');
    }
  };
}
