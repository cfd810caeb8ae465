import { raw } from 'express';
import type { Request, Response } from 'express';

/** A reader of bodies as bytes, whatever their type; none where there is no body. Rejects as Express's reader does. */
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
