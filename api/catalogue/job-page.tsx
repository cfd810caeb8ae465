import type { Request, RequestHandler, Response } from 'express';
import type { VNode } from 'preact';
import { findJobPage } from '../../db/catalogue/jobs';
import type { JobPage } from '../../db/catalogue/jobs';
import type { Database } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { browserLanguage } from '../platform/portal/browser-language';
import { sendMissingPage } from '../platform/portal/notice';
import { portalTexts } from '../platform/portal/texts';
import { errorAttributes, FieldError } from '../platform/site/field-error';
import { availableUntil } from '../platform/text/available-until';
import { htmlLanguage } from '../platform/text/html';
import { writeDuration } from '../platform/text/text-reader';
import { privacyPath, recordedThings, takingTexts } from '../taking/public';
import { catalogueElements, Cover } from './catalogue-elements';
import { sendCataloguePage } from './catalogue-page';
import type { Visits } from './catalogue-visit';
import { compileDescription, JobFacts, CompiledDescription } from './job-details';
import { JobPostingHead } from './job-posting';
import type { MarkdownCompiler } from './markdown-pages';

export type JobDeps = {
  database: Pick<Database, 'query'>;
  pages: MarkdownCompiler;
  visits: Visits;
  links: Pick<LinkTokens, 'originOf'>;
};

/** An application that was not accepted: what was sent, and the text that says why, for each field or for the form. */
export type RejectedApplication = {
  status: number;
  /** After how many seconds the form may be sent again, if it was sent too often. */
  waitSeconds: number | undefined;
  sent: { name: string; email: string };
  problems: Partial<Record<'name' | 'email' | 'consent' | 'form', ApplyProblem>>;
};
type ApplyProblem = 'job_error_name' | 'job_error_email' | 'job_error_consent' | 'job_full' | 'job_limited';

/**
 * The version of the text `job_consent`, which is stored with every application. The box sends it, so that nobody agrees to
 * a text that has changed meanwhile. A changed text gets a new version.
 */
export const currentConsent = '2026-11-24';

/** Returns the language of the browser, or null for a program that states none and gets pages in the language of the job. */
export const requestedLanguage = (request: Request): LanguageCode | null =>
  request.headers['accept-language'] === undefined ? null : browserLanguage(request);

const maxSlugCharacters = 200;
/** Returns the slug in the address, or undefined if no job can have it. */
export function slugOf(request: Request): string | undefined {
  const slug = String(request.params['slug']);
  return slug.length <= maxSlugCharacters && /^[a-z0-9-]+$/.test(slug) ? slug : undefined;
}

/** `GET /jobs/<slug>`: shows a job and the form to apply for it (docs/catalogue.md#jobs). */
export const jobPage =
  (deps: JobDeps): RequestHandler =>
  (request, response) =>
    sendJobPage(deps, request, response);

/**
 * Sends the page of the job in the address, in the language of the browser. A job that takes no applications any more is a
 * 410, and one without a page a 404, like a slug that does not exist.
 */
export async function sendJobPage(
  { database, pages, visits, links }: JobDeps,
  request: Request,
  response: Response,
  refused?: RejectedApplication,
): Promise<void> {
  const slug = slugOf(request);
  const visit = visits.openJob(request, 'job-page', slug ?? '');
  const [found] = slug === undefined ? [] : await database.query(visit, findJobPage(slug));
  if (slug === undefined || !found) return sendMissingPage(request, response);
  // The name in the header leads to a catalogue only on the pages of the portal's own merchant.
  const job = visits.isOfHost(request, found.merchant_id) ? found : { ...found, start_directory: null };
  const language = requestedLanguage(request) ?? job.language;
  const texts = portalTexts(language);
  const isOpen = job.outcome === 'open';
  const long = job.description_long;
  const markup =
    long === null || !isOpen ? '' : await compileDescription(pages, job.id, job.merchant_id, long);
  const domain = job.portal_domain;
  // The merchant's own portal is the place of the page, also for those who see it on the deployment's portal.
  const origin = domain === visit.domain ? visits.originOf(request) : links.originOf(domain);
  const till = availableUntil(job.available_till);
  const isApplied = request.query['applied'] !== undefined;
  sendCataloguePage(response, job, {
    language,
    title: job.name,
    status: isOpen ? (refused?.status ?? 200) : 410,
    formOrigins: [],
    isIndexed: isOpen && job.is_listed,
    head: (
      <JobPostingHead
        job={job}
        company={job.company ?? texts('job_unnamed')}
        markup={markup}
        address={`${origin}/jobs/${slug}`}
      />
    ),
    content: (
      <>
        <div class="head">
          <div>
            <h1 dir="auto">{job.name}</h1>
            {isOpen && till !== null && <p class="soft">{texts('job_open_until', { date: till })}</p>}
            {isOpen && !isApplied && (
              <a class="button" href="#apply">
                {texts('job_apply')}
              </a>
            )}
          </div>
          {isOpen && <Cover url={job.cover_image_url} />}
        </div>
        {isOpen ? (
          <div class="job">
            <div {...htmlLanguage(job.language)}>
              {job.description && (
                <p class="lead lines" dir="auto">
                  {job.description}
                </p>
              )}
              {markup === undefined ? (
                catalogueElements(language, new Set(), false).tooLong()
              ) : (
                <CompiledDescription markup={markup} />
              )}
            </div>
            <div>
              <dl>
                <JobFacts job={job} language={language} />
              </dl>
              <WhatToExpect job={job} language={language} />
              {isApplied ? <Applied language={language} /> : <Apply {...{ job, slug, language, refused }} />}
            </div>
          </div>
        ) : (
          <p>{texts('job_closed')}</p>
        )}
      </>
    ),
  });
}

