import { rateLimit } from 'express-rate-limit';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '../operation/api-error';
import type { Credential } from './credential';

/**
 * Limits requests by the key that `keyOf` returns. The counts are in this process's memory. Requests without a key
 * are not limited. If `perMinute` is 0, no request is limited.
 */
export function limitRate(
  perMinute: number,
  keyOf: (request: Request, response: Response) => string | undefined,
): RequestHandler {
  if (perMinute === 0) return (_request, _response, next) => next();
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    skip: (request, response) => keyOf(request, response) === undefined,
    keyGenerator: (request, response) => keyOf(request, response) ?? '',
    handler: (_request, _response, next) =>
      next(new ApiError('rate_limited', `You sent more than ${perMinute} requests in a minute. Slow down.`)),
    validate: false,
  });
}

/** Returns one key per session or service key, so that a refreshed token does not start a new count. */
export const rateKey = (credential: Credential): string =>
  credential.kind === 'service_key' ? credential.keyHash : credential.sessionId;
