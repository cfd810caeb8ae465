import type { RequestHandler } from 'express';
import { Html, html } from '../contracts/html';
import { uuid } from '../contracts/vocabulary';
import { findPortalSession } from '../../db/portal-catalogue';
import type { PortalSession } from '../../db/portal-catalogue';
import type { Database } from '../../db/scope';
import { catalogueElements, cover } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';
import { renderMarkdown } from './markdown';
import { sendMissingPage } from './notice';
import { portalTexts } from './texts';

/** `GET /session/<interview id>`: a session of the catalogue, what it is about and how long it takes. */
export function sessionPage({ database, visits }: { database: Database; visits: Visits }): RequestHandler {
  return async (request, response) => {
    const visit = await visits.open(request, 'session-page');
    const id = uuid.safeParse(request.params['interview_id']);
    const [session] = id.success
      ? await database.queryAsCaller<PortalSession>(visit, findPortalSession(id.data))
      : [];
    if (!session) {
      sendMissingPage(request, response);
      return;
    }
    const language = session.platform_language_code;
    const completed = new Set(session.is_completed ? [session.id] : []);
    const elements = catalogueElements(language, completed, session.is_learner);
    const text = session.interview_description_long ?? session.description ?? '';
    sendCataloguePage(response, session, {
      language,
      title: session.name,
      content: html`<div class="head">
          <div>
            <h1 dir="auto">${session.name}</h1>
            ${elements.sessionFacts(session, language)}
          </div>
          ${cover(session.cover_image_url)}
        </div>
        <p class="callout accent">${portalTexts(language)('session_later')}</p>
        <div class="prose" dir="auto">${new Html(renderMarkdown(text))}</div>`,
    });
  };
}
