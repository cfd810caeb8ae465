import type { Statement } from './statement';
import type { Environment, Role } from './vocabulary';

/** What the log records about a request: how long its database work took, its merchant and its caller. */
export type RequestMeter = { databaseMs: number; merchantId: string | null; callerId: string | null };

/**
 * A person's session or a service key, and what the operation requires of the caller. The first statement of the
 * transaction verifies both.
 */
export type Requester = {
  environment: Environment;
  /** The `merchant_id` of the request, or null when it has none. */
  askedMerchantId: string | null;
  /** Roles that may call the operation. */
  roles: readonly Role[];
  /** False when an admin may call the operation without a merchant. */
  needsMerchant: boolean;
  /** The name of the agent through which the caller acts, for the audit log. */
  agent?: string;
  meter?: RequestMeter;
} & (
  | { kind: 'user_session'; sessionId: string; profileId: string; role: Role; homeMerchantId: string | null }
  | { kind: 'service_key'; keyHash: string }
);

/** The caller, which decides what the transaction can see (docs/security.md#row-level-security). */
export type Caller =
  | Requester
  /**
   * A candidate's link. The calling code has verified the link's signature; the first statement checks the ids in the
   * link.
   */
  | {
      kind: 'interview_link';
      enrolmentId: string;
      interviewId: string;
      generation: number;
      isTest: boolean;
      /**
       * The host name if the request came to a merchant's portal domain. The link must then belong to that merchant.
       */
      domain?: string | null;
      meter?: RequestMeter;
    }
  /**
   * A visitor of an embedded interview, at the portal domain `domain` or, if that is null, at the deployment's own
   * portal. `embedId` is public, so only a signed token proves that the merchant sent the visitor.
   */
  | { kind: 'embed'; embedId: string; domain: string | null; meter?: RequestMeter }
  /**
   * A visitor of the public avatar with this slug or embed key. The calling code has verified that the browser was given
   * `visitId`, the id of the visit's result, which need not have begun. It is null for a browser without one.
   */
  | {
      kind: 'avatar_visit';
      avatar: { slug: string } | { embedId: string };
      visitId: string | null;
      domain: string | null;
      meter?: RequestMeter;
    }
  | { kind: 'sign_in'; meter?: RequestMeter }
  /**
   * A visitor of the portal with the host name `domain`. If `domain` is null, the visitor opened the deployment's own
   * portal for the merchant `merchantId`. If the visitor has a learner's link, whose signature the calling code has
   * verified, `profileId` is set and, on a merchant's domain, also `merchantId`. On another merchant's portal, a
   * learner counts as an anonymous visitor. A visitor of the page of a job has its `slug`, and the transaction sees the
   * merchant of the job.
   */
  | {
      kind: 'portal_visit';
      domain: string | null;
      merchantId: string | null;
      profileId: string | null;
      slug?: string;
      meter?: RequestMeter;
    }
  /**
   * The creator of a report schedule, for whom the worker runs the report. Only the worker's login can begin such a
   * transaction.
   */
  | { kind: 'report_schedule'; scheduleId: string; meter?: RequestMeter }
  /** A request in which the mail provider reports events. The calling code has verified its signature. */
  | { kind: 'mail_hook'; meter?: RequestMeter };

/** The caller of a transaction for a candidate's link. */
export type LinkCaller = Extract<Caller, { kind: 'interview_link' }>;

/** The caller of a transaction for a visitor of a public avatar. */
export type AvatarCaller = Extract<Caller, { kind: 'avatar_visit' }>;

/** Who can hold a live conversation: a candidate, or a visitor whose visit may have begun. */
export type LiveCaller = LinkCaller | (AvatarCaller & { visitId: string });

/** The access that the database has verified for a credential. `role` is `service` for a service key. */
export type ProvenScope = {
  merchant_id: string | null;
  profile_id: string | null;
  caller_id: string;
  role: Role | 'service';
  environment: Environment;
  /**
   * The positions that a restricted hiring manager may see, as the text of a Postgres array. Null for all other
   * callers. A cache that outlives the transaction must have this text in its key
   * (docs/identity.md#positions-of-hiring-managers).
   */
  position_ids: string | null;
};

/** The merchant and environment whose rows a caller works on. */
export type MerchantScope = { merchant_id: string; environment: Environment };

export type TransactionMode = 'read' | 'write' | 'report';

