import { randomUUID } from 'node:crypto';
import type { LinkCaller, LiveCaller } from '../../db/platform/database';
import type { Statement } from '../../db/platform/statement';
import type { LanguageCode } from '../../db/platform/vocabulary';
import {
  answerTurn as answerStatement,
  beginAttempt as beginStatement,
  editAnswer,
  finishAttempt as finishStatement,
  getAttempt,
  submitAttempt as submitStatement,
} from '../../db/taking/attempts';
import type { GivenAnswer, AnswerOutcome, AttemptRow } from '../../db/taking/attempts';
import { setDraft, withdrawTurn as withdrawStatement } from '../../db/taking/live';
import type { OperationDeps } from '../deps';
import { ApiError } from '../platform/operation/api-error';
import type { ErrorCode } from '../platform/operation/error-codes';
import { languageTexts } from '../platform/text/language-texts';
import { toAttempt } from './attempt-fields';
import type { Attempt } from './attempt-fields';
import { currentConsentVersion } from './consent-version';
import { awaitDecision, maxDecisionMs, resumeDecision } from './decide-next';
import type { AnsweredTurn } from './decide-next';

/*
 * The portal's operations and pages use these functions to change or read a candidate's attempt (docs/taking.md). All
 * of the functions can be repeated, and throw an `ApiError`. The `details` of a 409 or 410 contain the current
 * attempt, if there is one.
 */

type Deps = Pick<OperationDeps, 'database'>;
/** The dependencies of the functions that may have to wait for the decision about the next turn. */
export type DecisionDeps = Pick<OperationDeps, 'database'> & Parameters<typeof awaitDecision>[0];

/**
 * Begins the candidate's next attempt, or returns the running attempt. Throws 409 if no attempt or no practice session
 * is left, and 410 if the link has ended.
 */
export async function beginAttempt(
  { database }: Deps,
  caller: LinkCaller,
  { consentVersion, language }: { consentVersion: string; language: LanguageCode | null },
): Promise<Attempt> {
  if (consentVersion !== currentConsentVersion) return findRunning({ database }, caller);
  const { outcome, attempt } = await run(database, caller, beginStatement({ consentVersion, language }));
  if (outcome === 'submitted') throw refusal('state_conflict', 'You have submitted this interview.', attempt);
  if (outcome === 'none_left')
    throw refusal('state_conflict', 'The attempt has ended, and no further one is left.', attempt);
  if (outcome === 'no_practice_left')
    throw refusal('state_conflict', 'Your organization has no practice sessions left this month.', attempt);
  if (outcome === 'closed' || !attempt) throw ended(attempt);
  return toAttempt(attempt);
}

/**
 * Returns the attempt in progress. A candidate who consented to an earlier version of the consent text may finish
 * this attempt, but may not begin another attempt.
 */
async function findRunning({ database }: Deps, caller: LinkCaller): Promise<Attempt> {
  const [found] = await database.query(caller, getAttempt);
  const attempt = found?.attempt;
  if (attempt?.state === 'running' || attempt?.state === 'collected') return toAttempt(attempt);
  throw Object.assign(
    new ApiError(
      'state_conflict',
      'The text of the consent has changed. Show the current one.',
      'consent_version',
    ),
    { details: [{ consent_version: currentConsentVersion }] },
  );
}

/**
 * Returns the attempt. If the decision about the next turn was lost, asks for it again or goes on without it. Throws
 * 404 before the attempt begins, and 410 if the link has ended.
 */
export async function readAttempt(deps: DecisionDeps, caller: LiveCaller): Promise<Attempt> {
  const [found] = await deps.database.query(caller, getAttempt);
  if (!found?.attempt) throw found?.is_ended ? ended(null) : notBegun();
  const { attempt, undecided_turn: turnId, undecided_ms: waitedMs } = found;
  if (turnId === null) return toAttempt(attempt);
  return toAttempt(
    (await resumeDecision(deps, caller, decisionAfter(caller, turnId, attempt), waitedMs ?? 0)) ?? attempt,
  );
}

/**
 * Stores the answer of a turn and returns the attempt with the next turn. Throws 404 for a turn of another attempt,
 * 422 for an answer that the turn does not take, and 409 if the turn has another answer already or the time is over.
 */
export async function answerTurn(
  deps: DecisionDeps,
  caller: LinkCaller,
  turnId: string,
  answer: GivenAnswer,
): Promise<Attempt> {
  return awaitTurnAfter(deps, caller, await storeAnswer(deps, caller, turnId, answer));
}

