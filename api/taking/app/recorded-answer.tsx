import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownTurn } from '../pages/turn-view';
import type { TakingText, TakingTexts } from '../texts';
import { Picture } from './device-check';
import type { InterviewState } from './interview-state';
import { LevelMeter } from './level-meter';
import { Playback } from './playback';
import { recordedFormat, startRecorder } from './recorder';
import type { Recorder } from './recorder';
import { startAnswerRecording } from './take';
import type { AnswerRecording } from './take';
import { useCountdown } from './use-countdown';
import type { AppProps } from './use-interview';

/**
 * In templates that are not interactive, candidates get time to prepare each recorded answer and can record it twice.
 */
const preparationSeconds = 30;
const takesPerQuestion = 2;

type Props = AppProps & {
  state: InterviewState;
  turn: ShownTurn;
  /** Null until the devices are open. A recording that was kept can be sent without them. */
  stream: MediaStream | null;
  /** True if the candidate wants to record the answer again instead of sending the recording that was kept. */
  isAgain: boolean;
  /** Called when the candidate begins to record. Without a stream, the devices must be opened first. */
  onBegin: () => void;
  /** Called when the recording begins and ends. */
  onRecording: (isRecording: boolean) => void;
};
type Phase =
  | { name: 'ready' | 'recording' | 'sending' }
  /** `isKept` is true if the answer was recorded before the page was reloaded. */
  | { name: 'review'; recording: Blob; isKept: boolean };

/**
 * Records the answer of a turn until the candidate presses a button or the maximum duration is reached. If the answer
 * can be recorded again, or was recorded before the page was reloaded, the candidate can play it before it is sent.
 */
