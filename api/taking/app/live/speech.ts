import type { Portal } from '../portal-client';
import { retryUntilResult } from './ask-patiently';
import { heardMs } from './heard';

/* Plays the speech of a turn, which can be lowered and stopped at once. */

/** How often the page reports what was played, in milliseconds. */
const progressMs = 200;
/** The volume while the candidate may be interrupting. */
const lowered = 0.2;
/** So many milliseconds after the sound of listening, it may still come back through the microphone. */
const echoMs = 250;
/** The seconds in which the volume changes. A jump would click. */
const glide = 0.02;

export type SpeechPlayer = ReturnType<typeof createSpeechPlayer>;
type Listener = {
  onAudible: () => void;
  onProgress: (ms: number) => void;
  /** Called at the end of the speech, or when there is none. */
  onEnd: (ms: number) => void;
};

/** Returns functions that play one speech after another. `analyser` is what the figure's mouth moves with. */
export function createSpeechPlayer(
  context: AudioContext,
  portal: Portal,
  { onAudible, onProgress, onEnd }: Listener,
) {
  const analyser = context.createAnalyser();
  analyser.fftSize = 1_024;
  analyser.smoothingTimeConstant = 0;
  const volume = context.createGain();
  volume.connect(analyser).connect(context.destination);
  let playing: { source: AudioBufferSourceNode; startedAt: number; length: number } | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  /** The short sound of listening, which is loaded with the first turn. Null if there is none. */
  let listening: AudioBuffer | null | undefined;
  let murmuring: { source: AudioBufferSourceNode; volume: GainNode } | undefined;
  let murmuredAt = -Infinity;
  /** Counts the speeches. One that was loaded too late is not played. */
  let version = 0;

  const setVolume = (to: number): void => {
    volume.gain.cancelScheduledValues(context.currentTime);
    volume.gain.setTargetAtTime(to, context.currentTime, glide / 3);
  };
  const playedMs = (): number =>
    playing
      ? heardMs({
          ...playing,
          now: context.currentTime,
          latency: context.outputLatency || context.baseLatency,
        })
      : 0;

  async function load(turnId: string, isCurrent: () => boolean): Promise<AudioBuffer | undefined> {
    const file = await retryUntilResult(
      () => portal.file('turn-speech', { query: { turn_id: turnId } }),
      isCurrent,
    );
    return file ? context.decodeAudioData(await file.arrayBuffer()) : undefined;
  }

  async function loadListening(turnId: string): Promise<void> {
    listening = null;
    const file = await portal.file('turn-speech', { query: { turn_id: turnId, sound: 'listening' } });
    if (file) listening = await context.decodeAudioData(await file.arrayBuffer());
  }

  function endMurmur(): void {
    if (!murmuring) return;
    murmuring.volume.gain.setTargetAtTime(0, context.currentTime, glide / 3);
    murmuring.source.stop(context.currentTime + glide);
    murmuring = undefined;
    murmuredAt = performance.now();
  }

  /** Stops the speech and returns the milliseconds that were heard. */
  function stop(): number {
    endMurmur();
    version += 1;
    clearInterval(timer);
    const ms = playedMs();
    if (playing) {
      setVolume(0);
      playing.source.stop(context.currentTime + glide);
    }
    playing = undefined;
    return ms;
  }

  return {
    analyser,
    get isPlaying(): boolean {
      return playing !== undefined;
    },
    /** True while the sound of listening can be heard, or come back through the microphone. */
    get isMurmuring(): boolean {
      return murmuring !== undefined || performance.now() - murmuredAt < echoMs;
    },
    /** Plays the sound of listening, if there is one. Whatever is played next ends it. */
    murmur(): void {
      if (!listening || playing || murmuring) return;
      const mine = { source: context.createBufferSource(), volume: context.createGain() };
      mine.source.buffer = listening;
      mine.source.connect(mine.volume).connect(context.destination);
      mine.source.addEventListener('ended', () => {
        if (murmuring === mine) endMurmur();
      });
      mine.source.start();
      murmuring = mine;
    },
    async play(turnId: string): Promise<void> {
      stop();
      if (listening === undefined) void loadListening(turnId).catch(() => undefined);
      const mine = version;
      const isCurrent = () => mine === version;
      const buffer = await load(turnId, isCurrent).catch(() => undefined);
      if (!isCurrent()) return;
      if (!buffer) {
        onEnd(0);
        return;
      }
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(volume);
      setVolume(1);
      source.addEventListener('ended', () => {
        if (!isCurrent()) return;
        const ms = Math.round(buffer.duration * 1_000);
        stop();
        onEnd(ms);
      });
      source.start();
      playing = { source, startedAt: context.currentTime, length: buffer.duration };
      onAudible();
      timer = setInterval(() => onProgress(playedMs()), progressMs);
    },
    lower: () => setVolume(lowered),
    raise: () => setVolume(1),
    stop,
  };
}
