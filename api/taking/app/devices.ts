import type { TakingText } from '../texts';
import { readFlag, writeFlag } from './flags';
import { recordedFormat } from './recorder';

type DeviceProblem = Extract<TakingText, 'denied' | 'no_device' | 'device_busy' | 'cannot_record'>;
type Choice = { audioId?: string; videoId?: string };
export type Devices = ReturnType<typeof createDevices>;

/**
 * The `phase` is `unasked` until the candidate starts the check. `isChecked` is true after the candidate has
 * completed it.
 */
type DevicesState = {
  phase: 'unasked' | 'asking' | 'open' | 'failed';
  stream: MediaStream | null;
  problem: DeviceProblem | null;
  /** True if the interview records video but there is no camera, so that only the voice is recorded. */
  isWithoutCamera: boolean;
  isChecked: boolean;
  /** True if the candidate types answers instead of recording them. */
  isTyping: boolean;
};

/**
 * Holds the stream of the microphone and, for `video`, of the camera. Nothing is recorded until the candidate has
 * completed the check; from then on, `onReady` is called with each stream. Entries in the tab's session storage whose names
 * begin with `storageKey` say that the devices were checked and that the candidate types, so that a reload asks for neither again.
 */
export function createDevices(
  kind: 'audio' | 'video',
  { storageKey, onReady }: { storageKey?: string; onReady?: (stream: MediaStream) => void } = {},
) {
  const listeners = new Set<() => void>();
  const typingKey = storageKey === undefined ? undefined : `${storageKey} typing`;
  let state: DevicesState = {
    phase: 'unasked',
    stream: null,
    problem: null,
    isWithoutCamera: false,
    isChecked: storageKey !== undefined && readFlag(storageKey),
    isTyping: typingKey !== undefined && readFlag(typingKey),
  };
  const change = (changes: Partial<DevicesState>): void => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  const fail = (problem: DeviceProblem): void => change({ phase: 'failed', problem, stream: null });
  const stopTracks = (): void => state.stream?.getTracks().forEach((track) => track.stop());

  return {
    kind,
    get state(): DevicesState {
      return state;
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Asks for the devices. A missing camera is not an error, because the voice can be recorded without it. */
    async open(choice: Choice = {}): Promise<void> {
      if (state.phase === 'asking') return;
      if (!recordedFormat(kind) || !navigator.mediaDevices) {
        fail('cannot_record');
        return;
      }
      stopTracks();
      change({ phase: 'asking', problem: null });
      try {
        const { stream, isWithoutCamera } = await openStream(kind, choice);
        const [microphone] = stream.getAudioTracks();
        microphone?.addEventListener('ended', async () => {
          const isDenied = await isMicrophoneDenied();
          if (state.stream === stream) fail(isDenied ? 'denied' : 'no_device');
        });
        change({ phase: 'open', stream, isWithoutCamera });
        if (state.isChecked) onReady?.(stream);
      } catch (error) {
        fail(problemOf(error));
      }
    },
    confirm(): void {
      if (storageKey !== undefined) writeFlag(storageKey, true);
      if (!state.isChecked && state.stream) onReady?.(state.stream);
      change({ isChecked: true });
    },
    setTyping(isTyping: boolean): void {
      if (typingKey !== undefined) writeFlag(typingKey, isTyping);
      change({ isTyping });
    },
    close(): void {
      stopTracks();
      change({ phase: 'unasked', stream: null });
    },
  };
}

const pictureSize = { width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 20, max: 30 } };

async function openStream(kind: 'audio' | 'video', { audioId, videoId }: Choice) {
  const audio = audioId === undefined ? true : { deviceId: { exact: audioId } };
  const video = { ...pictureSize, ...(videoId === undefined ? {} : { deviceId: { exact: videoId } }) };
  const open = (constraints: MediaStreamConstraints) => navigator.mediaDevices.getUserMedia(constraints);
  if (kind === 'audio') return { stream: await open({ audio }), isWithoutCamera: false };
  try {
    return { stream: await open({ audio, video }), isWithoutCamera: false };
  } catch {
    // The error does not say which device failed, so the microphone is tried without the camera.
    return { stream: await open({ audio }), isWithoutCamera: true };
  }
}

/** Returns true if the browser says that the page may not use the microphone. Not all browsers do. */
async function isMicrophoneDenied(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'microphone' })).state === 'denied';
  } catch {
    return false;
  }
}

function problemOf(error: unknown): DeviceProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  if (name === 'NotSupportedError') return 'cannot_record';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'no_device' : 'device_busy';
}
