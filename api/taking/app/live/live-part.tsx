import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ShownTurn } from '../../pages/turn-view';
import { Picture } from '../device-check';
import type { InterviewerState } from '../figure/pose';
import type { InterviewState } from '../interview-state';
import { LevelMeter } from '../level-meter';
import type { AppProps } from '../use-interview';
import { useStore } from '../use-store';
import { answerOf } from './conversation';
import type { Live, startLive } from './main';

/** What the interviewer does in the conversation, and the sound of its voice. */
export type Talk = { does: InterviewerState; analyser: AnalyserNode };

type Props = AppProps & {
  state: InterviewState;
  stream: MediaStream;
  turn: ShownTurn;
  /** Called with undefined when the conversation ends. */
  onTalk: (talk: Talk | undefined) => void;
};

/**
 * The live conversation. It begins with a click, after the page has said that an AI speaks and listens: browsers play no
 * sound before a click.
 */
export function LivePart(props: Props): VNode | null {
  const { data, texts, portal, kept, interview, live: step, stream, turn } = props;
  const [live, setLive] = useState<Live>();
  const [isStarting, setStarting] = useState(false);
  const current = useRef<Live>();
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
      interview.dispatch({ type: 'live', isLive: false });
      void current.current?.end();
    },
    [],
  );
  const place = data.live;
  if (!place) return null;

  const start = async () => {
    setStarting(true);
    const context = new AudioContext({ latencyHint: 'interactive' });
    const onOver = () => {
      step.lower('trouble');
      void interview.poll();
    };
    try {
      const loaded = (await import(place.script)) as { startLive: typeof startLive };
      const { ear } = place;
      const started = await loaded.startLive({ ear, portal, kept, interview, stream, context, onOver });
      current.current = started;
      step.beforeLeaving(() => started.settled());
      interview.dispatch({ type: 'live', isLive: true });
      if (isLeft.current) await started.end();
      else setLive(started);
    } catch {
      await context.close().catch(() => undefined);
      if (!isLeft.current) onOver();
    }
  };
  const lower = async (to: 'record' | 'type') => {
    await live?.lower(to);
    step.lower('wish');
    if (to === 'type') props.devices.setTyping(true);
  };
  return (
    <section class="live">
      {live ? (
        <Conversation {...props} talk={live} />
      ) : (
        <>
          <p>{texts('live_text')}</p>
          <div class="buttons">
            <button type="button" disabled={isStarting} onClick={() => void start()}>
              {texts('live_start')}
            </button>
          </div>
        </>
      )}
      {/* The part of the page with which such a turn is answered has buttons of its own. */}
      {!(live && answerOf(turn, stream.getVideoTracks().length > 0) === 'page') && (
        <div class="buttons quiet">
          <button type="button" class="plain" onClick={() => void lower('record')}>
            {texts('record_instead')}
          </button>
          {!data.isVideoRequired && (
            <button type="button" class="plain" onClick={() => void lower('type')}>
              {texts('type_instead')}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** Fields and buttons keep the space bar for themselves. */
const takesSpace = 'input, textarea, select, button, summary, a, video, audio, [contenteditable]';

/** Shows who speaks, what was understood, and the two buttons, of which the space bar presses the one that fits. */
function Conversation({
  texts,
  talk,
  interview,
  state,
  stream,
  turn,
  onTalk,
}: Props & { talk: Live }): VNode {
  const { does, isReady, hasSpoken, caption } = useStore(talk);
  const isAloud = answerOf(turn, stream.getVideoTracks().length > 0) === 'aloud';
  const isYourTurn = isAloud && isReady && does === 'listens';
  const meant = hasSpoken ? 'done' : 'moment';
  const seen = isReady || does === 'speaks' ? does : 'thinks';
  useEffect(() => onTalk({ does: seen, analyser: talk.analyser }), [seen]);
  useEffect(() => () => onTalk(undefined), []);
  useEffect(() => interview.offer(() => talk.entered()), [talk]);
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
      {state.problem && (
        <p class="error" role="alert">
          {texts(state.problem)}
        </p>
      )}
      <p class="unseen" role="status">
        {isYourTurn && texts('live_turn')}
      </p>
      <p class="soft turn">{isReady ? isYourTurn && texts('live_turn') : texts('live_connecting')}</p>
      {turn.answer.mode === 'video' && <Picture stream={stream} texts={texts} />}
      {isAloud && (
        <>
          <LevelMeter texts={texts} stream={stream} />
          <div class="buttons">
            {button('done')}
            {button('moment')}
            {!turn.answer.required && (
              <button
                type="button"
                class="plain"
                disabled={state.sending !== null}
                onClick={() => void interview.send({ seen: true })}
              >
                {texts('skip')}
              </button>
            )}
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
