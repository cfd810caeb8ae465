import type { Response } from 'express';
import type { VNode } from 'preact';
import { brandStyles, Logo } from '../../platform/portal/brand';
import { HiddenFields } from '../../platform/site/buttons';
import { sendDocument } from '../../platform/site/document';
import { errorAttributes, FieldError } from '../../platform/site/field-error';
import { portalStyle } from '../../platform/site/site-assets';
import { htmlLanguage } from '../../platform/text/html';
import { graceMs } from '../grace';
import { PageData, interviewStyle } from '../pages/layout';
import { takingTexts } from '../texts';
import type { TakingText, TakingTexts } from '../texts';
import { avatarData, avatarScript } from './avatar-data';
import { AvatarTurns } from './avatar-turns';
import type { AvatarVisit } from './avatar-visit';

/** The most characters of a question. */
export const maxQuestionCharacters = 1_000;

/** A question that was not stored, and why, if the visitor can do something about it. */
export type RefusedQuestion = { status: 409 | 422 | 429; sent: string; problem?: TakingText };

/** Returns whether the visitor can talk: there is a live process, the template speaks, and a question can be asked. */
export const mayTalk = (visit: AvatarVisit, liveOrigin: string | undefined): liveOrigin is string =>
  liveOrigin !== undefined &&
  visit.page.template_type?.startsWith('interactive') === true &&
  stateOf(visit) === 'asks';

/**
 * Sends the page of a public avatar: who answers, the conversation, and the field for the next question. In browsers with
 * scripts, the visitor can talk.
 */
export function sendAvatarPage(
  response: Response,
  visit: AvatarVisit,
  liveOrigin: string | undefined,
  refused?: RefusedQuestion,
): void {
  const { page, attempt } = visit;
  const language = page.platform_language_code;
  const texts = takingTexts(language);
  const merchant = page.merchant_name;
  const state = stateOf(visit);
  const isLive = !refused && mayTalk(visit, liveOrigin);
  // Browsers send an `Origin` header with a form only if the referrer policy allows it.
  response.setHeader('referrer-policy', 'same-origin');
  sendDocument(response, {
    ...htmlLanguage(language),
    status: refused?.status ?? (attempt ? 200 : statuses[state]),
    title: `${page.name} – ${merchant}`,
    styles: [portalStyle, interviewStyle, ...brandStyles(page)],
    scripts: isLive ? [avatarScript] : [],
    usesDevices: isLive,
    connectOrigins: isLive ? [new URL(liveOrigin).origin] : [],
    body: (
      <main class="interview">
        <Logo {...page} />
        <header class="soft">
          <bdi>{merchant}</bdi>
        </header>
        <h1 dir="auto">{page.name}</h1>
        {page.description !== null && !attempt && (
          <p class="said" dir="auto">
            {page.description}
          </p>
        )}
        <p class="note">{texts('avatar_ai', { merchant })}</p>
        {isLive && <div id="talk" />}
        <div id="typed">
          {attempt && <AvatarTurns turns={page.turns} name={page.name} texts={texts} />}
          <Next visit={visit} texts={texts} state={state} refused={refused} />
        </div>
        {isLive && <PageData data={avatarData(visit, liveOrigin)} />}
        <p class="soft small">{texts('avatar_kept', { merchant })}</p>
      </main>
    ),
  });
}

type State = keyof typeof statuses;
const statuses = { asks: 200, ended: 200, avatar_closed: 410, avatar_unavailable: 503 } as const;

/** Returns `asks` if the visitor can ask, `ended` after the last question or the time of a visit, or why none can begin. */
function stateOf({ page, attempt }: AvatarVisit): State {
  const isLate = Date.parse(attempt?.deadline_at ?? '') + graceMs < Date.now();
  if (attempt?.state === 'running' && attempt.turn?.answer.mode !== 'none' && !isLate) return 'asks';
  if (!page.is_open) return 'avatar_closed';
  if (!page.is_available) return 'avatar_unavailable';
  return attempt ? 'ended' : 'asks';
}

type NextProps = {
  visit: AvatarVisit;
  texts: TakingTexts;
  state: State;
  refused: RefusedQuestion | undefined;
};

/** The field for the next question, or what is possible instead. */
function Next({ visit: { path, page, attempt }, texts, state, refused }: NextProps): VNode {
  if (state === 'ended')
    return (
      <form method="post" action={`${path}new`}>
        <p>{texts('avatar_ended')}</p>
        <button>{texts('avatar_new')}</button>
      </form>
    );
  if (state !== 'asks') return <p class="note">{texts(state, { merchant: page.merchant_name })}</p>;
  const asked = page.turns.filter(({ question }) => question !== null).length;
  const problem = refused?.problem;
  return (
    <form method="post" action={`${path}ask`}>
      {attempt?.turn && <HiddenFields fields={{ turn_id: attempt.turn.turn_id }} />}
      <label for="question">{texts('avatar_question')}</label>
      {problem && <FieldError id="problem">{texts(problem, { count: maxQuestionCharacters })}</FieldError>}
      <textarea
        id="question"
        name="text"
        rows={3}
        dir="auto"
        required
        maxlength={maxQuestionCharacters}
        {...(problem ? errorAttributes('problem') : { autofocus: attempt !== null })}
      >
        {refused?.sent.slice(0, 20 * maxQuestionCharacters)}
      </textarea>
      <div class="buttons">
        <button>{texts('avatar_ask')}</button>
        <span class="soft small">{texts('avatar_left', { count: page.max_questions - asked })}</span>
      </div>
    </form>
  );
}
