import { createHash } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { validateSentCandidate } from '../../people/public';
import type { CandidateRow } from '../../people/public';

/** The maximum number of seconds until a token expires, counted from now, because `iat` is not trusted. */
const maxSeconds = 3_600;
/** How far the clocks of the merchant's server and of this one may differ, in seconds. */
const clockLeewaySeconds = 60;
const maxTokenLength = 4_000;

const claimsShape = z.object({
  exp: z.number(),
  jti: z.string().min(1).max(200),
});

type EmbedTokenProblem = { problem: 'signature_invalid' | 'claims_invalid'; detail: string };
export type EmbedClaims = {
  candidate: CandidateRow;
  /** The SHA-256 hash of the claim `jti`, in hex. */
  tokenHash: string;
  expiresAt: Date;
  isExpired: boolean;
};

/**
 * Reads a token that the merchant's server has signed with HS256 and the embed signing key. Returns the problem if
 * its signature or a claim is not valid. An expired token is returned with `isExpired`.
 */
export async function readEmbedToken(
  token: unknown,
  signingKey: string,
): Promise<EmbedClaims | EmbedTokenProblem> {
  if (typeof token !== 'string' || token.length > maxTokenLength) return unsigned;
  const verified = await jwtVerify(token, new TextEncoder().encode(signingKey), {
    algorithms: ['HS256'],
    clockTolerance: clockLeewaySeconds,
    requiredClaims: ['exp', 'jti', 'email'],
  }).then(
    ({ payload }) => ({ payload, isExpired: false }),
    (error: unknown) => {
      if (error instanceof errors.JWTExpired) return { payload: error.payload, isExpired: true };
      if (error instanceof errors.JWTClaimValidationFailed) return wrong(error.message);
      return unsigned;
    },
  );
  if ('problem' in verified) return verified;
  const { payload, isExpired } = verified;
  const claims = claimsShape.safeParse(payload);
  if (!claims.success) return wrong('jti must be a text of 1 to 200 characters, and exp a number');
  const { exp, jti } = claims.data;
  if (exp > Date.now() / 1_000 + maxSeconds + clockLeewaySeconds)
    return wrong('exp must be at most one hour ahead');
  const { email, name, external_id } = payload;
  const { row, error } = validateSentCandidate({ email, name, external_id });
  if (!row) return wrong(error);
  const tokenHash = createHash('sha256').update(jti).digest('hex');
  return { candidate: row, tokenHash, expiresAt: new Date(exp * 1_000), isExpired };
}

const unsigned: EmbedTokenProblem = {
  problem: 'signature_invalid',
  detail: 'the token is not signed with HS256 and the signing key of this embed_id',
};
const wrong = (detail: string): EmbedTokenProblem => ({ problem: 'claims_invalid', detail });
