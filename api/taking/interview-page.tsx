import type { Request, RequestHandler, Response } from 'express';
import { availableUntil, availableUntilMs } from '../platform/text/available-until';
import type { InterviewLink, Links, Opened } from '../../db/platform/link-tokens';
import { findLinkedInterview } from '../../db/taking/linked-interview';
import type { LinkedInterview } from '../../db/taking/linked-interview';
import { isCredentialError } from '../../db/platform/database';
import type { Database, Meter } from '../../db/platform/database';
import { noteProven } from '../platform/http/address-limit';
import { noteFacts } from '../platform/http/request-log';
import { sendInvalidLink } from '../platform/portal/notice';
import { linkCredential } from '../platform/portal/visitor-credential';
import { sendPage } from '../platform/portal/page';
import { portalTexts } from '../platform/portal/texts';

/** `open` if the interview can be taken with the link, otherwise the reason why not. The last five states are final. */
type LinkState = 'open' | 'not_open' | 'ended' | 'closed' | 'over' | 'link_expired' | 'invalid';

/** Returns the state of a link whose signature is valid (docs/people.md#links). `now` is in milliseconds since 1970. */
function validateLink(
  link: Opened<InterviewLink>,
  interview: LinkedInterview | undefined,
  now: number,
): LinkState {
  if (interview?.interview_id !== link.interviewId || link.generation > interview.link_generation)
    return 'invalid';
  if (link.generation < interview.link_generation) return 'ended';
  if (['archived', 'completed', 'deleted'].includes(interview.status)) return 'closed';
  const till = interview.interview_available_till;
  if (till !== null && availableUntilMs(till) <= now) return 'over';
  if (link.isExpired) return 'link_expired';
  return interview.status === 'active' || link.isTest ? 'open' : 'not_open';
}

/**
 * `GET /interview/take/<interview id>/?interview_token=…`: shows the candidate's name and the state of the interview.
 */
export function interviewPage({ database, links }: { database: Database; links: Links }): RequestHandler {
  return async (request, response) => {
    const meter: Meter = { databaseMs: 0, merchantId: null, callerId: null };
    noteFacts(request, { operation: 'interview-page', profileId: null, meter });
    const token = request.query['interview_token'];
    const link = typeof token === 'string' ? await links.openInterviewLink(token) : undefined;
    if (
      typeof token !== 'string' ||
      !link ||
      link.interviewId !== String(request.params['interview_id']).toLowerCase()
    ) {
      sendInvalidLink(request, response);
      return;
    }
    if (!link.isExpired) noteProven(request, linkCredential(token));
    const { enrolmentId, interviewId, generation, isTest } = link;
    const [interview] = await database
      .query(
        { kind: 'interview_link', enrolmentId, interviewId, generation, isTest, meter },
        findLinkedInterview,
      )
      .catch((error: unknown) => {
        if (isCredentialError(error)) return [];
        throw error;
      });
    sendState(request, response, link, interview);
  };
}

function sendState(
  request: Request,
  response: Response,
  link: Opened<InterviewLink>,
  interview: LinkedInterview | undefined,
): void {
  const state = validateLink(link, interview, Date.now());
  if (!interview || state === 'invalid') {
    sendInvalidLink(request, response);
    return;
  }
  const language = interview.platform_language_code;
  const texts = portalTexts(language);
  const merchant = interview.merchant_name;
  const till = interview.interview_available_till;
  const title = texts('heading', { merchant });
  const end = availableUntil(till);
  // The end of the interview may have changed since the link was created.
  const date = end !== null && (state === 'over' || end < link.expiresAt) ? end : link.expiresAt;
  const isLive = state === 'open' || state === 'not_open';
  sendPage(response, isLive ? 200 : 410, {
    language,
    title,
    content: (
      <>
        <h1>{interview.interview_name}</h1>
        <p>{title}</p>
        {/* An expired link must not reveal anything about the person. */}
        {interview.candidate_name !== null && isLive && (
          <p class="soft">{texts('for_person', { name: interview.candidate_name })}</p>
        )}
        <p class="state">{texts(state, { merchant, date })}</p>
        {state === 'open' && <p class="soft">{texts('valid_until', { date })}</p>}
        {state === 'open' && link.isTest && <p class="soft">{texts('test_note')}</p>}
      </>
    ),
  });
}
