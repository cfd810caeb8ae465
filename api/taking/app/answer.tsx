import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ShownTurn } from '../pages/turn-view';
import { DeviceCheck } from './device-check';
import type { InterviewState } from './interview-state';
import { RecordedAnswer } from './recorded-answer';
import { TypedAnswer } from './typed-answer';
import type { AppProps } from './use-interview';
import { useStore } from './use-store';

type Props = AppProps & {
  state: InterviewState;
  turn: ShownTurn;
  isHeld: boolean;
  onRecording: (isRecording: boolean) => void;
};

/**
 * Lets the candidate type, choose or record an answer. The devices are checked once, at the welcome step or at the
 * first recorded question. A candidate who cannot or does not want to record can type instead, unless the answer has to be
 * a video.
 */
export function AnswerPart(props: Props): VNode {
  const { texts, devices, state, turn } = props;
  const { stream, phase, problem, isChecked, ...chosen } = useStore(devices);
  const { isOn: isTalkOffered } = useStore(props.live);
  const { mode, may_type: mayType } = turn.answer;
  const isRecorded = mode === 'voice' || mode === 'video';
  const isTyping = chosen.isTyping && (!isRecorded || mayType);
  // A recording that was not sent is shown before the devices are checked, because it can be sent without them.
  const [kept, setKept] = useState<'none' | 'shown' | 'again'>('none');
  useEffect(() => {
    if (isRecorded) void props.kept.read(turn.turn_id).then((found) => found && setKept('shown'));
  }, []);
  const isNeeded = isRecorded || props.data.sessionRecording !== null;
  // After a reload, the devices open without another check.
  useEffect(() => {
    if (isNeeded && isChecked && !isTyping && phase === 'unasked') void devices.open();
  }, [isNeeded, isChecked, isTyping, phase]);

  const isPictureMissing =
    mode === 'video' &&
    (!mayType || turn.kind === 'introduction') &&
    stream !== null &&
    stream.getVideoTracks().length === 0;
  const isCheckDue = props.data.recording !== null && !(isChecked && stream) && !isTyping;
  const instead = (isNowTyping: boolean) =>
    (isRecorded ? mayType : !props.data.isVideoRequired) && (
      <button
        type="button"
        class="plain"
        disabled={state.sending !== null}
        onClick={() => devices.setTyping(isNowTyping)}
      >
        {texts(isNowTyping ? 'type_instead' : 'record_instead')}
      </button>
    );
  const isWelcomeCheck = turn.kind === 'welcome' && isCheckDue;
  const isCheckShown =
    isRecorded && !isTyping && kept !== 'shown' && (isCheckDue || !stream || isPictureMissing);
  // A candidate who leaves the welcome step with open devices has completed the check.
  useEffect(
    () => () => {
      if (turn.kind === 'welcome' && devices.state.stream) devices.confirm();
    },
    [],
  );
  // The focused button disappears when the check ends, so the focus moves to the next field or button.
  const part = useRef<HTMLDivElement>(null);
  const wasCheckShown = useRef(isCheckShown);
  useEffect(() => {
    const isFocusLost = wasCheckShown.current !== isCheckShown && document.activeElement === document.body;
    if (isFocusLost) part.current?.querySelector<HTMLElement>('textarea, button')?.focus();
    wasCheckShown.current = isCheckShown;
  }, [isCheckShown]);

  return (
    <div ref={part}>
      {isCheckShown || isWelcomeCheck ? (
        <DeviceCheck
          texts={texts}
          devices={devices}
          isVideoNeeded={isRecorded ? mode === 'video' && !mayType : props.data.isVideoRequired}
          otherwise={instead(true)}
        >
          {(isCheckShown || isTalkOffered) && (
            <button
              type="button"
              onClick={() => (isPictureMissing ? void devices.open() : devices.confirm())}
            >
              {texts(isPictureMissing ? 'try_again' : 'devices_good')}
            </button>
          )}
          {instead(true)}
        </DeviceCheck>
      ) : null}
      {isRecorded && !isTyping && !isCheckShown && problem && (
        <p class="error" role="alert">
          {texts(problem)}
        </p>
      )}
      {isRecorded && !isTyping && !isCheckShown && (
        <RecordedAnswer
          {...props}
          stream={stream}
          isAgain={kept === 'again'}
          onBegin={() => setKept(stream ? 'none' : 'again')}
        />
      )}
      {/* The conversation, which follows the check, goes on by itself. */}
      {(!isRecorded || isTyping) && !(isWelcomeCheck && isTalkOffered && phase !== 'failed') && (
        <TypedAnswer {...props} />
      )}
      {isRecorded && !mayType && <p class="soft">{texts('video_needed')}</p>}
      {isRecorded && !isCheckShown && <p class="quiet">{instead(!isTyping)}</p>}
    </div>
  );
}
