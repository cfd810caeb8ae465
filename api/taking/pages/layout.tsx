import path from 'node:path';
import type { Response } from 'express';
import type { ComponentChildren, VNode } from 'preact';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { brandStyles, Logo } from '../../platform/portal/brand';
import { portalTexts } from '../../platform/portal/texts';
import { readAsset, readScript } from '../../platform/site/assets';
import { sendDocument } from '../../platform/site/document';
import { portalStyle } from '../../platform/site/site-assets';
import { htmlLanguage } from '../../platform/text/html';
import { videoAddress } from '../video-address';
import type { AppData } from './app-data';
import { TroubleHelp } from './trouble';
import { UnsentText } from './unsent-text';
import type { NoteKey, InterviewVisit } from './visit';

export const interviewStyle = readAsset('interview.css', [path.join(__dirname, 'interview.css')]);
/** The app of api/taking/app. */
export const interviewScript = readScript('interview.js');

type InterviewPage = {
  title: string;
  content: ComponentChildren;
  status?: number;
  /** The language of the page if it differs from the visit's. */
  language?: LanguageCode;
  /** If false, the page has no header, no candidate's name and no advice for trouble. */
  hasHeader?: boolean;
  /** True if the page shows images of other hosts. */
  hasImages?: boolean;
  /** If set, the app renders the content again in browsers that run scripts. */
  app?: AppData | undefined;
  /** The number of seconds after which the page reloads by itself. */
  reloadAfter?: number;
};

/**
 * Sends a page of a candidate's interview. Its referrer policy lets browsers send the origin with the page's forms,
 * but hides the page's address from other sites.
 */
export function sendInterviewPage(response: Response, visit: InterviewVisit, page: InterviewPage): void {
  const { interview, view, unsent, refusedMessage } = visit;
  const { title, content, status = 200, language = visit.language, reloadAfter, hasHeader = true } = page;
  response.setHeader('referrer-policy', 'same-origin');
  // A page with a text that was not stored does not reload, because the text would be lost.
  if (reloadAfter !== undefined && unsent === undefined) response.setHeader('refresh', String(reloadAfter));
  const { interview_name: name } = interview;
  sendDocument(response, {
    ...htmlLanguage(language),
    status: status === 200 && refusedMessage ? 422 : status === 200 && unsent !== undefined ? 409 : status,
    title: title === name ? name : `${title} – ${name}`,
    styles: [portalStyle, interviewStyle, ...brandStyles(interview)],
    scripts: page.app ? [interviewScript] : [],
    usesDevices: page.app !== undefined,
    mediaOrigins: videoOrigins(visit),
    connectOrigins: page.app?.live ? [new URL(page.app.live.url).origin] : [],
    hasImages: page.hasImages ?? false,
    body: (
      <main class={view.hasHeader ? 'interview' : 'interview bare'}>
        {view.hasHeader && <Logo {...interview} />}
        {view.hasHeader && hasHeader && (
          <header class="soft">
            <bdi>{interview.merchant_name}</bdi> <span aria-hidden="true">·</span> <bdi>{name}</bdi>
          </header>
        )}
        {hasHeader && <Candidate visit={visit} />}
        {unsent !== undefined && <UnsentText texts={visit.texts} unsent={unsent} />}
        <div id="app">{content}</div>
        {page.app && <PageData data={page.app} />}
        {hasHeader && view.hasMenu && visit.attempt && <TroubleHelp visit={visit} />}
      </main>
    ),
  });
}

/** Returns the origins of the videos of this attempt, so that browsers may load them: our own and an instructional one. */
const videoOrigins = ({ attempt }: InterviewVisit): string[] => {
  const video = attempt?.video ? videoAddress(attempt.video) : null;
  return [...(attempt ? ["'self'"] : []), ...(video ? [video.origin] : [])];
};

/** What the script of a page gets from the server. The element contains JSON, in which only `<` could end the element. */
export const PageData = ({ data }: { data: object }): VNode => (
  <script
    type="application/json"
    id="data"
    dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', String.raw`\u003c`) }}
  />
);

/** Says whose attempt this is, because several candidates may use one browser. */
function Candidate({ visit: { attempt, interview, language } }: { visit: InterviewVisit }): VNode | null {
  const { candidate_name: name } = interview;
  if (name === null || (attempt?.state !== 'running' && attempt?.state !== 'collected')) return null;
  return <p class="soft small">{portalTexts(language)('for_person', { name })}</p>;
}

/** The heading of a page. It has the focus when the page opens, so that screen readers read it first. */
export const FocusedHeading = ({
  children,
  hasFocus = true,
}: {
  children: ComponentChildren;
  hasFocus?: boolean;
}) => (
  <h1 tabindex={-1} autofocus={hasFocus}>
    {children}
  </h1>
);

/** The message about the form that was sent last, if there is one. */
export const NoteLine = ({
  visit,
  note,
}: {
  visit: InterviewVisit;
  note: NoteKey | undefined;
}): VNode | null =>
  note ? (
    <p class="note" role="status">
      {visit.texts(note, { merchant: visit.interview.merchant_name })}
    </p>
  ) : null;
