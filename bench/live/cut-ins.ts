import { createAnswerListener } from '../../api/live/answers';
import type { TranscriptionSession, TranscriptionEvents } from '../../api/live/hearing';
import { createSpeechDetector } from '../../local/fakes/speech-detector';
import { createRandom } from '../../local/seed/history/random';
import { percentile } from './sound';

/*
 * How often the interviewer speaks before an answer has ended, computed without waiting: 200 answers of speech and silence go
 * frame by frame through what listens in the product, with a provider that hears at once and writes words down after a while.
 */

/** A piece of speech, the pause after it, and what the provider writes down of it. */
type Piece = { speechMs: number; pauseMs: number; words: string };
export type CutIns = { share: number; withdrawn: number; waitMs: { p50: number; p95: number } };

const answers = 200;
const frameMs = 20;
/** How long the provider takes for the words of a piece, after it has noticed the end of the speech. */
const wordsMs = 250;
/** An answer that goes on in the first second of the next turn is taken back. */
const withdrawableMs = 1_000;
const endsFinished = 0.85;

/** Only the level of a frame counts, so one sample is enough. */
const loud = Buffer.from([0, 0x20]);
const quiet = Buffer.alloc(2);

/** Returns answers of which this share of the pauses, and 85 % of the ends, follow a whole sentence. */
export function composeAnswers(pausesFinished: number): Piece[][] {
  const random = createRandom(42).next;
  const inFrames = (ms: number) => frameMs * Math.round(ms / frameMs);
  return Array.from({ length: answers }, () => {
    const pauses = 1 + Math.floor(random() * 4);
    return Array.from({ length: pauses + 1 }, (_, index) => {
      const isEnd = index === pauses;
      const isFinished = random() < (isEnd ? endsFinished : pausesFinished);
      return {
        speechMs: inFrames(1_000 + 4_000 * random()),
        // From 0.5 to 4 seconds; short pauses are more frequent.
        pauseMs: isEnd ? Number.POSITIVE_INFINITY : inFrames(500 * 8 ** (random() ** 1.5)),
        words: isFinished ? 'I planned the work of my whole team.' : 'I planned the work of my',
      };
    });
  });
}

/** Computes how the interviewer would have replied to the answers with this patience. */
export function computeCutIns(
  given: readonly Piece[][],
  patience: { finishedMs: number; unfinishedMs: number },
): CutIns {
  const waits: number[] = [];
  let cut = 0;
  let withdrawn = 0;
  for (const pieces of given) {
    const { beforeEndMs, waitMs, goesOnMs } = reply(pieces, patience);
    if (!beforeEndMs) waits.push(waitMs);
    else cut += 1;
    if (beforeEndMs && goesOnMs <= withdrawableMs) withdrawn += 1;
  }
  const waitMs = { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95) };
  return { share: cut / given.length, withdrawn: withdrawn / given.length, waitMs };
}

/** Plays one answer until the interviewer speaks. */
function reply(pieces: readonly Piece[], patience: { finishedMs: number; unfinishedMs: number }) {
  let current = 0;
  let now = 0;
  const due: { at: number; tell: () => void }[] = [];
  const openHearing = (_language: string, events: TranscriptionEvents): TranscriptionSession => {
    const detector = createSpeechDetector(500);
    events.onReady();
    return {
      append(sound) {
        const change = detector.hear(sound);
        const item = String(current);
        if (change?.type === 'started') events.onStarted(item, change.ms);
        if (change?.type !== 'stopped') return;
        const words = pieces[current]?.words ?? '';
        events.onStopped(item, change.ms - 500);
        due.push({ at: now + wordsMs, tell: () => events.onWords(item, words) });
      },
      clear: () => detector.reset(),
      close: () => undefined,
    };
  };
  const ignore = () => undefined;
  const listening = createAnswerListener({
    openHearing,
    isoCode: 'en',
    language: 'en',
    patience: { thinkMs: 30_000, momentMs: 20_000, ...patience },
    onCaption: ignore,
    onGap: ignore,
    onGone: ignore,
  });
  listening.open('turn', { isWhole: true, hasSpoken: false });
  for (const [index, { speechMs, pauseMs }] of pieces.entries()) {
    current = index;
    for (let ms = 0; ms < speechMs + pauseMs; ms += frameMs, now += frameMs) {
      while (due[0] && due[0].at <= now) due.shift()?.tell();
      listening.append(ms < speechMs ? loud : quiet);
      if (listening.whyOver(null) === null) continue;
      return {
        beforeEndMs: index < pieces.length - 1,
        waitMs: ms - speechMs,
        goesOnMs: speechMs + pauseMs - ms,
      };
    }
  }
  throw new Error('an answer has no end');
}