/** Postgres cancels a read after one second, a write after ten, and a statement of a report after eight (docs/architecture.md#time-limits). */
const statementTimeout: Record<TransactionMode, string> = { read: '1s', write: '10s', report: '8s' };
const workerStatementTimeout = '20s';

const beginAs = (role: 'app_auth' | 'app_mail_hook' | 'app_worker', timeout: string): Statement => ({
  name: 'begin_as',
  text: 'select app.begin_as($1, $2)',
  values: [role, timeout],
});

/**
 * Returns the first statement of the caller's transaction, which verifies the credential and sets the scope, or
 * raises an error.
 */
export const scopeStatement = (caller: Caller, mode: TransactionMode): Statement => {
  if (caller.kind === 'sign_in') return beginAs('app_auth', statementTimeout[mode]);
  if (caller.kind === 'mail_hook') return beginAs('app_mail_hook', statementTimeout[mode]);
  if (caller.kind === 'interview_link')
    return {
      name: 'begin_link',
      text: `select app.begin_link($1, $2, $3, $4, $5, $6), current_setting('app.merchant_id') as merchant_id`,
      values: [
        caller.enrolmentId,
        caller.interviewId,
        caller.generation,
        caller.isTest,
        caller.domain ?? null,
        statementTimeout[mode],
      ],
    };
  if (caller.kind === 'embed')
    return {
      name: 'begin_embed',
      text: `select app.begin_embed($1, $2, $3), current_setting('app.merchant_id') as merchant_id`,
      values: [caller.embedId, caller.domain, statementTimeout[mode]],
    };
  if (caller.kind === 'avatar_visit')
    return {
      name: 'begin_visit',
      text: `select app.begin_visit($1, $2, $3, $4, $5), current_setting('app.merchant_id') as merchant_id`,
      values: [
        'slug' in caller.avatar ? caller.avatar.slug : null,
        'slug' in caller.avatar ? null : caller.avatar.embedId,
        caller.visitId,
        caller.domain,
        statementTimeout[mode],
      ],
    };
  if (caller.kind === 'report_schedule')
    return {
      name: 'begin_report_schedule',
      text: 'select * from app.begin_report_schedule($1, $2)',
      values: [caller.scheduleId, statementTimeout[mode]],
    };
  if (caller.kind === 'portal_visit' && caller.slug !== undefined)
    return {
      name: 'begin_job',
      text: `select app.begin_job($1, $2, $3), current_setting('app.merchant_id') as merchant_id`,
      values: [caller.domain, caller.slug, statementTimeout[mode]],
    };
  if (caller.kind === 'portal_visit')
    return {
      name: 'begin_portal',
      text: 'select app.begin_portal($1, $2, $3, $4)',
      values: [caller.domain, caller.merchantId, caller.profileId, statementTimeout[mode]],
    };
  const session = caller.kind === 'user_session' ? caller : null;
  const isAgent = caller.agent !== undefined;
  return {
    name: isAgent ? 'begin_agent_request' : 'begin_request',
    text: `select *, nullif(current_setting('app.position_ids'), '') as position_ids
      ${isAgent ? ", set_config('app.agent', $11, true)" : ''}
      from app.begin_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      caller.kind,
      caller.kind === 'user_session' ? caller.sessionId : caller.keyHash,
      session?.profileId ?? null,
      session?.role ?? null,
      session?.homeMerchantId ?? null,
      caller.environment,
      caller.askedMerchantId,
      caller.roles,
      caller.needsMerchant,
      statementTimeout[mode],
      ...(isAgent ? [caller.agent] : []),
    ],
  };
};

/** The first statement of a worker's transaction. It sets the worker's role and its time limit. */
export const workerScope = beginAs('app_worker', workerStatementTimeout);

/**
 * The first statement of a worker's transaction whose other statements are prepared once and reused with other
 * values. Postgres may keep a plan that it made while the tables were empty. Sequential scans and sorts are therefore
 * off: a sort would read every waiting delivery of an endpoint to return a few (measured with old statistics: 300
 * deliveries a second instead of 4,400).
 */
export const hotWorkerScope: Statement = {
  name: 'begin_hot',
  text: `select app.begin_as('app_worker', $1), set_config('plan_cache_mode', 'force_generic_plan', true),
    set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
  values: [workerStatementTimeout],
};