/** An answer that is stored. `decision` is null if the next turn needs none. */
type Stored = { attempt: AttemptRow; decision: AnsweredTurn | null };

/**
 * Stores the answer of a turn without waiting for the next one. An answer with a `draft` was given live. Its recording may
 * still be uploaded, and the draft stands for its words until they are transcribed: only the live process knows one
 * (docs/live.md#answers).
 */
export async function storeAnswer(
  { database }: Deps,
  caller: LiveCaller,
  turnId: string,
  answer: GivenAnswer,
  draft?: string,
): Promise<Stored> {
  const { recordingId } = answer;
  const [outcome] = await database.write(caller, async (trx) => {
    if (draft !== undefined && recordingId !== null) await trx.count(setDraft(turnId, recordingId, draft));
    return trx.last(answerStatement(turnId, answer));
  });
  if (!outcome?.attempt) throw await whyMissing({ database }, caller);
  if (outcome.outcome !== 'stored' && outcome.outcome !== 'same') throw whyNotStored(turnId, answer, outcome);
  const { needs_decision, attempt } = outcome;
  if (!needs_decision) return { attempt, decision: null };
  const isRecorded = answer.kind === 'recording' && draft === undefined;
  // A turn that was opened again is decided again, and Temporal decides once for each id.
  const round = draft === undefined ? {} : { round: randomUUID() };
  return { attempt, decision: { ...decisionAfter(caller, turnId, attempt), isRecorded, ...round } };
}

/** Waits for the turn after a stored answer, and returns the attempt with it. */
export async function awaitTurnAfter(
  deps: DecisionDeps,
  caller: LiveCaller,
  { attempt, decision }: Stored,
): Promise<Attempt> {
  return toAttempt(decision ? ((await awaitDecision(deps, caller, decision)) ?? attempt) : attempt);
}

/**
 * Opens an answered turn again, because the candidate goes on talking. Returns the attempt, and false if it was too late
 * for that. Throws 410 if the link has ended.
 */
export async function withdrawTurn(
  { database }: Deps,
  caller: LiveCaller,
  turnId: string,
): Promise<{ isWithdrawn: boolean; attempt: Attempt }> {
  const { outcome, attempt } = await run(database, caller, withdrawStatement(turnId));
  if (!attempt) throw await whyMissing({ database }, caller);
  // A call that is repeated, because its reply was lost, finds the turn open.
  const isWithdrawn = outcome === 'withdrawn' || attempt.turn?.turn_id === turnId;
  return { isWithdrawn, attempt: toAttempt(attempt) };
}

/**
 * If the next turn is being decided, waits for the decision until 12 seconds after the answer. If there is no
 * decision by then, the interview goes on without it.
 */
export async function awaitPendingTurn(deps: DecisionDeps, caller: LinkCaller): Promise<void> {
  const [found] = await deps.database.query(caller, getAttempt);
  const { attempt = null, undecided_turn: turnId = null, undecided_ms: waitedMs = null } = found ?? {};
  if (!attempt || turnId === null) return;
  const decision = decisionAfter(caller, turnId, attempt);
  await awaitDecision(deps, caller, decision, maxDecisionMs - (waitedMs ?? 0));
}

const decisionAfter = (
  { kind }: LiveCaller,
  turnId: string,
  { result_id, attempt, platform_language_code: language }: AttemptRow,
): AnsweredTurn => ({
  resultId: result_id,
  attempt,
  turnId,
  ...(kind === 'avatar_visit' ? { fallbackReply: languageTexts[language].spoken.avatar_busy } : {}),
});

function whyNotStored(turnId: string, { kind }: GivenAnswer, { outcome, attempt }: AnswerOutcome): ApiError {
  switch (outcome) {
    case 'unknown_turn':
      return unknownTurn();
    case 'invalid': {
      const field = kind === 'recording' ? 'recording_id' : kind;
      const mode = attempt?.turn?.turn_id === turnId ? attempt.turn.answer.mode : undefined;
      if (kind === 'choice' && mode === 'choice')
        return new ApiError('invalid_value', 'choice must be one of the choices of the turn.', field);
      if (kind === 'text' && mode === 'video')
        return new ApiError(
          'not_applicable',
          'The answer to this turn has to be a video. Candidates who cannot record one ask the recruiter to let them type.',
          field,
        );
      return new ApiError('not_applicable', `${field} is not an answer that this turn takes.`, field);
    }
    case 'unknown_recording':
      return new ApiError(
        'unknown_id',
        'recording_id is not a completed recording of this turn.',
        'recording_id',
      );
    case 'conflict':
      return refusal('state_conflict', 'This turn already has another answer.', attempt);
    case 'late':
      return refusal('state_conflict', 'The time of the interview is over.', attempt);
    default:
      return refusal('state_conflict', 'The attempt takes no more answers.', attempt);
  }
}

