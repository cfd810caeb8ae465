import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { isCredentialError } from '../../../db/platform/database';
import type { AvatarCaller, LiveCaller, RequestMeter } from '../../../db/platform/database';
import { answerTurn, getAttempt } from '../../../db/taking/attempts';
import type { AttemptRow } from '../../../db/taking/attempts';
import { findAvatarPage, openVisit, setVisitMode } from '../../../db/taking/visits';
import type { AvatarPage } from '../../../db/taking/visits';
import type { OperationDeps } from '../../deps';
import { refundPoint } from '../../platform/http/address-limit';
import { noteFacts } from '../../platform/http/request-log';
import { portalDomainOf } from '../../platform/portal/portal-domain';
import { linkLimitKey } from '../../platform/portal/visitor-credential';
import { languageTexts } from '../../platform/text/language-texts';
import { awaitDecision, maxDecisionMs } from '../decide-next';
import type { AvatarEntryPoint } from './avatar-entry-point';

export type AvatarDeps = Pick<
  OperationDeps,
  'database' | 'links' | 'objects' | 'temporal' | 'queues' | 'metrics' | 'decisions' | 'liveOrigin'
> & { isHttps: boolean; portalOrigin: string; entryPoint: AvatarEntryPoint };

/** A public avatar, and the visit of the browser that opened it. */
export type AvatarVisit = {
  caller: Extract<LiveCaller, { kind: 'avatar_visit' }>;
  page: AvatarPage;
  /** Null before the visitor asks the first question. */
  attempt: AttemptRow | null;
  /** True if the browser sent the cookie of a visit. */
  hasCookie: boolean;
  path: string;
};

/**
 * Opens the public avatar at this address with the visit of the browser. A browser without one gets a cookie with the id of
 * a visit that has not begun. Returns undefined if there is no page, and null if something else may be at this address.
 */
export async function openAvatarVisit(
  deps: AvatarDeps,
  request: Request,
  response: Response,
  operation: string,
): Promise<AvatarVisit | undefined | null> {
  const { links, entryPoint, isHttps, portalOrigin } = deps;
  const avatar = entryPoint.avatarOf(request, response);
  if (!avatar) return null;
  const path = entryPoint.pathOf(request);
  const meter: RequestMeter = { databaseMs: 0, merchantId: null, callerId: null };
  noteFacts(request, { operation, profileId: null, meter });
  const domain = portalDomainOf(request, portalOrigin);
  let known: { token: string; visitId: string } | undefined;
  for (const token of entryPoint.tokensOf(request, isHttps)) {
    const visitId = await links.openVisitToken(token, path);
    if (visitId !== undefined) known ??= { token, visitId };
  }
  const visitId = known?.visitId ?? randomUUID();
  const caller = { kind: 'avatar_visit', avatar, visitId, domain, meter } as const;
  const found = await readSettled(deps, caller);
  if (!found) return undefined;
  if (known && found.attempt) refundPoint(request, linkLimitKey(known.token));
  if (!known) entryPoint.keepToken(request, response, await links.visitToken(visitId, path), isHttps);
  return { ...found, caller, path, hasCookie: known !== undefined };
}

/** Gives the browser another visit, so that its next question begins a new conversation. */
export async function startOver(deps: AvatarDeps, request: Request, response: Response): Promise<void> {
  const token = await deps.links.visitToken(randomUUID(), deps.entryPoint.pathOf(request));
  deps.entryPoint.keepToken(request, response, token, deps.isHttps);
}

/**
 * Stores a question and waits for the reply. `turnId` is the turn that the visitor's page showed, and undefined for the first
 * question, which begins the visit. Returns false if the question was not stored, for example because another window of
 * the browser has asked meanwhile.
 */
export async function askAvatar(
  deps: AvatarDeps,
  { caller, page, attempt }: AvatarVisit,
  question: string,
  turnId: string | undefined,
): Promise<boolean> {
  const answer = { kind: 'text', text: question, recordingId: null, durationMs: null } as const;
  const stored = await deps.database.write(caller, async (trx) => {
    const turn = turnId ?? (await trx.one(openVisit(greetingOf(page)))).turn_id;
    // A visitor who talked may type on.
    if (attempt?.turn?.answer.mode === 'voice') await trx.rows(setVisitMode('text'));
    return turn === null ? undefined : { turn, ...(await trx.one(answerTurn(turn, answer))) };
  });
  if (!stored?.attempt || !['stored', 'same'].includes(stored.outcome)) return false;
  if (stored.needs_decision)
    await awaitReply(deps, caller, page, stored.attempt, { turnId: stored.turn, waitedMs: 0 });
  return true;
}

/**
 * Lets the visitor talk, and begins the visit if it has not begun. Returns false if it cannot begin: the avatar is closed, or no
 * credits are left.
 */
export const beginTalking = (
  { database }: Pick<AvatarDeps, 'database'>,
  { caller, page }: AvatarVisit,
): Promise<boolean> =>
  database.write(caller, async (trx) => {
    const { turn_id } = await trx.one(openVisit(greetingOf(page)));
    if (turn_id !== null) await trx.rows(setVisitMode('voice'));
    return turn_id !== null;
  });

const greetingOf = ({ platform_language_code: language }: AvatarPage): string =>
  languageTexts[language].spoken.avatar_prompt;

/** Reads the page and the visit. If the avatar has not replied yet, waits for the reply and then reads both again. */
async function readSettled(deps: AvatarDeps, caller: AvatarCaller) {
  const found = await read(deps, caller);
  if (!found || found.undecided === null || !found.attempt) return found;
  await awaitReply(deps, caller, found.page, found.attempt, found.undecided);
  return read(deps, caller);
}

const read = ({ database }: AvatarDeps, caller: AvatarCaller) =>
  database
    .read(caller, async (trx) => {
      const page = await trx.one(findAvatarPage);
      const { attempt, undecided_turn: turnId, undecided_ms: waitedMs } = await trx.one(getAttempt);
      return { page, attempt, undecided: turnId === null ? null : { turnId, waitedMs: waitedMs ?? 0 } };
    })
    .catch((error: unknown) => {
      if (isCredentialError(error)) return undefined;
      throw error;
    });

/** Waits for the reply until 12 seconds after the question. If there is none by then, the avatar asks to try again. */
async function awaitReply(
  deps: AvatarDeps,
  caller: AvatarCaller,
  page: AvatarPage,
  { result_id: resultId, attempt }: AttemptRow,
  { turnId, waitedMs }: { turnId: string; waitedMs: number },
): Promise<void> {
  const { avatar_busy: fallbackReply } = languageTexts[page.platform_language_code].spoken;
  await awaitDecision(deps, caller, { resultId, attempt, turnId, fallbackReply }, maxDecisionMs - waitedMs);
}
