import type { LanguageCode } from '../../db/platform/vocabulary';
import { createHeardAnswer } from './draft';
import type { HeardAnswer } from './draft';
import type { ConnectionLostReason, OpenTranscription } from './hearing';
import { createListener } from './listener';
import { beginListening, whyTurnOver } from './patience';
import type { ListeningState, Patience } from './patience';
import { asksForMoment, soundsFinished } from './sounds-finished';

type AnswersDeps = {
  openHearing: OpenTranscription;
  /** The code of ISO 639 with which the provider listens. */
  isoCode: string;
  language: LanguageCode;
  patience: Patience;
  onCaption: (turnId: string, text: string) => void;
  /** Some sound was not heard. */
  onGap: () => void;
  /** Nothing is heard any more. */
  onGone: (reason: ConnectionLostReason) => void;
};

/** Listens to the answers of one conversation, one at a time, and notices when an answer is over. */
export function createAnswerListener({
  language,
  patience,
  onCaption,
  onGap,
  onGone,
  ...provider
}: AnswersDeps) {
  /** The answer to which the sound belongs. Without one, nothing is passed on to the provider. */
  let draft: HeardAnswer | undefined;
  let listening: ListeningState = beginListening(0);
  const recordings = new Map<string, string>();
  const listener = createListener(provider.openHearing, provider.isoCode, {
    onStarted: (piece, atMs) => {
      draft?.begin(piece);
      listening = { ...listening, speakingSince: atMs };
    },
    onStopped: (_piece, atMs) => {
      listening = { ...listening, speakingSince: null, quietSince: atMs, isFinished: null };
    },
    onWords: (piece, words) => {
      if (!draft?.write(piece, words)) return;
      const text = draft.text();
      onCaption(draft.turnId, text);
      if (!draft.isSettled()) return;
      const momentAt = asksForMoment(text, language) ? listening.quietSince : listening.momentAt;
      listening = { ...listening, isFinished: soundsFinished(text, language), momentAt };
    },
    onGap: () => {
      draft?.lose();
      const quietSince = listening.speakingSince === null ? listening.quietSince : listener.now();
      listening = { ...listening, speakingSince: null, quietSince, isFinished: null };
      onGap();
    },
    onGone,
  });

  return {
    get draft(): HeardAnswer | undefined {
      return draft;
    },
    isSpeaking: (): boolean => listening.speakingSince !== null,
    hasSpoken: (): boolean => listening.speakingSince !== null || listening.quietSince !== null,
    tookMs: (): number => listener.now() - listening.since,
    /** Returns what was heard. What has no letter or digit is silence, as it is in a transcript. */
    words(): string {
      const text = draft?.text().toWellFormed() ?? '';
      return /[\p{L}\p{N}]/u.test(text) ? text : '';
    },
    /**
     * Begins to listen to the answer of a turn. `isWhole` is false if its beginning may have been missed, and `hasSpoken` true if
     * there was one.
     */
    open(turnId: string, { isWhole, hasSpoken }: { isWhole: boolean; hasSpoken: boolean }): void {
      listener.clear();
      draft = createHeardAnswer(turnId, { isWhole });
      listening = beginListening(listener.now());
      if (hasSpoken) listening = { ...listening, quietSince: listener.now() };
    },
    /** The page records the answer of a turn. */
    record(turnId: string, recordingId: string): void {
      // An attempt has few turns that can be recorded at a time: the open one and the one before.
      if (recordings.size > 4) recordings.clear();
      recordings.set(turnId, recordingId);
    },
    recordingOf: (turnId: string): string | null => recordings.get(turnId) ?? null,
    /** Goes on with an answer that was over. */
    resume(taken: HeardAnswer): void {
      draft = taken;
      listening = { ...listening, quietSince: listener.now(), isFinished: null };
    },
    /** Stops listening. */
    close(): void {
      draft = undefined;
    },
    append(sound: Buffer): void {
      if (draft) listener.append(sound);
    },
    whyOver(maxMs: number | null): 'answered' | 'silent' | null {
      // While the provider stalls, the candidate may go on: that is no pause, and nobody knows how the words sound.
      const quietSince = listener.unheardAt();
      const isUnheard = quietSince !== null && quietSince > (listening.quietSince ?? 0);
      const known = isUnheard ? { ...listening, quietSince, isFinished: null } : listening;
      return whyTurnOver(known, patience, listener.now(), maxMs);
    },
    /** The candidate asks for a moment. */
    wait(): void {
      listening = { ...listening, momentAt: listener.now() };
    },
    /** Ends the answer: waits until its last words are written down, for `limitMs` at most. */
    async finish(limitMs: number): Promise<void> {
      listener.endSpeech();
      listening = { ...listening, speakingSince: null };
      await draft?.settled(limitMs);
      if (listener.unheardAt() !== null) draft?.lose();
    },
    takeListenedMs: () => listener.takeListenedMs(),
    end: () => listener.close(),
  };
}
