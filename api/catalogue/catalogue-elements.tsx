import type { ComponentChildren, VNode } from 'preact';
import { htmlLanguage } from '../platform/text/html';
import type { LanguageCode } from '../../db/platform/vocabulary';
import type { DirectoryCard, PlanStage, SessionCard } from '../../db/catalogue/portal-catalogue';
import { portalTexts } from '../platform/portal/texts';

export type Elements = ReturnType<typeof catalogueElements>;

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

  const facts = (session: SessionCard, inLanguage?: LanguageCode): VNode => (
    <p class="facts">
      {completed.has(session.id) && <span class="done">{texts('session_done')}</span>}{' '}
      {session.max_duration !== null && (
        <span class="time">{minutes.format(Math.ceil(session.max_duration / 60))}</span>
      )}{' '}
      {inLanguage && <span class="time">{languageName(inLanguage, lang)}</span>}{' '}
      {(session.tags ?? []).map((name) => (
        <span class="chip neutral" dir="auto">
          {name}
        </span>
      ))}
    </p>
  );

  return {
    directoryCard: (directory: DirectoryCard): VNode => (
      <Card kind="directory" href={`/catalogue/${directory.id}`} of={directory} />
    ),
    sessionCard: (session: SessionCard): VNode => (
      <Card kind="session" href={`/session/${session.id}`} of={session}>
        {facts(session)}
      </Card>
    ),
    /** The facts about a session besides its name, such as its length. */
    sessionFacts: facts,
    grid: (cards: VNode[]): VNode | null =>
      cards.length === 0 ? null : (
        <ul class="grid">
          {cards.map((each) => (
            <li>{each}</li>
          ))}
        </ul>
      ),
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

const Card = (props: {
  kind: 'directory' | 'session';
  href: string;
  of: DirectoryCard;
  children?: ComponentChildren;
}): VNode => {
  const { name, description, cover_image_url } = props.of;
  return (
    <article class={`card ${props.kind}`}>
      <Cover url={cover_image_url} />
      <div class="words">
        <h2>
          <a href={props.href} dir="auto">
            {name}
          </a>
        </h2>
        {description && (
          <p class="description" dir="auto">
            {description}
          </p>
        )}
        {props.children}
      </div>
    </article>
  );
};

/**
 * The image of a directory or session. Only https addresses are shown, because the content security policy blocks
 * others.
 */
export const Cover = ({ url }: { url: string | null }): VNode | null =>
  url?.startsWith('https://') ? <img class="cover" src={url} alt="" loading="lazy" /> : null;

function languageName(language: LanguageCode, inLanguage: string): string {
  const { lang } = htmlLanguage(language);
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(lang) ?? lang;
}
