import type { Request, Response } from 'express';
import { bodyTextReader } from './body-text';
import { isCallerGone, toApiError } from './error-reply';
import { readBodyInput, unreadable } from './read-input';
import type { SentInput } from './read-input';

/**
 * Returns a function that reads and parses the bodies of requests, of at most `limitBytes`. Express does not parse them,
 * because it would reply to some errors with statuses that this API does not use. A body that cannot be read is an
 * error of the input. Throws if the caller is gone or the error is ours.
 */
export function jsonBodyReader(
  limitBytes: number,
): (request: Request, response: Response, later?: readonly string[]) => Promise<SentInput> {
  const readText = bodyTextReader(limitBytes);
  return async (request, response, later = []) => {
    try {
      return readBodyInput(await readText(request, response), later);
    } catch (error) {
      const known = toApiError(error);
      if (known.status >= 500 || isCallerGone(error)) throw error;
      return unreadable(known);
    }
  };
}