function WhatToExpect({ job, language }: { job: JobPage; language: LanguageCode }): VNode {
  const texts = portalTexts(language);
  const taking = takingTexts(language);
  const minutes = Math.ceil(job.max_seconds / 60);
  return (
    <section>
      <h2>{texts('job_expect')}</h2>
      <p>{taking('by_ai', { merchant: job.merchant_name })}</p>
      <dl>
        {job.step_count > 1 && (
          <>
            <dt>{texts('job_interviews')}</dt>
            <dd>{new Intl.NumberFormat(htmlLanguage(language).lang).format(job.step_count)}</dd>
          </>
        )}
        <dt>{taking('how_long')}</dt>
        <dd>{writeDuration(minutes, 'minute', language)}</dd>
        <dt>{taking('how_many')}</dt>
        <dd>{new Intl.NumberFormat(htmlLanguage(language).lang).format(job.question_count)}</dd>
        <dt>{taking('recorded')}</dt>
        <dd>
          <ul>
            {recordedThings(job.recordings).map((key) => (
              <li>{taking(key)}</li>
            ))}
          </ul>
        </dd>
      </dl>
    </section>
  );
}

const Applied = ({ language }: { language: LanguageCode }): VNode => (
  <section class="practice" id="apply" role="status">
    <h2>{portalTexts(language)('job_sent_title')}</h2>
    <p>{portalTexts(language)('job_sent')}</p>
  </section>
);

function Apply(props: {
  job: JobPage;
  slug: string;
  language: LanguageCode;
  refused: RejectedApplication | undefined;
}): VNode {
  const { job, slug, language, refused } = props;
  const { merchant_name: merchant } = job;
  const texts = portalTexts(language);
  const { problems = {}, sent, waitSeconds = 0 } = refused ?? {};
  const duration = waitOf(waitSeconds);
  const first = Object.keys(problems)[0];
  const marks = (name: keyof typeof problems) =>
    errorAttributes(problems[name] && `${name}-problem`, name === first);
  const problem = (name: keyof typeof problems) =>
    problems[name] && (
      <FieldError id={`${name}-problem`}>{texts(problems[name], { merchant, duration })}</FieldError>
    );
  return (
    <section class="practice" id="apply">
      <h2>{texts('job_apply')}</h2>
      {problem('form')}
      <form class="fields" method="post" action={`/jobs/${slug}/#apply`}>
        <label for="name">{texts('job_name')}</label>
        {problem('name')}
        <input
          id="name"
          name="name"
          value={sent?.name}
          dir="auto"
          required
          maxlength={200}
          autocomplete="name"
          {...marks('name')}
        />
        <label for="email">{texts('job_email')}</label>
        {problem('email')}
        <input
          id="email"
          name="email"
          type="email"
          value={sent?.email}
          dir="ltr"
          required
          maxlength={254}
          autocomplete="email"
          {...marks('email')}
        />
        {problem('consent')}
        <label class="choice">
          <input type="checkbox" name="consent" value={currentConsent} required {...marks('consent')} />
          <span>{texts('job_consent', { merchant })}</span>
        </label>
        <p>
          <a href={privacyPath(job.merchant_id, language)}>{takingTexts(language)('privacy_title')}</a>
        </p>
        <button class="button">{texts('job_send')}</button>
      </form>
    </section>
  );
}

const waitOf = (seconds: number) =>
  seconds < 7_200
    ? ({ value: Math.ceil(seconds / 60), unit: 'minute' } as const)
    : ({ value: Math.ceil(seconds / 3_600), unit: 'hour' } as const);
