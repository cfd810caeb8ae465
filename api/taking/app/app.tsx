import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { turnCountText, Progress, Question, StoppedNote, timeLeft, PersonaDetails } from '../pages/turn-view';
import { UnsentText } from '../pages/unsent-text';
import type { TakingTexts } from '../texts';
import { questionVideoAddress, videoAddress } from '../video-address';
import { AnswerPart } from './answer';
import { Interviewer } from './figure/interviewer';
import { Finish } from './finish';
import type { Interview } from './interview';
import { crossesAnnouncedMinute } from './interview-state';
import { answerWayOf } from './live/conversation';
import { LivePart } from './live/live-part';
import type { TalkState } from './live/talk-controls';
import { Sending } from './sending';
import { QuestionSpeechPlayer } from './spoken-question';
import type { PlayingSpeech } from './spoken-question';
import type { AppProps } from './use-interview';
import { useStore } from './use-store';

/** The page of a running attempt. */
export function App(props: AppProps): VNode {
  const { data, texts, interview, devices, kept } = props;
  const state = useStore(interview);
  const { turn, steps } = state.attempt;
  const { stream, isChecked, isTyping } = useStore(devices);
  const { isOn: isLiveOn, isInTrouble } = useStore(props.live);
  // A recording that was not sent is shown first. The conversation goes on with the next turn.
  const [firstTurn] = useState<string>(turn?.turn_id ?? '');
  const [hasKept, setKept] = useState<boolean>();
  useEffect(() => void kept.read(firstTurn).then((found) => setKept(found !== undefined)), []);
  const mayTalk = isLiveOn && !isTyping && !(hasKept && turn?.turn_id === firstTurn);
  const isTalking = mayTalk && hasKept !== undefined && stream !== null && isChecked;
  const time = useTimeLeft(interview, texts);
  const page = useRef<HTMLDivElement>(null);
  const counted = turn ? turnCountText(texts, turn) : undefined;
  // While an answer is being sent, its question stays on the page, because removing the question would end the
  // upload.
  const isOver = state.isOver && !state.sending;
  // During a live conversation the voice says the question, so screen readers do not read it at the same time.
  const open = isTalking ? 'talking' : (turn?.turn_id ?? 'waiting');
  const view = isOver ? 'over' : turn && state.isFinishing ? 'finish' : open;
  useFocus(page, view);
  // In the first attempt, a video can be skipped after it was played once.
  const [watched, setWatched] = useState<string>();
  const isVideo = turn?.kind === 'instructional_video' && videoAddress(turn.text) !== null;
  // A video that cannot be played is replaced by the speech.
  const hasVideo = turn?.has_video === true && watched !== turn.turn_id;
  const isHeld = isVideo && state.attempt.attempt === 1 && watched !== turn.turn_id;
  const [speech, setSpeech] = useState<PlayingSpeech>();
  const [isRecording, setRecording] = useState(false);
  const [talk, setTalk] = useState<TalkState>();
  const alone = speech ? 'speaks' : isRecording ? 'listens' : !turn || state.sending ? 'thinks' : 'idle';
  const interviewer = data.interviewer && !isOver && !isVideo && !hasVideo && (
    <Interviewer
      key="interviewer"
      texts={texts}
      {...data.interviewer}
      state={talk?.does ?? alone}
      analyser={talk?.analyser ?? speech?.analyser}
      nods={talk?.nods}
      name={turn?.speaker}
    />
  );
  useEffect(() => {
    if (turn) interview.drafts.keepOnly(turn.turn_id);
    void kept.keepOnly(turn?.turn_id);
    const own = turn ? (turn.kind === 'introduction' ? texts('introduction') : '') : texts('wait_title');
    document.title = [counted ?? own, data.interviewName].filter((part) => part !== '').join(' – ');
  }, [turn?.turn_id]);
  useEffect(() => {
    const look = () => void (document.hidden || interview.poll());
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [interview]);

  if (isOver || !turn || state.isLeaving)
    return (
      <div ref={page}>
        {interviewer}
        <h1 tabindex={-1}>{texts(isOver ? 'closed_title' : 'wait_title')}</h1>
        {isOver && <p role="status">{texts('time_is_over')}</p>}
        {isOver && state.unsent !== null && <UnsentText texts={texts} unsent={[state.unsent]} />}
      </div>
    );
  return (
    <div ref={page}>
      {interviewer}
      {state.isFinishing && <Finish {...props} state={state} />}
      {/* While the app asks whether to end the interview, the turn is only hidden, so that a recording continues. */}
      <div hidden={state.isFinishing}>
        <Progress texts={texts} steps={steps} counted={counted} time={time.text} announced={time.announced} />
        {state.note && (
          <p class="note" role="status">
            {texts(state.note)}
          </p>
        )}
        {state.unsent !== null && <UnsentText texts={texts} unsent={[state.unsent]} />}
        <StoppedNote texts={texts} because={state.attempt.stopped_because} />
        <Question
          key={turn.turn_id}
          texts={texts}
          turn={turn}
          hasFocus={false}
          video={hasVideo ? questionVideoAddress(data.videoAddress, turn.turn_id) : undefined}
          onVideoEnd={() => setWatched(turn.turn_id)}
        />
        {isInTrouble && (
          <p class="note" role="status">
            {texts('live_lowered')}
          </p>
        )}
        {turn.has_speech && !hasVideo && !mayTalk && (
          <QuestionSpeechPlayer
            key={`speech ${turn.turn_id}`}
            texts={texts}
            portal={props.portal}
            turnId={turn.turn_id}
            onSpeech={setSpeech}
          />
        )}
        {isTalking && (
          <LivePart key="live" {...props} state={state} stream={stream} turn={turn} onTalk={setTalk} />
        )}
        {!(isTalking && answerWayOf(turn, stream.getVideoTracks().length > 0) !== 'page') && (
          <AnswerPart
            key={`answer ${turn.turn_id}`}
            {...props}
            state={state}
            turn={turn}
            isHeld={isHeld}
            onRecording={setRecording}
          />
        )}
        {props.live.isOffered && (!isLiveOn || isTyping) && (
          <p class="quiet">
            <button
              type="button"
              class="plain"
              disabled={state.sending !== null}
              onClick={() => {
                devices.setTyping(false);
                props.live.raise();
              }}
            >
              {texts('talk_instead')}
            </button>
          </p>
        )}
        <Sending texts={texts} sending={state.sending} />
        {data.sessionRecording !== null && (
          <p class="soft small">{texts(stream && isChecked ? 'session_recorded' : 'session_not_recorded')}</p>
        )}
        <PersonaDetails texts={texts} persona={state.attempt.persona} />
        {steps.done > 0 && (
          <p class="quiet">
            <button
              type="button"
              class="plain"
              disabled={state.sending !== null}
              onClick={() => interview.dispatch({ type: 'finishing', isOpen: true })}
            >
              {texts('finish')}
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** Moves the focus to the heading when the page shows another view, so that screen readers read the heading. */
function useFocus(page: { current: HTMLDivElement | null }, view: string): void {
  const shown = useRef(view);
  useLayoutEffect(() => {
    if (shown.current === view) return;
    shown.current = view;
    scrollTo(0, 0);
    page.current?.querySelector<HTMLElement>('h1:not([hidden] *)')?.focus();
  }, [view]);
}

/**
 * Returns the text for the time left, updated every second, and the one that screen readers announced last. Ends the time
 * of the attempt when it is over and no answer is being sent.
 */
function useTimeLeft(interview: Interview, texts: TakingTexts) {
  const read = () => {
    const remainingMs = interview.remainingMs();
    return { text: timeLeft(texts, remainingMs), minutes: Math.max(0, Math.ceil(remainingMs / 60_000)) };
  };
  const [time, setTime] = useState<ReturnType<typeof read> & { announced?: string }>(read);
  useEffect(() => {
    const timer = setInterval(() => {
      const now = read();
      setTime((before) => {
        if (before.text === now.text) return before;
        // Compares with the previous count, because the timer skips minutes while the computer sleeps.
        return crossesAnnouncedMinute(before.minutes, now.minutes)
          ? { ...now, announced: now.text }
          : { ...before, ...now };
      });
      const { sending, isOver } = interview.state;
      if (interview.remainingMs() <= 0 && !sending && !isOver) interview.endTime();
    }, 500);
    return () => clearInterval(timer);
  }, [interview]);
  return time;
}
