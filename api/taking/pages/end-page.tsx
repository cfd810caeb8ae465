import type { Response } from 'express';
import { portalTexts } from '../../platform/portal/texts';
import { availableUntil } from '../../platform/text/available-until';
import type { TakingText } from '../texts';
import { FocusedHeading, NoteLine, sendInterviewPage } from './layout';
import { Consent } from './start-page';
import type { LinkState, NoteKey, InterviewVisit } from './visit';

/** Shows why no attempt can begin with the link. A person who holds an old link does not see the candidate's name. */
export function sendClosedLink(
  response: Response,
  visit: InterviewVisit,
  state: Exclude<LinkState, 'open'>,
): void {
  const { interview, link } = visit;
  // The texts of these pages exist in every language of the platform, so the language of the interview is used.
  const language = interview.platform_language_code;
  const texts = portalTexts(language, interview.is_practice);
  const merchant = interview.merchant_name;
  const date = availableUntil(interview.interview_available_till) ?? link.expiresAt;
  const isLive = state === 'not_open';
  sendInterviewPage(response, visit, {
    title: interview.interview_name,
    hasHeader: false,
    status: isLive ? 200 : 410,
    language,
    content: (
      <>
        <FocusedHeading>{interview.interview_name}</FocusedHeading>
        <p>{texts('heading', { merchant })}</p>
        {interview.candidate_name !== null && isLive && (
          <p class="soft">{texts('for_person', { name: interview.candidate_name })}</p>
        )}
        <p class="state">{texts(state, { merchant, date })}</p>
      </>
    ),
  });
}

const reasons: Record<string, TakingText> = {
  abandoned: 'closed_abandoned',
  'terminated, no speech detected': 'closed_no_speech',
  failed: 'closed_failed',
};

/** Shows why an attempt ended without a result, and asks for consent to another one if the link is still open. */
export function sendEndedAttempt(
  response: Response,
  visit: InterviewVisit,
  {
    canBegin,
    problem,
    note,
  }: { canBegin: boolean; problem?: TakingText | undefined; note?: NoteKey | undefined },
): void {
  const { texts, attempt, interview } = visit;
  const merchant = interview.merchant_name;
  const reason = reasons[attempt?.closed_reason ?? ''] ?? 'closed_failed';
  sendInterviewPage(response, visit, {
    title: texts('closed_title'),
    status: problem ? 422 : 200,
    content: (
      <>
        <FocusedHeading hasFocus={!problem}>{texts('closed_title')}</FocusedHeading>
        <p>{texts(reason)}</p>
        <NoteLine visit={visit} note={note} />
        {(!canBegin || interview.has_practice_left) && (
          <p>{texts(canBegin ? 'again' : 'none_left', { merchant })}</p>
        )}
        {canBegin && <Consent visit={visit} problem={problem} />}
      </>
    ),
  });
}

/**
 * Says that the form belongs to a different candidate than the link that was opened last. The page names neither
 * candidate.
 */
export function sendOtherCandidate(response: Response, visit: InterviewVisit): void {
  const { interview, texts } = visit;
  sendInterviewPage(response, visit, {
    title: interview.interview_name,
    hasHeader: false,
    status: 409,
    content: (
      <>
        <FocusedHeading>{interview.interview_name}</FocusedHeading>
        <p class="state">{texts('other_link')}</p>
      </>
    ),
  });
}
