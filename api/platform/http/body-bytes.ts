import { raw } from 'express';
import type { Request, Response } from 'express';

/**
 * Returns a function that reads request bodies of any type as bytes. It returns an empty buffer if there is no body,
 * and rejects with the errors of Express's reader.
 */
export function bodyBytesReader(
  limitBytes: number,
): (request: Request, response: Response) => Promise<Buffer> {
  const readRaw = raw({ type: () => true, limit: limitBytes });
  return async (request, response) => {
    await new Promise<void>((resolve, reject) =>
      readRaw(request, response, (error?: unknown) => (error ? reject(error) : resolve())),
    );
    const bytes: unknown = request.body;
    return Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0);
  };
}
