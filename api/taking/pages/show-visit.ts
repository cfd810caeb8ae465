import type { Response } from 'express';
import { graceMs } from '../grace';
import type { TakingText } from '../texts';
import { sendClosedLink, sendEndedAttempt } from './end-page';
import { sendSubmittedPage } from './result-page';
import { sendReviewPage } from './review-page';
import { sendStartPage } from './start-page';
import { sendTurnPage, sendWaitingPage } from './turn-page';
import { linkState } from './visit';
import type { NoteKey, InterviewVisit } from './visit';

/**
 * This many milliseconds after the deadline, the worker has closed every attempt except those that wait for a
 * recording.
 */
const closedMs = 60_000;
/** A recording that began in time is accepted for this many milliseconds after the deadline. */
const recordingMs = 600_000;

/** Says that the time is over, and how long the attempt may still wait for a recording that is being sent. */
function sendTimeIsOver(response: Response, visit: InterviewVisit, lateMs: number): void {
  if (lateMs < closedMs) sendWaitingPage(response, visit, 'time_is_over', 15);
  else {
    const minutes = Math.ceil((recordingMs - lateMs) / 60_000);
    sendWaitingPage(response, visit, 'time_is_over', 60, minutes > 0 ? minutes : undefined);
  }
}

export const isAttemptRunning = ({ attempt }: InterviewVisit): boolean => attempt?.state === 'running';

/**
 * Shows the page for the current state of the interview. An attempt that has begun continues after its link has
 * expired or the interview was closed. `problem` is what was wrong with the form that begins an attempt.
 */
export function showVisit(
  response: Response,
  visit: InterviewVisit,
  { note, problem }: { note?: NoteKey | undefined; problem?: TakingText | undefined } = {},
): void {
  const { attempt, interview, link } = visit;
  const state = linkState(visit, Date.now());
  const canBegin = state === 'open' && interview.can_begin;
  switch (attempt?.state) {
    case 'running': {
      const lateMs = Date.now() - Date.parse(attempt.deadline_at ?? '');
      if (lateMs > graceMs) sendTimeIsOver(response, visit, lateMs);
      else sendTurnPage(response, visit, { note });
      return;
    }
    case 'collected':
      sendReviewPage(response, visit, { note });
      return;
    case 'submitted':
      if (link.isExpired) sendClosedLink(response, visit, 'link_expired');
      else sendSubmittedPage(response, visit, { isOpen: state === 'open', canBegin, problem, note });
      return;
    default:
      if (state !== 'open') sendClosedLink(response, visit, state);
      else if (attempt) sendEndedAttempt(response, visit, { canBegin, problem, note });
      else sendStartPage(response, visit, { problem, note });
  }
}
