import type { RequestHandler, Response } from 'express';
import { findPortal } from '../../db/catalogue/portal-catalogue';
import { startPractice } from '../../db/catalogue/practice';
import type { Database } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { uuid } from '../platform/operation/vocabulary';
import { browserLanguage } from '../platform/portal/browser-language';
import { sendMissingPage } from '../platform/portal/notice';
import { portalTexts } from '../platform/portal/texts';
import { availableUntil } from '../platform/text/available-until';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';

type Deps = { database: Pick<Database, 'write'>; links: Pick<LinkTokens, 'interviewUrl'>; visits: Visits };

/**
 * `POST /session/<interview id>`: enrols the learner in the session if the learner is not enrolled yet, and redirects
 * to the learner's link to the interview. Opening the link stores its token in a cookie (docs/catalogue.md#practice).
 */
export function startSession({ database, links, visits }: Deps): RequestHandler {
  return async (request, response) => {
    const visit = await visits.open(request, 'session-start');
    const id = uuid.safeParse(request.params['interview_id']);
    if (!id.success) return sendMissingPage(request, response);
    const interviewId = id.data.toLowerCase();
    const { portal, started } = await database.write(visit, async (trx) => ({
      portal: await trx.maybeOne(findPortal),
      started: await trx.maybeOne(startPractice(interviewId)),
    }));
    if (!portal || !started) return sendMissingPage(request, response);
    const availableTill = availableUntil(started.interview_available_till);
    if (started.outcome !== 'open') {
      const language = browserLanguage(request);
      const date = started.outcome === 'over' ? availableTill : null;
      sendClosedSession(response, portal, language, date);
      return;
    }
    const { enrolment_id: enrolmentId, link_generation: generation } = started;
    const url = await links.interviewUrl(
      { enrolmentId, interviewId, generation, isTest: false },
      { availableTill, hideMenu: false, hideIframe: false, portalDomain: visit.domain },
    );
    response.set('cache-control', 'no-store').redirect(303, url);
  };
}

/** Says that the session accepts no learners. `till` is the end date of the session if that date has passed. */
function sendClosedSession(
  response: Response,
  portal: Parameters<typeof sendCataloguePage>[1],
  language: LanguageCode,
  till: Date | null,
): void {
  const texts = portalTexts(language, true);
  const title = till === null ? texts('closed') : texts('over', { date: till });
  sendCataloguePage(response, portal, { language, title, status: 410, content: <h1>{title}</h1> });
}