export function RecordedAnswer(props: Props): VNode {
  const { data, texts, interview, portal, kept, state, turn, stream, isAgain, onBegin, onRecording } = props;
  const [phase, setPhase] = useState<Phase>({ name: 'ready' });
  const [takes, setTakes] = useState(isAgain ? 1 : 0);
  const [isWaiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<TakingText | null>(null);
  const take = useRef<AnswerRecording>();
  const startKept = useRef<() => void>();
  const controls = useRef<HTMLDivElement>(null);
  const isOffline = !data.isSpoken;
  const seconds = turn.answer.max_seconds;
  const wantsPicture = turn.answer.mode === 'video' && (stream?.getVideoTracks().length ?? 0) > 0;

  const onWaiting = (isNow: boolean) => {
    setWaiting(isNow);
    if (interview.state.sending) interview.dispatch({ type: isNow ? 'retrying' : 'sending' });
  };
  const start = (format: string, record: (onChunk: (chunk: Blob) => void) => Recorder) => {
    const after = take.current?.cancel();
    const options = { record, format, turnId: turn.turn_id, maxSeconds: seconds, onWaiting, after };
    take.current = startAnswerRecording(portal, options);
  };
  const begin = () => {
    onBegin();
    if (!stream) return;
    const format = recordedFormat(wantsPicture ? 'video' : 'audio');
    setProblem(null);
    setWaiting(false);
    try {
      if (format === undefined) throw new Error('this browser records nothing');
      start(format, (upload) => {
        const keep = kept.begin(turn.turn_id, format);
        const onChunk = (chunk: Blob) => {
          keep(chunk);
          upload(chunk);
        };
        return startRecorder(stream, { format, chunkMs: 1_000, onChunk });
      });
      setTakes(takes + 1);
      setPhase({ name: 'recording' });
    } catch {
      setProblem('cannot_record');
      setPhase({ name: 'ready' });
    }
  };
  const showKept = async () => {
    const found = await kept.read(turn.turn_id);
    if (!found || take.current) return;
    // Uploads it only when it is sent: the upload discards the one of another window that still records this answer.
    startKept.current = () =>
      start(found.format, (upload) => {
        upload(found.bytes);
        return { stop: async () => found.durationMs };
      });
    setTakes(takes + 1);
    setPhase({ name: 'review', recording: found.bytes, isKept: true });
  };
  const finish = () => {
    setPhase({ name: 'sending' });
    if (!take.current) startKept.current?.();
    return take.current?.finish() ?? Promise.resolve({ problem: 'recording_failed' as const });
  };
  const send = () => void interview.send(finish);
  const end = async () => {
    const recording = await take.current?.stop();
    if (isOffline && recording) setPhase({ name: 'review', recording, isKept: false });
    else send();
  };

  const isUnsent = phase.name === 'recording' || phase.name === 'review';
  useEffect(() => interview.offer(() => (isUnsent ? finish : undefined)));
  useEffect(() => () => void take.current?.cancel(), []);
  useEffect(() => {
    onRecording(phase.name === 'recording');
    return () => onRecording(false);
  }, [phase.name]);
  useEffect(() => {
    if (!isAgain) void showKept();
  }, []);
  // The focused button disappears when the phase changes, so the focus moves to the first button of the new phase.
  useEffect(() => {
    const isOpening = phase.name === 'review' && phase.isKept;
    if (takes > 0 && !isOpening) controls.current?.querySelector('button')?.focus();
  }, [phase.name]);
  // If the recording could not be stored, the candidate has to record the answer again or type it.
  useEffect(() => {
    if (state.problem === null || state.sending !== null || phase.name !== 'sending') return;
    kept.clear();
    setProblem(state.problem);
    setPhase({ name: 'ready' });
  }, [state.problem, state.sending]);

  const isPreparing = isOffline && phase.name === 'ready' && takes === 0 && problem === null;
  const toPrepare = useCountdown(preparationSeconds, isPreparing, begin);
  const left = useCountdown(seconds, phase.name === 'recording', () => void end());
  const inSeconds = (value: number) => ({ duration: { value, unit: 'second' as const } });
  const canRepeat = takes < takesPerQuestion;

  return (
    <div class="recorded" ref={controls}>
      {(phase.name === 'ready' || phase.name === 'recording') && stream && wantsPicture && (
        <Picture stream={stream} texts={texts} />
      )}
      {problem && (
        <p class="error" role="alert">
          {texts(problem)}
        </p>
      )}
      {phase.name === 'ready' && (
        <>
          {isPreparing && <p role="timer">{texts('prepare', inSeconds(toPrepare ?? 0))}</p>}
          {!isPreparing && seconds !== null && (
            <p class="soft">{texts('recording_longest', inSeconds(seconds))}</p>
          )}
          <div class="buttons">
            <button type="button" onClick={begin}>
              {texts('record')}
            </button>
            {turn.kind === 'introduction' && !turn.answer.required && (
              <button type="button" class="plain" onClick={() => void interview.send({ seen: true })}>
                {texts('skip')}
              </button>
            )}
          </div>
        </>
      )}
      {phase.name === 'recording' && (
        <>
          <p class="running" role="timer">
            {left === null ? texts('recording') : texts('recording_left', inSeconds(left))}
          </p>
          {stream && <LevelMeter texts={texts} stream={stream} isSilenceShown />}
          <button type="button" onClick={() => void end()}>
            {texts('recording_stop')}
          </button>
        </>
      )}
      {phase.name === 'review' && (
        <>
          {phase.isKept && (
            <p class="note" role="status">
              {texts('recording_kept')}
            </p>
          )}
          <Playback texts={texts} recording={phase.recording} />
          <div class="buttons">
            <button type="button" onClick={send}>
              {texts('send')}
            </button>
            {canRepeat && (
              <button type="button" class="plain" onClick={begin}>
                {texts('record_again')}
              </button>
            )}
          </div>
        </>
      )}
      <Waiting texts={texts} isShown={isWaiting && (phase.name === 'recording' || phase.name === 'review')} />
    </div>
  );
}

const Waiting = ({ texts, isShown }: { texts: TakingTexts; isShown: boolean }): VNode => (
  <p class={isShown ? 'note' : ''} role="status">
    {isShown && texts('not_sent')}
  </p>
);
