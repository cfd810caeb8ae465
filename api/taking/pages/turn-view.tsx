import type { VNode } from 'preact';
import type { AttemptRow, ShownPersona, TurnRow } from '../../../db/taking/attempts';
import { FieldError } from '../../platform/site/field-error';
import type { TakingTexts } from '../texts';
import { videoAddress } from '../video-address';
import { AnswerField } from './answer-field';
import type { RejectedAnswer } from './answer-field';

/*
 * The elements of a turn. The server and the app (api/taking/app) render the same ones, so that nothing moves when
 * the app takes over.
 */

export type ShownTurn = Omit<TurnRow, 'choices' | 'speaker' | 'video' | 'ai_generated'> & {
  choices?: readonly string[] | null;
  speaker?: string | null;
  /** Set in the app, which does not know the file. */
  has_video?: boolean;
};

/** Returns `Question 2 of 5`, or undefined for a turn that is not a question of an interviewer. */
export const turnCountText = (texts: TakingTexts, turn: ShownTurn): string | undefined =>
  turn.number > 0 && turn.answer.mode !== 'none' && !turn.speaker
    ? texts('question_of', { number: turn.number, of: turn.of })
    : undefined;

type ProgressProps = {
  texts: TakingTexts;
  steps: AttemptRow['steps'];
  counted: string | undefined;
  /** The text that says how much time is left. */
  time: string;
  /** The time left, set only when screen readers should announce it. */
  announced?: string | undefined;
};

/** Shows the number of the question, the time left, and a progress bar. */
export const Progress = ({ texts, steps, counted, time, announced }: ProgressProps): VNode => (
  <div class="progress">
    <p>{counted}</p>
    <p class="soft">{time}</p>
    <p class="unseen" role="status" id="announcement">
      {announced}
    </p>
    <progress aria-label={texts('progress')} value={steps.done} max={steps.total} />
  </div>
);

/** Says that the remaining scored questions were skipped, and why. */
export const StoppedNote = ({
  texts,
  because,
}: {
  texts: TakingTexts;
  because: AttemptRow['stopped_because'] | undefined;
}): VNode | null => (because ? <p class="note">{texts(`stopped_${because}`)}</p> : null);

/** Says how much time is left: minutes, or seconds too in the last two minutes. */
export function timeLeft(texts: TakingTexts, remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1_000);
  if (seconds <= 0) return texts('time_up');
  const duration =
    seconds < 120
      ? { value: seconds, unit: 'second' as const }
      : { value: Math.ceil(seconds / 60), unit: 'minute' as const };
  return texts('time_left', { duration });
}

type TurnProps = { texts: TakingTexts; turn: ShownTurn };

/** The text of the turn. It is the heading of the page, in the text direction of its own language. */
export function Question({
  texts,
  turn,
  hasFocus,
  video: spoken,
  onVideoEnd,
}: TurnProps & {
  hasFocus: boolean;
  /** The address of the video in which the interviewer's figure speaks the text, if there is one. */
  video?: string | undefined;
  /** Set by the app, which plays a video at once. Called when the video has ended or cannot be played. */
  onVideoEnd?: () => void;
}): VNode {
  const { kind, text } = turn;
  if (kind === 'introduction')
    return (
      <>
        <h1 tabindex={-1} autofocus={hasFocus}>
          {texts('introduction')}
        </h1>
        <p>{texts('introduction_text')}</p>
        {!turn.answer.required && <p class="soft">{texts('introduction_optional')}</p>}
      </>
    );
  const eyebrow = kind === 'follow_up' ? 'follow_up' : kind === 'candidate_asks' ? 'your_questions' : null;
  const video = kind === 'instructional_video' ? videoAddress(text) : null;
  if (video)
    return (
      <>
        <h1 tabindex={-1} autofocus={hasFocus}>
          {texts('watch_video')}
        </h1>
        <video
          class="video"
          controls
          playsInline
          preload="metadata"
          src={video.href}
          autoPlay={onVideoEnd !== undefined}
          onEnded={onVideoEnd}
          onError={onVideoEnd}
          onStalled={onVideoEnd}
        />
      </>
    );
  const isLink = kind === 'instructional_video' && /^https:\/\/\S+$/.test(text);
  return (
    <>
      {turn.speaker ? (
        <SpeakerLine name={turn.speaker} />
      ) : (
        eyebrow && <p class="eyebrow soft">{texts(eyebrow)}</p>
      )}
      {spoken !== undefined && (
        <figure class="spoken">
          <video
            class="video"
            controls
            playsInline
            preload="metadata"
            src={spoken}
            aria-label={texts('listen')}
            autoPlay={onVideoEnd !== undefined}
            onError={onVideoEnd}
          />
          <figcaption class="soft small">{texts('interviewer')}</figcaption>
        </figure>
      )}
      <h1 class="question" tabindex={-1} autofocus={hasFocus} dir="auto">
        {isLink ? (
          <a href={text} target="_blank" rel="noreferrer">
            {texts('open_video')}
          </a>
        ) : (
          text
        )}
      </h1>
    </>
  );
}

