import type { Request } from 'express';
import { isCredentialError } from '../../../db/platform/database';
import type { Database, LinkCaller, RequestMeter } from '../../../db/platform/database';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { getAttempt } from '../../../db/taking/attempts';
import type { AttemptRow } from '../../../db/taking/attempts';
import { findLinkedInterview, findLinkedJob } from '../../../db/taking/linked-interview';
import type { LinkedInterview, LinkedJob } from '../../../db/taking/linked-interview';
import { findLinkContext } from '../../../db/taking/surroundings';
import type { LinkContext } from '../../../db/taking/surroundings';
import { compileDescription } from '../../catalogue/public';
import type { MarkdownCompiler } from '../../catalogue/public';
import type { OperationDeps } from '../../deps';
import { refundPoint } from '../../platform/http/address-limit';
import { noteFacts } from '../../platform/http/request-log';
import { linkCaller } from '../../platform/portal/authenticate-link';
import type { LinkCredential } from '../../platform/portal/authenticate-link';
import { portalDomainOf } from '../../platform/portal/portal-domain';
import { linkLimitKey } from '../../platform/portal/visitor-credential';
import { availableUntilMs } from '../../platform/text/available-until';
import { awaitPendingTurn } from '../take-interview';
import type { DecisionDeps } from '../take-interview';
import { takingTexts } from '../texts';
import type { TakingTexts } from '../texts';
import type { CallHeader, EntryPoint } from './entry-point';
import type { RefusedMessage } from './message-input';

/** The candidate's link that a request uses, and everything that the page shows. */
export type InterviewVisit = {
  link: LinkCredential;
  caller: LinkCaller;
  interview: LinkedInterview;
  /** Null before an attempt begins, and when the link can no longer read the attempt. */
  attempt: AttemptRow | null;
  surroundings: LinkContext;
  /** What the start page shows about the job. `markup` is its long description. Null once an attempt has begun. */
  job: (LinkedJob & { markup: string | undefined }) | null;
  /** The language of the page. */
  language: LanguageCode;
  texts: TakingTexts;
  /** `view_hm` of the link hides the menu of the page. `view_hi` hides the header too. */
  view: { hasMenu: boolean; hasHeader: boolean };
  /** Texts that the candidate sent and that were not stored. The page shows them again. */
  unsent?: readonly string[];
  /** True if the form that began the attempt had a résumé and was not accepted. */
  sentResume?: boolean;
  isEmbedded: boolean;
  callHeader: CallHeader;
  /** A message that was not accepted. Its form shows what was wrong and keeps what was sent. */
  refusedMessage?: RefusedMessage;
  /** Where the page opens a live conversation, with a token of `live-token`. Null if answers are only recorded and sent. */
  live: { url: string } | null;
  /** Returns the address of one of the interview's pages or forms. `note` names a message for the next page. */
  address: (action?: string, note?: NoteKey) => string;
};

/** The messages that a page can show after a form was sent. */
const notes = [
  'already_answered',
  'time_over',
  'saved',
  'error_form',
  'sent',
  'sent_before',
  'message_limit',
  'resume_without_text',
] as const;
export type NoteKey = (typeof notes)[number];

/** Returns the message that the address of a page names. */
export const noteOf = (request: Request): NoteKey | undefined =>
  notes.find((note) => note === request.query['note']);

export type VisitDeps = Pick<
  OperationDeps,
  'database' | 'links' | 'objects' | 'temporal' | 'queues' | 'metrics' | 'decisions' | 'liveOrigin'
> & {
  isHttps: boolean;
  portalOrigin: string;
  pages: Pick<MarkdownCompiler, 'compile'>;
  entryPoint: EntryPoint;
};

/** Returns the address of one of an interview's pages, with the parameters of the link that change how it looks. */
export function pageAddress(entryPoint: EntryPoint, request: Request, action = '', note?: NoteKey): string {
  const query = new URLSearchParams();
  for (const name of ['view_hm', 'view_hi']) if (request.query[name] === 'true') query.set(name, 'true');
  if (note) query.set('note', note);
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return `${entryPoint.pathOf(request)}/${action}${search}`;
}

/**
 * Opens the link whose token is in the browser's cookie. Returns undefined if there is no token, or if it belongs to
 * no existing link. Also opens links that have ended.
 */
