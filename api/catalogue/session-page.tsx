import type { RequestHandler } from 'express';
import { findPortalSession } from '../../db/catalogue/portal-catalogue';
import type { Database } from '../../db/platform/database';
import { uuid } from '../platform/operation/vocabulary';
import { sendMissingPage } from '../platform/portal/notice';
import { catalogueElements, Cover } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';
import { compileDescription, CompiledDescription } from './job-details';
import type { MarkdownCompiler } from './markdown-pages';
import { PracticeBox } from './practice-box';

type Deps = {
  database: Pick<Database, 'query'>;
  pages: MarkdownCompiler;
  visits: Visits;
  portalOrigin: string;
};

/** `GET /session/<interview id>`: shows a session of the catalogue and the learner's progress in it. */
export function sessionPage({ database, pages, visits, portalOrigin }: Deps): RequestHandler {
  return async (request, response) => {
    const visit = await visits.open(request, 'session-page');
    const id = uuid.safeParse(request.params['interview_id']);
    const [session] = id.success ? await database.query(visit, findPortalSession(id.data)) : [];
    if (!session) return sendMissingPage(request, response);
    const language = session.platform_language_code;
    const completed = new Set(session.is_completed ? [session.id] : []);
    const elements = catalogueElements(language, completed, session.is_learner);
    const markdown = session.interview_description_long ?? session.description ?? '';
    const markup = await compileDescription(pages, session.id, session.merchant_id, markdown);
    sendCataloguePage(response, session, {
      language,
      title: session.name,
      formOrigins: [portalOrigin],
      content: (
        <>
          <div class="head">
            <div>
              <h1 dir="auto">{session.name}</h1>
              {elements.sessionFacts(session, language)}
            </div>
            <Cover url={session.cover_image_url} />
          </div>
          <PracticeBox session={session} />
          {markup === undefined ? elements.tooLong() : <CompiledDescription markup={markup} />}
        </>
      ),
    });
  };
}
