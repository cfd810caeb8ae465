import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ShownTurn } from '../../pages/turn-view';
import type { TakingTexts } from '../../texts';
import type { InterviewerState } from '../figure/pose';
import { LevelMeter } from '../level-meter';
import { useStore } from '../use-store';
import { answerWayOf } from './conversation';
import type { LiveConversation } from './main';

/** What the interviewer does in the conversation, how often it has nodded, and the sound of its voice. */
export type TalkState = { does: InterviewerState; nods: number; analyser: AnalyserNode };

/** Fields and buttons keep the space bar for themselves. */
const takesSpace = 'input, textarea, select, button, summary, a, video, audio, [contenteditable]';

/** Shows who speaks, what was understood, and the two buttons, of which the space bar presses the one that fits. */
export function TalkControls({
  texts,
  talk,
  stream,
  turn,
  onTalk,
  children,
}: {
  texts: TakingTexts;
  talk: LiveConversation;
  stream: MediaStream;
  /** Null until the server has shown one. */
  turn: ShownTurn | null;
  /** Called with undefined when the conversation ends. */
  onTalk: (talk: TalkState | undefined) => void;
  /** Further buttons for an answer. */
  children?: ComponentChildren;
}): VNode {
  const { does, nods, isReady, hasSpoken, caption } = useStore(talk);
  const isAloud = turn !== null && answerWayOf(turn, stream.getVideoTracks().length > 0) === 'aloud';
  const isYourTurn = isAloud && isReady && does === 'listens';
  const meant = hasSpoken ? 'done' : 'moment';
  const seen = isReady || does === 'speaks' ? does : 'thinks';
  useEffect(() => onTalk({ does: seen, nods, analyser: talk.analyser }), [seen, nods]);
  useEffect(() => () => onTalk(undefined), []);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(takesSpace);
      if (event.key !== ' ' || event.repeat || isElsewhere || !isYourTurn) return;
      event.preventDefault();
      talk.press(meant);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isYourTurn, meant]);
  const button = (name: 'done' | 'moment') => (
    <button
      type="button"
      class={name === meant ? '' : 'plain'}
      // A disabled button would lose the focus.
      aria-disabled={!isYourTurn}
      onClick={() => talk.press(name)}
    >
      {texts(`live_${name}`)}
    </button>
  );
  return (
    <>
      <p class="soft turn" role="status">
        {isReady ? isYourTurn && texts('live_turn') : texts('live_connecting')}
      </p>
      {isAloud && (
        <>
          <LevelMeter texts={texts} stream={stream} />
          <div class="buttons">
            {button('done')}
            {button('moment')}
            {children}
          </div>
          <p class="soft small space">{texts('live_space', { name: texts(`live_${meant}`) })}</p>
          <p class="heard small">
            {caption !== '' && (
              <>
                <span class="soft">{texts('live_heard')} </span>
                <bdi>{caption}</bdi>
              </>
            )}
          </p>
        </>
      )}
    </>
  );
}
