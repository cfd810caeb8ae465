import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Database } from '../../db/platform/database';
import { refreshSession } from '../../db/platform/sessions';
import { accessTokenLifetimeSeconds } from '../../db/platform/tokens';
import type { TokenSigner } from '../../db/platform/tokens';
import { refundPoint } from '../platform/http/address-limit';
import { bodyTextReader } from '../platform/http/body-text';
import { checkText } from '../platform/http/check-text';
import { describeIssues } from '../platform/http/describe-issue';
import { parseJson } from '../platform/http/parse-json';
import type { CreateLimit } from '../platform/http/rate-limit';
import { ApiError } from '../platform/operation/api-error';
import { boundedText } from '../platform/text/bounded-text';

const input = z.object({
  grant_type: z.enum(['refresh_token']),
  refresh_token: boundedText(200).min(1),
});

const readBodyText = bodyTextReader(16_384);

/**
 * The most refreshes of one session in a minute. Clients need about one an hour, because access tokens last that
 * long.
 */
const maxRefreshes = 10;

/**
 * `POST /auth/token`: exchanges a refresh token for new tokens (docs/identity.md#sessions-and-refresh-tokens).
 * Accepts a form, as OAuth 2 requires, or JSON.
 */
export function createTokenEndpoint({
  database,
  tokens,
  createLimit,
}: {
  database: Pick<Database, 'write'>;
  tokens: TokenSigner;
  createLimit: CreateLimit;
}): RequestHandler {
  const limit = createLimit('refresh', maxRefreshes);
  return async (request, response) => {
    const sent = readForm(await readBodyText(request, response));
    checkText(sent);
    const parsed = input.safeParse(sent);
    if (!parsed.success) throw describeIssues(parsed.error.issues, sent);
    const session = await database.write({ kind: 'sign_in' }, async (trx) => {
      const refreshed = await refreshSession(trx, parsed.data.refresh_token);
      // Above the limit, this throws and so rolls the transaction back: the caller's refresh token stays valid.
      if (refreshed) await limit.take(refreshed.session_id, response);
      return refreshed;
    });
    if (!session)
      throw new ApiError(
        'refresh_token_invalid',
        'The refresh token is unknown, already used or expired. Sign in again.',
      );
    refundPoint(request);
    response.setHeader('cache-control', 'no-store');
    response.json({
      access_token: await tokens.sign({
        profileId: session.profile_id,
        sessionId: session.session_id,
        role: session.role,
        merchantId: session.merchant_id,
        environment: session.environment,
      }),
      token_type: 'Bearer',
      expires_in: accessTokenLifetimeSeconds,
      refresh_token: session.refreshToken,
    });
  };
}

function readForm(body: string): unknown {
  if (!body.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(body));
  return parseJson(body);
}