/** Names the person whom the AI plays, before a line of that person. */
export const SpeakerLine = ({ name }: { name: string | null | undefined }): VNode | null =>
  name ? (
    <p class="eyebrow soft" dir="auto">
      {name}
    </p>
  ) : null;

/** Says who the person is whom the AI plays, and what the situation is. */
export const PersonaFacts = ({ texts, persona }: { texts: TakingTexts; persona: ShownPersona }): VNode => (
  <dl>
    <dt>{texts('whom')}</dt>
    <dd>
      <strong dir="auto">{persona.name}</strong>
      <span class="line" dir="auto">
        {persona.role}
      </span>
      <span class="soft">{texts('whom_played', { name: persona.name })}</span>
    </dd>
    <dt>{texts('situation')}</dt>
    <dd class="said" dir="auto">
      {persona.situation}
    </dd>
  </dl>
);

/** Reminds of the person and the situation, next to the turns of an attempt. */
export const PersonaDetails = ({
  texts,
  persona,
}: {
  texts: TakingTexts;
  persona: ShownPersona | null | undefined;
}): VNode | null =>
  persona ? (
    <details>
      <summary>{texts('whom')}</summary>
      <p>
        <strong dir="auto">{persona.name}</strong>
        <br />
        <bdi>{persona.role}</bdi>
      </p>
      <p class="said" dir="auto">
        {persona.situation}
      </p>
    </details>
  ) : null;

type FieldsProps = TurnProps & {
  /** True if the candidate can change texts before submitting. A choice cannot be changed. */
  canEdit: boolean;
  refused: RejectedAnswer | undefined;
  /** True while the answer is being sent. */
  isBusy?: boolean;
  /** True while a video that has to be watched once is playing. */
  isHeld?: boolean;
};

/** The field and the buttons of a typed or chosen answer. */
export function AnswerFields({
  texts,
  turn,
  canEdit,
  refused,
  isBusy = false,
  isHeld = false,
}: FieldsProps): VNode {
  const { mode, required, may_type: mayType } = turn.answer;
  if (mode === 'video' && !mayType) return <p class="note">{texts('video_needed')}</p>;
  if (mode === 'none' && isHeld) return <></>;
  if (mode === 'none')
    return (
      <button name="seen" value="true" disabled={isBusy}>
        {texts('next')}
      </button>
    );
  return (
    <>
      {mode === 'choice' ? (
        <Choices texts={texts} turn={turn} refused={refused} />
      ) : (
        <AnswerField id="answer" rows={8} texts={texts} refused={refused} />
      )}
      <p class="soft small">{texts(canEdit && mode !== 'choice' ? 'can_edit' : 'cannot_edit')}</p>
      <div class="buttons">
        <button disabled={isBusy}>{texts('send')}</button>
        {!required && (
          <button class="plain" name="seen" value="true" disabled={isBusy}>
            {texts('skip')}
          </button>
        )}
      </div>
    </>
  );
}

const Choices = ({ texts, turn, refused }: Pick<FieldsProps, 'texts' | 'turn' | 'refused'>): VNode => (
  <fieldset aria-describedby={refused?.problem && 'problem'}>
    <legend>{texts('choose')}</legend>
    {refused?.problem && <FieldError id="problem">{texts(refused.problem)}</FieldError>}
    {(turn.choices ?? []).map((choice, index) => (
      <label class="choice">
        <input
          type="radio"
          name="choice"
          value={choice}
          checked={refused?.choice === choice}
          autofocus={refused?.problem !== undefined && index === 0}
          aria-invalid={refused?.problem ? 'true' : undefined}
        />
        <span dir="auto">{choice}</span>
      </label>
    ))}
  </fieldset>
);
