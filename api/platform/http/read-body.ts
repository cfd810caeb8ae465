import type { Request, Response } from 'express';
import { bodyTextReader } from './body-text';
import { isCallerGone, toApiError } from './error-reply';
import { readBodyInput, unreadableInput } from './read-input';
import type { SentInput } from './read-input';

/**
 * Returns a function that reads and parses request bodies of at most `limitBytes`. Express does not parse them,
 * because it would reply to some errors with statuses that this API does not use. If a body cannot be read, the
 * returned input contains the error. Throws if the caller has disconnected or the error is a 5xx.
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
      return unreadableInput(known);
    }
  };
}
