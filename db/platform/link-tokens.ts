import { errors, SignJWT } from 'jose';
import type { JWK } from 'jose';
import { z } from 'zod';
import type { LiveCaller } from './caller';
import { openKeySet } from './tokens';

/**
 * What a candidate's link contains: an enrolment, an interview and the generation of the link (docs/people.md#links).
 */
export type InterviewLink = {
  enrolmentId: string;
  interviewId: string;
  generation: number;
  isTest: boolean;
};
/**
 * The content of the cookie of an embedded interview: a candidate's link, the embed key, and the hash of the token that
 * the merchant's server signed.
 */
type EmbedVisit = InterviewLink & { embedId: string; tokenHash: string };
/**
 * The data in an account invitation link. `generation` counts how often the merchant has withdrawn the person's
 * access.
 */
export type AccountLink = { profileId: string; merchantId: string; generation: number };
/** The data in a learner's link to a merchant's catalogue. */
export type LearnerLink = { profileId: string; merchantId: string };

export type OpenedLink<Link> = Link & { expiresAt: Date; isExpired: boolean };

/** The lifetime of a link if the interview sets no end. */
export const linkLifetimeMs = 30 * 24 * 3_600_000;

/** A page has so long to open its live conversation. */
const liveLifetimeMs = 5 * 60_000;
const visitLifetimeMs = 24 * 3_600_000;

const interviewClaims = z.object({
  sub: z.guid(),
  interview_id: z.guid(),
  generation: z.int(),
  is_test: z.boolean(),
  exp: z.number(),
});
const embedClaims = interviewClaims.extend({ embed_id: z.guid(), token_hash: z.string() });
const liveClaims = z.union([
  interviewClaims.extend({ domain: z.string().nullable() }),
  z.object({
    sub: z.guid(),
    avatar: z.union([z.object({ slug: z.string() }), z.object({ embedId: z.guid() })]),
    domain: z.string().nullable(),
    exp: z.number(),
  }),
]);
const visitClaims = z.object({ sub: z.guid(), avatar: z.string(), exp: z.number() });
const learnerClaims = z.object({ sub: z.guid(), merchant_id: z.guid(), exp: z.number() });
// Links that were signed before generations existed count as generation 0.
const accountClaims = learnerClaims.extend({ generation: z.int().default(0) });

export type LinkTokens = Awaited<ReturnType<typeof createLinkTokens>>;

/**
 * Creates and opens the links that mails and replies contain. The links point to the portal and are signed with
 * `LINK_SIGNING_KEYS`. All links of one generation work, so creating a new link does not end earlier ones.
 */
