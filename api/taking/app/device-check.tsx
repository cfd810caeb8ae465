import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TakingTexts } from '../texts';
import type { Devices } from './devices';
import { LevelMeter } from './level-meter';
import { useStore } from './use-store';

/** Shows the camera's picture, mirrored. Renders nothing for a stream without video. */
export function Picture({ stream, texts }: { stream: MediaStream; texts: TakingTexts }): VNode | null {
  const video = useRef<HTMLVideoElement>(null);
  const hasPicture = stream.getVideoTracks().length > 0;
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return hasPicture ? (
    <video ref={video} class="picture" autoplay muted playsInline aria-label={texts('camera')} />
  ) : null;
}

type Props = {
  texts: TakingTexts;
  devices: Devices;
  /** True if the answer cannot be given without a camera. */
  isVideoNeeded?: boolean;
  /** `children` are shown below the check when the devices are open, and `otherwise` when they cannot be opened. */
  children?: ComponentChildren;
  otherwise?: ComponentChildren;
};

/** Asks for the microphone and the camera, shows what they pick up, and lets the candidate choose others. */
export function DeviceCheck({ texts, devices, isVideoNeeded = false, children, otherwise }: Props): VNode {
  const { phase, stream, problem, isWithoutCamera } = useStore(devices);
  return (
    <section class="devices">
      <h2>{texts('devices_title')}</h2>
      {stream ? (
        <>
          <Picture stream={stream} texts={texts} />
          {isWithoutCamera && (
            <p class="note" role="status">
              {texts(isVideoNeeded ? 'video_problem' : 'no_camera')}
            </p>
          )}
          <p id="say">{texts('devices_say')}</p>
          <LevelMeter texts={texts} stream={stream} isSilenceShown />
          <Choices texts={texts} devices={devices} stream={stream} />
          <div class="buttons">{children}</div>
        </>
      ) : (
        <>
          {problem ? (
            <p class="error" role="alert">
              {texts(isVideoNeeded ? 'video_problem' : problem)}
            </p>
          ) : (
            <p>{texts('devices_text')}</p>
          )}
          <div class="buttons">
            <button type="button" disabled={phase === 'asking'} onClick={() => void devices.open()}>
              {texts(problem ? 'try_again' : 'devices_start')}
            </button>
            {otherwise}
          </div>
        </>
      )}
    </section>
  );
}

type ChoicesProps = { texts: TakingTexts; devices: Devices; stream: MediaStream };

/** The lists of devices. They are shown if there are at least two devices of a kind. */
function Choices({ texts, devices, stream }: ChoicesProps): VNode {
  const [known, setKnown] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    const read = () => void navigator.mediaDevices.enumerateDevices().then(setKnown);
    read();
    navigator.mediaDevices.addEventListener('devicechange', read);
    return () => navigator.mediaDevices.removeEventListener('devicechange', read);
  }, [stream]);
  const usedId = (tracks: MediaStreamTrack[]) => tracks[0]?.getSettings().deviceId;
  const audioId = usedId(stream.getAudioTracks());
  const videoId = usedId(stream.getVideoTracks());
  const list = (kind: MediaDeviceKind, used: string | undefined, choose: (id: string) => void) => {
    const found = known.filter((device) => device.kind === kind && device.deviceId !== '');
    if (found.length < 2) return null;
    return (
      <label class="device">
        {texts(kind === 'audioinput' ? 'microphone' : 'camera')}
        <select onChange={(event) => choose(event.currentTarget.value)}>
          {found.map(({ deviceId, label }) => (
            <option value={deviceId} selected={deviceId === used}>
              {label}
            </option>
          ))}
        </select>
      </label>
    );
  };
  const open = (choice: { audioId?: string | undefined; videoId?: string | undefined }) => {
    const { audioId: microphone, videoId: camera } = { audioId, videoId, ...choice };
    void devices.open({
      ...(microphone === undefined ? {} : { audioId: microphone }),
      ...(camera === undefined ? {} : { videoId: camera }),
    });
  };
  return (
    <>
      {list('audioinput', audioId, (id) => open({ audioId: id }))}
      {stream.getVideoTracks().length > 0 && list('videoinput', videoId, (id) => open({ videoId: id }))}
    </>
  );
}
