import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownTurn } from '../../pages/turn-view';
import { Picture } from '../device-check';
import type { InterviewState } from '../interview-state';
import type { AppProps } from '../use-interview';
import { answerWayOf } from './conversation';
import type * as liveScript from './main';
import type { LiveConversation } from './main';
import type { ConversationOverReason } from './socket';
import { TalkControls } from './talk-controls';
import type { TalkState } from './talk-controls';

type Props = AppProps & {
  state: InterviewState;
  stream: MediaStream;
  turn: ShownTurn;
  /** Called with undefined when the conversation ends. */
  onTalk: (talk: TalkState | undefined) => void;
};

/**
 * The live conversation. It begins with a click, after the page has said that an AI speaks and listens: browsers play no
 * sound before a click.
 */
export function LivePart(props: Props): VNode | null {
  const { data, texts, portal, kept, interview, live: step, stream, turn } = props;
  const [live, setLive] = useState<LiveConversation>();
  const [isStarting, setStarting] = useState(false);
  const [isElsewhere, setElsewhere] = useState(false);
  const current = useRef<LiveConversation>();
  const section = useRef<HTMLElement>(null);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
      interview.dispatch({ type: 'live', isLive: false });
      void current.current?.end();
    },
    [],
  );
  // The focused button is gone. The focus goes to no other one, so that the space bar works.
  useEffect(() => {
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  }, [live]);
  const place = data.live;
  if (!place) return null;

  const start = async () => {
    setStarting(true);
    const context = new AudioContext({ latencyHint: 'interactive' });
    const onOver = (why: ConversationOverReason) => {
      if (why === 'elsewhere') {
        current.current = undefined;
        interview.dispatch({ type: 'live', isLive: false });
        setLive(undefined);
        setStarting(false);
        setElsewhere(true);
      } else if (why === 'gone') return interview.dispatch({ type: 'gone' });
      else step.lower('trouble');
      void interview.poll();
    };
    try {
      const loaded = (await import(place.script)) as typeof liveScript;
      const { ear } = place;
      const started = await loaded.startLiveConversation({
        ear,
        portal,
        kept,
        interview,
        stream,
        context,
        onOver,
      });
      current.current = started;
      step.beforeLeaving(() => started.settled());
      interview.dispatch({ type: 'live', isLive: true });
      if (isLeft.current) await started.end();
      else setLive(started);
    } catch {
      await context.close().catch(() => undefined);
      if (!isLeft.current) onOver('trouble');
    }
  };
  const lower = async (to: 'record' | 'type') => {
    await live?.lower(to);
    step.lower('wish');
    if (to === 'type') props.devices.setTyping(true);
  };
  return (
    <section class="live" ref={section} tabindex={-1}>
      {live ? (
        <Conversation {...props} talk={live} />
      ) : (
        <>
          <p class={isElsewhere ? 'note' : ''} role="status">
            {texts(isElsewhere ? 'live_elsewhere' : 'live_text')}
          </p>
          <div class="buttons">
            <button type="button" disabled={isStarting} onClick={() => void start()}>
              {texts(isElsewhere ? 'live_here' : 'live_start')}
            </button>
          </div>
        </>
      )}
      {/* The part of the page with which such a turn is answered has buttons of its own. */}
      {!(live && answerWayOf(turn, stream.getVideoTracks().length > 0) === 'page') && (
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

/** The conversation, while it is held. */
function Conversation({ talk, ...props }: Props & { talk: LiveConversation }): VNode {
  const { texts, interview, state, stream, turn } = props;
  useEffect(() => interview.offer(() => talk.entered()), [talk]);
  return (
    <>
      {state.problem && (
        <p class="error" role="alert">
          {texts(state.problem)}
        </p>
      )}
      {turn.answer.mode === 'video' && <Picture stream={stream} texts={texts} />}
      <TalkControls {...props} talk={talk}>
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
      </TalkControls>
    </>
  );
}
