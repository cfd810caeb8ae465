import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** A reply of up to this many bytes fits into one packet, so it would not arrive sooner if it were smaller. */
const minBytes = 1_400;

/**
 * Compresses pages, JSON and other texts for clients that accept it (docs/security.md#compressed-replies). The levels
 * are low: a page of 15 KB takes 0.4 ms, and higher levels make it only a few percent smaller. Files that can be
 * requested in ranges stay as they are, because a range counts the bytes of the file.
 */
export const compressReplies = (): RequestHandler =>
  compression({
    threshold: minBytes,
    level: 4,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } },
    filter: (request, response) =>
      !response.hasHeader('accept-ranges') && compression.filter(request, response),
  });

/** Sends a part of a reply at once, which compression would otherwise hold back. */
export function writeAndFlush(response: Response, text: string): void {
  response.write(text);
  response.flush();
}
