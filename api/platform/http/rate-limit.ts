import { rateLimit } from 'express-rate-limit';
import type { RequestHandler } from 'express';
import { ApiError } from '../operation/api-error';
import { sendError } from './error-reply';
import type { Credential } from './authenticate';

/** One bucket a session or service key, so that a refreshed token is no new one; in this process's memory. */
export function limitRate(
  perMinute: number,
  credentialOf: (locals: Record<string, unknown>) => Credential,
): RequestHandler {
  if (perMinute === 0) return (_request, _response, next) => next();
  return rateLimit({
    windowMs: 60_000,
    limit: perMinute,
    standardHeaders: 'draft-6',
    legacyHeaders: false,
    keyGenerator: (_request, response) => {
      const credential = credentialOf(response.locals);
      return credential.kind === 'service_key' ? credential.keyHash : credential.sessionId;
    },
    handler: (_request, response) =>
      sendError(response, new ApiError('rate_limited', `Over ${perMinute} requests a minute, slow down`)),
    validate: false,
  });
}
