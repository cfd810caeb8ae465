import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';
import { DeviceCheck } from './device-check';
import type { Devices } from './devices';
import { Playback } from './playback';
import { mediaTypeOf, recordedFormat, startRecorder } from './recorder';
import type { Recorder } from './recorder';
import { useCountdown } from './use-countdown';
import { useStore } from './use-store';

const practiceSeconds = 20;

type Props = { texts: TakingTexts; devices: Devices; isVideoRequired: boolean };

/**
 * Lets a candidate check the devices and play back a test recording. Nothing leaves the browser, so no consent is
 * needed yet.
 */
export function Practice({ texts, devices, isVideoRequired }: Props): VNode {
  return (
    <details class="practice" onToggle={(event) => event.currentTarget.open || devices.close()}>
      <summary>{texts('try_out')}</summary>
      <p>
        {texts('try_out_text')} {!isVideoRequired && texts('can_type')}
      </p>
      <DeviceCheck texts={texts} devices={devices} isVideoNeeded={isVideoRequired}>
        <PracticeRecording texts={texts} devices={devices} />
      </DeviceCheck>
    </details>
  );
}

function PracticeRecording({ texts, devices }: Omit<Props, 'isVideoRequired'>): VNode | null {
  const { stream } = useStore(devices);
  const [recorder, setRecorder] = useState<Recorder>();
  const [recording, setRecording] = useState<Blob>();
  const chunks = useRef<Blob[]>([]);

  const begin = () => {
    const hasPicture = devices.kind === 'video' && (stream?.getVideoTracks().length ?? 0) > 0;
    const format = recordedFormat(hasPicture ? 'video' : 'audio');
    if (!stream || format === undefined) return;
    chunks.current = [];
    setRecording(undefined);
    const started = startRecorder(stream, {
      format,
      chunkMs: 1_000,
      onChunk: (chunk) => void chunks.current.push(chunk),
    });
    setRecorder({
      async stop() {
        const lengthMs = await started.stop();
        setRecorder(undefined);
        setRecording(new Blob(chunks.current, { type: mediaTypeOf(format) }));
        return lengthMs;
      },
    });
  };
  const left = useCountdown(practiceSeconds, recorder !== undefined, () => void recorder?.stop());
  if (!stream) return null;
  return (
    <>
      {recorder ? (
        <>
          <p class="running" role="timer">
            {texts('recording_left', { duration: { value: left ?? 0, unit: 'second' } })}
          </p>
          <button type="button" onClick={() => void recorder.stop()}>
            {texts('recording_stop')}
          </button>
        </>
      ) : (
        <button type="button" class={recording ? 'plain' : ''} onClick={begin}>
          {texts(recording ? 'record_again' : 'record')}
        </button>
      )}
      {recording && <Playback texts={texts} recording={recording} />}
    </>
  );
}