export async function createLinkTokens(jwks: { keys: JWK[] }, portalOrigin: string) {
  const keys = await openKeySet(jwks, 'LINK_SIGNING_KEYS');

  const sign = (audience: string, subject: string, claims: Record<string, unknown>, expiresAt: Date) =>
    keys.sign(
      new SignJWT(claims)
        .setIssuer(portalOrigin)
        .setAudience(audience)
        .setSubject(subject)
        .setExpirationTime(expiresAt),
    );
  /** Verifies a token. Returns undefined if it was not signed with the link keys for this audience. */
  const open = async <Claims extends { exp: number }>(
    audience: string,
    shape: z.ZodType<Claims>,
    token: string,
  ): Promise<{ claims: Claims; expiresAt: Date; isExpired: boolean } | undefined> => {
    let isExpired = false;
    const payload: unknown = await keys
      .verify(token, { issuer: portalOrigin, audience })
      .catch((error: unknown) => {
        if (!(error instanceof errors.JWTExpired)) return undefined;
        isExpired = true;
        return error.payload;
      });
    const parsed = shape.safeParse(payload);
    return parsed.success
      ? { claims: parsed.data, expiresAt: new Date(parsed.data.exp * 1000), isExpired }
      : undefined;
  };

  const originOf = (portalDomain: string | null): string =>
    portalDomain === null ? portalOrigin : `https://${portalDomain}`;

  return {
    /** Returns the origin of candidates' pages at a merchant's portal domain, or else of the deployment's portal. */
    originOf,

    /**
     * Returns the address of a candidate's interview page. The address works until `availableTill`, or for 30 days
     * when that is not set. It is at the merchant's `portalDomain`, if there is one, and otherwise at the deployment's
     * portal.
     */
    interviewUrl: async (
      { enrolmentId, interviewId, generation, isTest }: InterviewLink,
      {
        availableTill,
        hideMenu,
        hideIframe,
        portalDomain = null,
      }: {
        availableTill: Date | null;
        hideMenu: boolean;
        hideIframe: boolean;
        portalDomain?: string | null;
      },
    ): Promise<string> => {
      const claims = { interview_id: interviewId, generation, is_test: isTest };
      const expiresAt = availableTill ?? new Date(Date.now() + linkLifetimeMs);
      const query = new URLSearchParams({
        interview_token: await sign('interview', enrolmentId, claims, expiresAt),
      });
      if (hideMenu) query.set('view_hm', 'true');
      if (hideIframe) query.set('view_hi', 'true');
      return `${originOf(portalDomain)}/interview/take/${interviewId}/?${query.toString()}`;
    },

    /**
     * Returns the data in an `interview_token`, even in an expired one, or undefined when the token was not signed
     * with the link keys.
     */
    openInterviewLink: async (token: string): Promise<OpenedLink<InterviewLink> | undefined> => {
      const opened = await open('interview', interviewClaims, token);
      if (!opened) return undefined;
      const { sub, interview_id: interviewId, generation, is_test: isTest } = opened.claims;
      const { expiresAt, isExpired } = opened;
      return { enrolmentId: sub, interviewId, generation, isTest, expiresAt, isExpired };
    },

    /** Returns the token that an embedded interview's cookie contains. */
    embedToken: (
      { enrolmentId, interviewId, generation, isTest, embedId, tokenHash }: EmbedVisit,
      expiresAt: Date,
    ): Promise<string> =>
      sign(
        'embed',
        enrolmentId,
        {
          interview_id: interviewId,
          generation,
          is_test: isTest,
          embed_id: embedId,
          token_hash: tokenHash,
        },
        expiresAt,
      ),

    /** Returns the data in a token that `embedToken` made, even if it has expired, or undefined for any other text. */
    openEmbedToken: async (token: string): Promise<OpenedLink<EmbedVisit> | undefined> => {
      const opened = await open('embed', embedClaims, token);
      if (!opened) return undefined;
      const { claims, expiresAt, isExpired } = opened;
      const { sub: enrolmentId, interview_id: interviewId, generation, is_test: isTest } = claims;
      const { embed_id: embedId, token_hash: tokenHash } = claims;
      return { enrolmentId, interviewId, generation, isTest, embedId, tokenHash, expiresAt, isExpired };
    },

    /** Returns the token with which a page opens a live conversation. It is valid for five minutes. */
    liveToken: (caller: LiveCaller): Promise<string> => {
      const expiresAt = new Date(Date.now() + liveLifetimeMs);
      const domain = caller.domain ?? null;
      if (caller.kind === 'avatar_visit')
        return sign('live', caller.visitId, { avatar: caller.avatar, domain }, expiresAt);
      const { enrolmentId, interviewId, generation, isTest } = caller;
      const claims = { interview_id: interviewId, generation, is_test: isTest, domain };
      return sign('live', enrolmentId, claims, expiresAt);
    },

    /** Returns the caller in a token that `liveToken` made, or undefined when it has expired and for any other text. */
    openLiveToken: async (token: string): Promise<(LiveCaller & { domain: string | null }) | undefined> => {
      const opened = await open('live', liveClaims, token);
      if (!opened || opened.isExpired) return undefined;
      const { claims } = opened;
      const { sub, domain } = claims;
      if ('avatar' in claims) return { kind: 'avatar_visit', visitId: sub, avatar: claims.avatar, domain };
      const { interview_id: interviewId, generation, is_test: isTest } = claims;
      return { kind: 'interview_link', enrolmentId: sub, interviewId, generation, isTest, domain };
    },

    /** Returns the token in the cookie of a visit. It is valid for a day, at the page of this public avatar. */
    visitToken: (visitId: string, avatar: string): Promise<string> =>
      sign('visit', visitId, { avatar }, new Date(Date.now() + visitLifetimeMs)),

    /** Returns the id of the visit in a token that `visitToken` made for this avatar, or undefined for any other text. */
    openVisitToken: async (token: string, avatar: string): Promise<string | undefined> => {
      const opened = await open('visit', visitClaims, token);
      return opened && !opened.isExpired && opened.claims.avatar === avatar ? opened.claims.sub : undefined;
    },

    /** Returns the address where a person accepts an account invitation. The address works for 30 days. */
    accountUrl: async ({ profileId, merchantId, generation }: AccountLink): Promise<string> => {
      const token = await sign(
        'account',
        profileId,
        { merchant_id: merchantId, generation },
        new Date(Date.now() + linkLifetimeMs),
      );
      return `${portalOrigin}/invitation/?${new URLSearchParams({ invitation_token: token }).toString()}`;
    },

    /**
     * Returns the data in an `invitation_token`, even in an expired one, or undefined when the token was not signed
     * with the link keys.
     */
    openAccountLink: async (token: string): Promise<OpenedLink<AccountLink> | undefined> => {
      const opened = await open('account', accountClaims, token);
      if (!opened) return undefined;
      const { claims, expiresAt, isExpired } = opened;
      const { sub: profileId, merchant_id: merchantId, generation } = claims;
      return { profileId, merchantId, generation, expiresAt, isExpired };
    },

    /**
     * Returns the address of `page` in a merchant's portal, with a token that identifies the learner. The token works
     * for 30 days and on every page of the portal.
     */
    learnerUrl: async ({ profileId, merchantId }: LearnerLink, page: string): Promise<string> => {
      const expiresAt = new Date(Date.now() + linkLifetimeMs);
      const token = await sign('learner', profileId, { merchant_id: merchantId }, expiresAt);
      return `${page}?${new URLSearchParams({ learner_token: token }).toString()}`;
    },

    /** Returns the data in a `learner_token`, or undefined when it has expired or was not signed with the link keys. */
    openLearnerLink: async (token: string): Promise<(LearnerLink & { expiresAt: Date }) | undefined> => {
      const opened = await open('learner', learnerClaims, token);
      if (!opened || opened.isExpired) return undefined;
      const { claims, expiresAt } = opened;
      return { profileId: claims.sub, merchantId: claims.merchant_id, expiresAt };
    },
  };
}
