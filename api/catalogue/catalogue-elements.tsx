import type { VNode } from 'preact';
import { jsxTemplate } from 'preact/jsx-runtime';
import type { JobCard } from '../../db/catalogue/jobs';
import type { DirectoryCard, PlanStage, SessionCard } from '../../db/catalogue/portal-catalogue';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { portalTexts } from '../platform/portal/texts';
import { html, htmlLanguage } from '../platform/text/html';
import type { Html } from '../platform/text/html';

export type CatalogueElements = ReturnType<typeof catalogueElements>;

/**
 * Creates the elements of catalogue pages, such as cards and the plan, in the page's language. `completed` contains the
 * ids of the sessions that the learner has completed.
 */
export function catalogueElements(
  language: LanguageCode,
  completed: ReadonlySet<string>,
  isLearner: boolean,
) {
  const texts = portalTexts(language);
  const { lang } = htmlLanguage(language);
  const numbers = new Intl.NumberFormat(lang);
  const minutes = new Intl.NumberFormat(lang, { style: 'unit', unit: 'minute', unitDisplay: 'short' });

  const facts = (session: SessionCard & { merchant_name?: string }, inLanguage?: LanguageCode): Html => {
    const done = completed.has(session.id) ? html`<span class="done">${texts('session_done')}</span>` : '';
    const times = [
      session.max_duration === null ? [] : minutes.format(Math.ceil(session.max_duration / 60)),
      inLanguage ? languageName(inLanguage, lang) : [],
    ].flat();
    const tags = (session.tags ?? []).map(
      (name) => html`<span class="chip neutral" dir="auto">${name}</span>`,
    );
    const all = times.map((time) => html`<span class="time">${time}</span> `);
    const { merchant_name: merchant } = session;
    const owner = merchant === undefined ? '' : html`<span class="time" dir="auto">${merchant}</span> `;
    return html`<p class="facts">${done} ${owner}${all}${tags}</p>`;
  };

  return {
    directoryCard: (directory: DirectoryCard): Html =>
      card('directory', `/catalogue/${directory.id}`, directory),
    /** The card of a session. `origin` is that of another portal, whose merchant is then named. */
    sessionCard: (session: SessionCard & { merchant_name?: string }, origin = ''): Html =>
      card('session', `${origin}/session/${session.id}`, session, facts(session)),
    jobCard: (job: JobCard): Html => {
      const company = job.company ?? texts('job_unnamed');
      const words = [company, job.location, job.department].filter(Boolean);
      const all = words.map((each) => html`<span class="time" dir="auto">${each ?? ''}</span>`);
      return card('session', `/jobs/${job.slug}`, job, html`<p class="facts">${all}</p>`);
    },
    /** The facts about a session besides its name, such as its length. */
    sessionFacts: (session: SessionCard, inLanguage: LanguageCode): VNode => draw(facts(session, inLanguage)),
    grid: (cards: Html[]): VNode | null => {
      if (cards.length === 0) return null;
      const items = cards.map((each) => html`<li>${each}</li>`);
      return draw(
        html`<ul class="grid">
          ${items}
        </ul>`,
      );
    },
    /** Renders cards that become cells of an enclosing grid. */
    cards: (cards: Html[]): VNode => draw(html`${cards}`),
    more: (): VNode => <p class="soft">{texts('more_sessions')}</p>,
    tooLong: (): VNode => <p class="callout warning">{texts('page_too_long')}</p>,
    empty: (): VNode => <p class="soft">{texts('nothing_here')}</p>,
    /** Shows the learner's progress in each stage. Other visitors only see how many sessions each stage contains. */
    plan: (stages: PlanStage[]): VNode | null =>
      stages.length === 0 ? null : (
        <section class="plan">
          <h2>{texts('plan_title')}</h2>
          <ol>
            {stages.map((stage) => (
              <li>
                <a class="stage" href={`/catalogue/${stage.id}`} dir="auto">
                  {stage.name}
                </a>{' '}
                {isLearner ? progress(stage) : size(stage)}
              </li>
            ))}
          </ol>
          {!isLearner && <p class="soft">{texts('plan_link')}</p>}
        </section>
      ),
  };

  function progress({ name, sessions, completed: count }: PlanStage): VNode {
    return (
      <>
        <progress max={Math.max(sessions, 1)} value={count} aria-label={name} />{' '}
        <span class="count" dir="ltr">
          {`${numbers.format(count)} / ${numbers.format(sessions)}`}
        </span>
      </>
    );
  }
  function size({ sessions }: PlanStage): VNode {
    return (
      <span class="count">
        {texts('sessions')}: <bdi>{numbers.format(sessions)}</bdi>
      </span>
    );
  }
}

/** Returns the markup as an element. `jsxTemplate` is Preact's function for precompiled markup. */
const draw = (markup: Html): VNode => jsxTemplate([markup.text]);

/**
 * Writes a card as markup instead of Preact elements, because a page has up to 2,000 cards. Rendering that many cards
 * as elements took 130 to 220 ms.
 */
function card(
  kind: 'directory' | 'session',
  href: string,
  { name, description, cover_image_url }: Omit<DirectoryCard, 'id'>,
  more?: Html,
): Html {
  const title = html`<h2><a href="${href}" dir="auto">${name}</a></h2>`;
  const lead = description ? html`<p class="description" dir="auto">${description}</p>` : undefined;
  const words = html`<div class="words">${title}${lead}${more}</div>`;
  return html`<article class="card ${kind}">${cover(cover_image_url)}${words}</article>`;
}

/**
 * The image of a directory or session. Only https addresses are shown, because the content security policy blocks
 * others.
 */
export const Cover = ({ url }: { url: string | null }): VNode => draw(html`${cover(url)}`);

const cover = (url: string | null): Html | undefined =>
  url?.startsWith('https://') ? html`<img class="cover" src="${url}" alt="" loading="lazy" />` : undefined;

function languageName(language: LanguageCode, inLanguage: string): string {
  const { lang } = htmlLanguage(language);
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(lang) ?? lang;
}
