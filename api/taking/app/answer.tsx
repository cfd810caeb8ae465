import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ShownTurn } from '../pages/turn-view';
import { DeviceCheck, useDevices } from './device-check';
import type { InterviewState } from './interview-state';
import { RecordedAnswer } from './recorded-answer';
import { TypedAnswer } from './typed-answer';
import type { AppProps } from './use-interview';

type Props = AppProps & { state: InterviewState; turn: ShownTurn };

/**
 * The answer of a turn: typed, chosen or recorded. The devices are checked once, on the welcome or at the first question
 * that is recorded. Whoever cannot or does not want to record types.
 */
export function AnswerPart(props: Props): VNode {
  const { texts, devices, state, turn } = props;
  const { stream, phase, isChecked, isTyping } = useDevices(devices);
  const { mode } = turn.answer;
  const isRecorded = mode === 'voice' || mode === 'video';
  const isNeeded = isRecorded || props.data.sessionRecording !== null;
  // A reload opens the devices again without another check.
  useEffect(() => {
    if (isNeeded && isChecked && !isTyping && phase === 'unasked') void devices.open();
  }, [isNeeded, isChecked, isTyping, phase]);

  const isCheckDue = props.data.recording !== null && !(isChecked && stream) && !isTyping;
  const instead = (isNowTyping: boolean) => (
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
  const isCheckShown = isRecorded && !isTyping && (isCheckDue || !stream);
  // Going on from the welcome ends the check there.
  useEffect(
    () => () => {
      if (turn.kind === 'welcome' && devices.state.stream) devices.confirm();
    },
    [],
  );
  // The button that had the focus is gone when the check ends, so the focus moves to what follows.
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
        <DeviceCheck texts={texts} devices={devices} otherwise={instead(true)}>
          {isCheckShown && (
            <button type="button" onClick={() => devices.confirm()}>
              {texts('devices_good')}
            </button>
          )}
          {instead(true)}
        </DeviceCheck>
      ) : null}
      {isRecorded && !isTyping && stream && !isCheckShown && <RecordedAnswer {...props} stream={stream} />}
      {(!isRecorded || isTyping) && <TypedAnswer {...props} />}
      {isRecorded && !isCheckShown && <p class="quiet">{instead(!isTyping)}</p>}
    </div>
  );
}
