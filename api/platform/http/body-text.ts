import type { Request, Response } from 'express';
import { ApiError } from '../operation/api-error';
import { bodyBytesReader } from './body-bytes';

const charsetPattern = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/**
 * A reader of bodies as text of UTF-8, whatever their type; '' where there is none. It rejects with 422 for another
 * charset or bytes that are no UTF-8, and with what Express's reader says otherwise. A byte order mark is left out.
 */
export function bodyTextReader(
  limitBytes: number,
): (request: Request, response: Response) => Promise<string> {
  const readBytes = bodyBytesReader(limitBytes);
  return async (request, response) => {
    const [, charset] = charsetPattern.exec(request.headers['content-type'] ?? '') ?? [];
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new ApiError('invalid_encoding', 'The charset must be utf-8', 'Content-Type');
    const bytes = await readBytes(request, response);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    } catch {
      throw new ApiError('invalid_encoding', 'The body is not valid UTF-8');
    }
  };
}
