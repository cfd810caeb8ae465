import type { TranscriptionSession, ConnectionLostReason, OpenTranscription } from './hearing';
import { frameMs } from './wire';

/** The times are positions on the clock of the listener (`now`), which counts the frames that it has got. */
type ListenerEvents = {
  onStarted: (piece: string, atMs: number) => void;
  onStopped: (piece: string, atMs: number) => void;
  onWords: (piece: string, words: string | null) => void;
  /** Some sound was not heard: a session was lost and another one has begun. */
  onGap: () => void;
  /** Nothing is heard any more. */
  onGone: (reason: ConnectionLostReason) => void;
};
export type Listener = ReturnType<typeof createListener>;

/** This much sound waits for a session to become ready. If it takes longer, the listener gives up. */
const maxWaitingFrames = 5_000 / frameMs;
/** A session that is lost is opened again so many times within a minute. */
const maxReopenings = 2;
/** The provider ends sessions after an hour. A session of this age is replaced where it is not noticed. */
const renewAfterMs = 50 * 60_000;
/** Loud sound for so long without an event, or quiet for so long within a speech, means that a session is stuck. */
const stuckMs = { loud: 4_000, quiet: 10_000 };
/** A page that was away sends seconds of sound at once, and the provider needs this long to react. */
const reactionMs = 1_000;
const loudLevel = 0.02;
const quietLevel = 0.005;
/** So much sound as loud as speech that the provider has not noticed is no pause. Quiet for less than `gapMs` does not end it. */
const unheardMs = 600;
const gapMs = 300;
/** Nobody talks for so long without a pause that the provider notices: it takes noise for speech, and a turn would never end. */
const longestSpeechMs = 180_000;

/** Listens to one candidate for as long as the conversation takes, in as many sessions of the provider as that needs. */
export function createListener(open: OpenTranscription, language: string, events: ListenerEvents) {
  let hearing: TranscriptionSession | undefined;
  let session = 0;
  let openedAt = 0;
  let isReady = false;
  let isSpeech = false;
  let isOver = false;
  let waiting: Buffer[] = [];
  let frames = 0;
  let unrecorded = 0;
  let lostAt: number[] = [];
  let suspicionMs = 0;
  let speechMs = 0;
  let suspectedAt = 0;
  /** The usual level of what the provider takes for speech: noise that it ignores is quieter. */
  let usualLevel = 0;
  let loudMs = 0;
  let quietMs = 0;
  let unheardAt: number | null = null;

  /** The provider has noticed what was said so far, or it does not matter any more. */
  function trust(): void {
    suspicionMs = 0;
    loudMs = 0;
    unheardAt = null;
  }

  function begin(): void {
    const mine = (session += 1);
    let base = 0;
    isReady = false;
    isSpeech = false;
    trust();
    openedAt = Date.now();
    const named = (item: string) => `${mine}/${item}`;
    // A position in the future would be a pause that never ends.
    const positionOf = (atMs: number) => Math.min(base + atMs, frames * frameMs);
    hearing = open(language, {
      onReady: () => {
        base = (frames - waiting.length) * frameMs;
        isReady = true;
        for (const sound of waiting) hearing?.append(sound);
        waiting = [];
      },
      onStarted: (item, atMs) => {
        isSpeech = true;
        speechMs = 0;
        trust();
        events.onStarted(named(item), positionOf(atMs));
      },
      onStopped: (item, atMs) => {
        isSpeech = false;
        trust();
        events.onStopped(named(item), positionOf(atMs));
      },
      onWords: (item, words) => events.onWords(named(item), words),
      onLost: lose,
    });
  }

  function lose(reason: ConnectionLostReason): void {
    if (isOver) return;
    hearing?.close();
    const minuteAgo = Date.now() - 60_000;
    lostAt = [...lostAt.filter((at) => at > minuteAgo), Date.now()];
    if (reason === 'refused' || reason === 'rate_limit' || lostAt.length > maxReopenings)
      return giveUp(reason);
    events.onGap();
    begin();
  }

  function giveUp(reason: ConnectionLostReason): void {
    isOver = true;
    hearing?.close();
    events.onGone(reason);
  }

  const isLikeSpeech = (level: number) => level > Math.max(loudLevel, usualLevel / 2);

  /** Notices speech that the provider does not notice, because it stalls or is being connected. */
  function notice(level: number): void {
    if (isSpeech) {
      if (level > loudLevel) usualLevel += (level - usualLevel) * 0.02;
      return;
    }
    const isLoud = isLikeSpeech(level);
    quietMs = isLoud ? 0 : quietMs + frameMs;
    loudMs = isLoud ? loudMs + frameMs : quietMs > gapMs ? 0 : loudMs;
    if (isLoud && loudMs >= unheardMs) unheardAt = frames * frameMs;
  }

  /** Notices a session that is open but does not listen. */
  function suspect(level: number): void {
    if (isSpeech && (speechMs += frameMs) >= longestSpeechMs) return giveUp('stalled');
    if (suspicionMs === 0) suspectedAt = Date.now();
    if (isSpeech) suspicionMs = level < quietLevel ? suspicionMs + frameMs : 0;
    else if (isLikeSpeech(level)) suspicionMs += frameMs;
    if (suspicionMs >= (isSpeech ? stuckMs.quiet : stuckMs.loud) && Date.now() - suspectedAt >= reactionMs)
      lose('stalled');
  }

  begin();
  return {
    /** The position after the last frame, in milliseconds. */
    now: (): number => frames * frameMs,
    /** The position after the last speech that the provider has not noticed, or null. */
    unheardAt: (): number | null => unheardAt,
    append(sound: Buffer): void {
      if (isOver) return;
      frames += 1;
      unrecorded += 1;
      const level = levelOf(sound);
      notice(level);
      if (isReady) {
        hearing?.append(sound);
        suspect(level);
      } else if (waiting.push(sound) > maxWaitingFrames) giveUp('stalled');
    },
    /** Forgets sound that belongs to no answer, and renews an old session. */
    clear(): void {
      if (isOver) return;
      waiting = [];
      trust();
      if (Date.now() - openedAt > renewAfterMs) {
        hearing?.close();
        begin();
      } else {
        isSpeech = false;
        hearing?.clear();
      }
    },
    /** Lets the provider notice at once that the speech has ended. */
    endSpeech(): void {
      if (isSpeech) for (let ms = 0; ms < 700; ms += frameMs) this.append(silentFrame);
    },
    /** Returns how much was listened to since the last call, in milliseconds. */
    takeListenedMs(): number {
      const ms = unrecorded * frameMs;
      unrecorded = 0;
      return ms;
    },
    close(): void {
      isOver = true;
      hearing?.close();
    },
  };
}

const silentFrame = Buffer.alloc(960);

/** Returns how loud a frame of PCM16 is, from 0 to 1. */
function levelOf(sound: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < sound.length; at += 2) sum += sound.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (sound.length / 2)) / 32_768;
}