/** Changes an answer before the submit. Throws 404 for an unknown turn, and 409 if its answer cannot be edited. */
export async function editTranscript(
  { database }: Deps,
  caller: LinkCaller,
  turnId: string,
  text: string,
): Promise<Attempt> {
  const { outcome, attempt } = await run(database, caller, editAnswer(turnId, text));
  if (!attempt) throw await whyMissing({ database }, caller);
  assertEdited(outcome, attempt);
  return toAttempt(attempt);
}

/**
 * Changes several answers in one transaction and, with `isSubmitted`, then submits the attempt. If one of the answers
 * cannot be edited, nothing is changed or submitted.
 */
export async function reviewAnswers(
  { database }: Deps,
  caller: LinkCaller,
  { edits, isSubmitted }: { edits: readonly { turnId: string; text: string }[]; isSubmitted: boolean },
): Promise<void> {
  await database.write(caller, async (trx) => {
    for (const { turnId, text } of edits) {
      const { outcome, attempt } = await trx.one(editAnswer(turnId, text));
      assertEdited(outcome, attempt);
    }
    if (!isSubmitted) return;
    const { outcome, attempt } = await trx.one(submitStatement);
    assertSubmitted(outcome, attempt);
  });
}

/** Ends the attempt before the last question. Throws 409 if nothing has been answered. */
export async function finishAttempt({ database }: Deps, caller: LinkCaller): Promise<Attempt> {
  const { outcome, attempt } = await run(database, caller, finishStatement);
  if (!attempt) throw await whyMissing({ database }, caller);
  if (outcome === 'no_answers')
    throw refusal('state_conflict', 'Answer at least one question before you finish.', attempt);
  if (outcome === 'not_running' && attempt.state === 'closed')
    throw refusal('state_conflict', 'The attempt has ended without answers.', attempt);
  return toAttempt(attempt);
}

/** Submits the answers. Throws 409 while the attempt is running, or if it ended without a result. */
export async function submitAttempt({ database }: Deps, caller: LinkCaller): Promise<Attempt> {
  const { outcome, attempt } = await run(database, caller, submitStatement);
  if (!attempt) throw await whyMissing({ database }, caller);
  assertSubmitted(outcome, attempt);
  return toAttempt(attempt);
}

function assertEdited(outcome: 'stored' | 'unknown_turn' | 'not_editable', attempt: AttemptRow | null): void {
  if (outcome === 'unknown_turn') throw unknownTurn();
  if (outcome === 'not_editable')
    throw refusal('state_conflict', 'This answer can no longer be edited.', attempt);
}

function assertSubmitted(outcome: 'submitted' | 'same' | 'not_collected', attempt: AttemptRow | null): void {
  if (outcome === 'not_collected')
    throw refusal(
      'state_conflict',
      'Answer all questions, or finish the attempt, before you submit it.',
      attempt,
    );
}

/** Runs a statement that changes an attempt. The statement and the commit are sent together. */
async function run<Row>(
  database: Deps['database'],
  caller: LiveCaller,
  statement: Statement<Row>,
): Promise<Row> {
  const [row] = await database.write(caller, (trx) => trx.last(statement));
  if (!row) throw new Error(`no row of ${statement.name}`);
  return row;
}

/** Returns the error that says why the caller's link has no attempt. */
async function whyMissing({ database }: Deps, caller: LiveCaller): Promise<ApiError> {
  const [found] = await database.query(caller, getAttempt);
  return found?.is_ended ? ended(null) : notBegun();
}

const refusal = (code: ErrorCode, message: string, attempt: AttemptRow | null): ApiError =>
  Object.assign(new ApiError(code, message), attempt ? { details: [toAttempt(attempt)] } : {});
const ended = (attempt: AttemptRow | null): ApiError =>
  refusal('link_closed', 'This interview has ended or no longer takes answers.', attempt);
const notBegun = (): ApiError => new ApiError('not_found', 'No attempt has begun. Call attempt-begin.');
export const unknownTurn = (): ApiError =>
  new ApiError('not_found', 'Your attempt has no turn with this turn_id.', 'turn_id');
