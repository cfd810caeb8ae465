import { html, htmlLanguage } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type { DirectoryCard, PlanStage, SessionCard } from '../../db/catalogue/portal-catalogue';
import { portalTexts } from '../platform/portal/texts';

export type Elements = ReturnType<typeof catalogueElements>;

/** Draws cards and the plan in the page's language. `completed` holds the sessions that the learner has finished. */
export function catalogueElements(
  language: LanguageCode,
  completed: ReadonlySet<string>,
  isLearner: boolean,
) {
  const texts = portalTexts(language);
  const { lang } = htmlLanguage(language);
  const numbers = new Intl.NumberFormat(lang);
  const minutes = new Intl.NumberFormat(lang, { style: 'unit', unit: 'minute', unitDisplay: 'short' });

  const duration = (seconds: number | null): Html | null =>
    seconds === null ? null : html`<span class="time">${minutes.format(Math.ceil(seconds / 60))}</span>`;
  const tags = (names: string[] | null): Html[] =>
    (names ?? []).map((name) => html`<span class="chip neutral" dir="auto">${name}</span>`);
  const done = (isDone: boolean): Html | null =>
    isDone ? html`<span class="done">${texts('session_done')}</span>` : null;

  return {
    directoryCard: (directory: DirectoryCard): Html =>
      card('directory', `/catalogue/${directory.id}`, directory, null),
    sessionCard: (session: SessionCard): Html =>
      card(
        'session',
        `/session/${session.id}`,
        session,
        html`<p class="facts">
          ${done(completed.has(session.id))} ${duration(session.max_duration)} ${tags(session.tags)}
        </p>`,
      ),
    /** What is known about a session besides its name. */
    sessionFacts: (session: SessionCard, inLanguage: LanguageCode): Html =>
      html`<p class="facts">
        ${done(completed.has(session.id))} ${duration(session.max_duration)}
        <span class="time">${languageName(inLanguage, lang)}</span> ${tags(session.tags)}
      </p>`,
    grid: (cards: Html[]): Html | null =>
      cards.length === 0
        ? null
        : html`<ul class="grid">
            ${cards.map((each) => html`<li>${each}</li>`)}
          </ul>`,
    more: (): Html => html`<p class="soft">${texts('more_sessions')}</p>`,
    tooLong: (): Html => html`<p class="callout warning">${texts('page_too_long')}</p>`,
    empty: (): Html => html`<p class="soft">${texts('nothing_here')}</p>`,
    /** Shows the learner's progress in each stage. Other visitors see how much each stage contains. */
    plan: (stages: PlanStage[]): Html | null =>
      stages.length === 0
        ? null
        : html`<section class="plan">
            <h2>${texts('plan_title')}</h2>
            <ol>
              ${stages.map((stage) => html`<li>${stageName(stage)} ${isLearner ? progress(stage) : size(stage)}</li>`)}
            </ol>
            ${isLearner ? null : html`<p class="soft">${texts('plan_link')}</p>`}
          </section>`,
  };

  function progress({ name, sessions, completed: count }: PlanStage): Html {
    return html`<progress max="${Math.max(sessions, 1)}" value="${count}" aria-label="${name}"></progress>
      <span class="count" dir="ltr">${numbers.format(count)} / ${numbers.format(sessions)}</span>`;
  }
  function size({ sessions }: PlanStage): Html {
    return html`<span class="count">${texts('sessions')}: <bdi>${numbers.format(sessions)}</bdi></span>`;
  }
}

const stageName = ({ id, name }: PlanStage): Html =>
  html`<a class="stage" href="/catalogue/${id}" dir="auto">${name}</a>`;

function card(
  kind: 'directory' | 'session',
  href: string,
  { name, description, cover_image_url }: DirectoryCard,
  facts: Html | null,
): Html {
  return html`<article class="card ${kind}">
    ${cover(cover_image_url)}
    <div class="words">
      <h2><a href="${href}" dir="auto">${name}</a></h2>
      ${description ? html`<p class="description" dir="auto">${description}</p>` : null} ${facts}
    </div>
  </article>`;
}

/** The image of a directory or session. The page's content security policy refuses any other address. */
export const cover = (url: string | null): Html | null =>
  url?.startsWith('https://') ? html`<img class="cover" src="${url}" alt="" loading="lazy" />` : null;

function languageName(language: LanguageCode, inLanguage: string): string {
  const { lang } = htmlLanguage(language);
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(lang) ?? lang;
}
