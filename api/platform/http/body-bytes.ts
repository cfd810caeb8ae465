import { raw } from 'express';
import type { Request, Response } from 'express';

/**
 * Returns a reader of request bodies as bytes, whatever their type. Without a body it returns an empty buffer. It
 * rejects as Express's reader does.
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
