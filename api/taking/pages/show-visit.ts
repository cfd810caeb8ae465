import type { Response } from 'express';
import type { TakingText } from '../texts';
import { sendClosedLink, sendEndedAttempt } from './end-page';
import { sendSubmittedPage } from './result-page';
import { sendReviewPage } from './review-page';
import { sendStartPage } from './start-page';
import { sendTurnPage, sendWaitingPage } from './turn-page';
import { linkState } from './visit';
import type { Note, Visit } from './visit';

/** Answers are accepted for this many milliseconds after the deadline. */
const graceMs = 30_000;

export const isRunning = ({ attempt }: Visit): boolean => attempt?.state === 'running';

/**
 * Shows where the interview stands. An attempt that has begun goes on although its link has expired or the interview was
 * closed. `problem` is what was wrong with the form that begins an attempt.
 */
export function showVisit(
  response: Response,
  visit: Visit,
  { note, problem }: { note?: Note | undefined; problem?: TakingText | undefined } = {},
): void {
  const { attempt, interview, link } = visit;
  const state = linkState(visit, Date.now());
  const canBegin = state === 'open' && interview.can_begin;
  switch (attempt?.state) {
    case 'running': {
      const isOver = Date.parse(attempt.deadline_at ?? '') + graceMs < Date.now();
      if (isOver) sendWaitingPage(response, visit, 'time_is_over', 10);
      else sendTurnPage(response, visit, { note });
      return;
    }
    case 'collected':
      sendReviewPage(response, visit, { note });
      return;
    case 'submitted':
      if (link.isExpired) sendClosedLink(response, visit, 'link_expired');
      else sendSubmittedPage(response, visit, { canBegin, problem });
      return;
    default:
      if (state !== 'open') sendClosedLink(response, visit, state);
      else if (attempt) sendEndedAttempt(response, visit, { canBegin, problem, note });
      else sendStartPage(response, visit, { problem, note });
  }
}