export async function openInterviewVisit(
  { links, isHttps, portalOrigin, pages, entryPoint, liveOrigin, ...deps }: VisitDeps,
  request: Request,
  operation: string,
): Promise<InterviewVisit | undefined> {
  const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
  noteFacts(request, { operation, profileId: null, meter });
  for (const token of entryPoint.tokensOf(request, isHttps)) {
    const opened = await entryPoint.open(links, request, token);
    if (!opened) continue;
    const link = { ...opened, domain: portalDomainOf(request, portalOrigin) };
    const caller = linkCaller(link, meter);
    const found = await readSettled(deps, caller);
    if (!found) continue;
    if (!link.isExpired || found.attempt) refundPoint(request, linkLimitKey(token));
    const job = found.job && {
      ...found.job,
      markup: await compileLong(pages, link.interviewId, found.surroundings.merchant_id, found.job),
    };
    const isLive = found.interview.is_spoken && found.attempt?.state === 'running';
    const live = isLive && liveOrigin !== undefined ? { url: liveOrigin } : null;
    return describe(entryPoint, request, { link, caller, ...found, job, live });
  }
  return undefined;
}

/**
 * Reads the interview and the attempt. If the next turn has not been decided yet, waits for the decision and then
 * reads both again.
 */
async function readSettled(deps: DecisionDeps, caller: LinkCaller) {
  const found = await read(deps.database, caller);
  if (found?.attempt?.state !== 'running' || found.attempt.turn) return found;
  await awaitPendingTurn(deps, caller);
  return read(deps.database, caller);
}

/** Compiles the long description. If it is not ready in time, the page is shown without it. */
const compileLong = (
  pages: Pick<MarkdownCompiler, 'compile'>,
  interviewId: string,
  merchantId: string,
  { description_long: long }: LinkedJob,
): Promise<string | undefined> =>
  long === null
    ? Promise.resolve(undefined)
    : compileDescription(pages, interviewId, merchantId, long).catch(() => undefined);

const read = (database: Database, caller: InterviewVisit['caller']) =>
  database
    .read(caller, async (trx) => {
      const interview = await trx.maybeOne(findLinkedInterview);
      const view = await trx.maybeOne(getAttempt);
      const surroundings = await trx.one(findLinkContext);
      const job = view?.attempt ? undefined : await trx.maybeOne(findLinkedJob);
      return interview && { interview, attempt: view?.attempt ?? null, surroundings, job: job ?? null };
    })
    .catch((error: unknown) => {
      if (isCredentialError(error)) return undefined;
      throw error;
    });

function describe(
  entryPoint: EntryPoint,
  request: Request,
  found: Pick<InterviewVisit, 'link' | 'caller' | 'interview' | 'attempt' | 'surroundings' | 'job' | 'live'>,
): InterviewVisit {
  const language = found.attempt?.platform_language_code ?? found.interview.platform_language_code;
  const hasHeader = request.query['view_hi'] !== 'true';
  return {
    ...found,
    language,
    texts: takingTexts(language, found.interview.is_practice),
    view: { hasHeader, hasMenu: hasHeader && request.query['view_hm'] !== 'true' },
    isEmbedded: entryPoint.isEmbedded,
    callHeader: entryPoint.callHeaderOf(request),
    address: (action, note) => pageAddress(entryPoint, request, action, note),
  };
}

/**
 * `open` if an attempt can begin with the link, otherwise the reason why none can begin. Only the reason `not_open`
 * is temporary.
 */
export type LinkState = 'open' | 'not_open' | 'ended' | 'closed' | 'over' | 'link_expired';

/** Returns the state of a link (docs/people.md#links). `now` is in milliseconds since 1970. */
export function linkState(
  { link, interview }: Pick<InterviewVisit, 'link' | 'interview'>,
  now: number,
): LinkState {
  if (link.generation < interview.link_generation) return 'ended';
  if (['archived', 'completed', 'deleted'].includes(interview.status)) return 'closed';
  const till = interview.interview_available_till;
  if (till !== null && availableUntilMs(till) <= now) return 'over';
  if (link.isExpired) return 'link_expired';
  return interview.status === 'active' || link.isTest ? 'open' : 'not_open';
}
