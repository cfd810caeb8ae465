import type { ShownTurn } from '../../pages/turn-view';
import type { TakingText } from '../../texts';
import type { AnswerInput } from '../interview';
import type { KeptRecordings } from '../kept-recording';
import type { Portal } from '../portal-client';
import { recordedFormat, startRecorder } from '../recorder';
import type { Recorder } from '../recorder';
import { startAnswerRecording } from '../take';
import type { AnswerRecording } from '../take';

/* Records the answers of a live conversation: the recording is what is scored, and what recruiters hear. */

/** How often the recorder delivers bytes, in milliseconds. */
const chunkMs = 1_000;

type Deps = {
  portal: Portal;
  kept: KeptRecordings;
  stream: MediaStream;
  onCreated: (turnId: string, recordingId: string) => void;
};
/** A recording that is running. Its bytes are held back until `release`, because it may not become an answer. */
type Held = { turnId: string; recorder: Recorder; release: (onChunk: (chunk: Blob) => void) => void };

export type AnswerRecorder = ReturnType<typeof createAnswerRecorder>;

/** Records nothing: the questions of the visitors of a public avatar are only written down. */
export const nullRecorder: AnswerRecorder = {
  prepare: () => undefined,
  drop: () => undefined,
  record: () => undefined,
  isRecording: () => false,
  finish: () => Promise.resolve({ problem: 'recording_failed' }),
  leave: () => Promise.resolve(),
  settled: () => Promise.resolve(),
};

/** Returns functions that record one answer after another. The end of one may overlap the beginning of the next. */
export function createAnswerRecorder({ portal, kept, stream, onCreated }: Deps) {
  const takes = new Map<string, AnswerRecording>();
  const ending = new Set<Promise<unknown>>();
  let held: Held | undefined;

  function formatOf({ answer }: ShownTurn): string {
    const hasPicture = answer.mode === 'video' && stream.getVideoTracks().length > 0;
    const format = recordedFormat(hasPicture ? 'video' : 'audio');
    if (format === undefined) throw new Error('this browser records nothing');
    return format;
  }

  function hold(turn: ShownTurn): Held {
    const chunks: Blob[] = [];
    let pass = (chunk: Blob): void => void chunks.push(chunk);
    const recorder = startRecorder(stream, {
      format: formatOf(turn),
      chunkMs,
      onChunk: (chunk) => pass(chunk),
    });
    return {
      turnId: turn.turn_id,
      recorder,
      release(onChunk) {
        for (const chunk of chunks) onChunk(chunk);
        pass = onChunk;
      },
    };
  }

  function drop(): void {
    void held?.recorder.stop();
    held = undefined;
  }

  function finish(turnId: string): Promise<AnswerInput | { problem: TakingText }> {
    const take = takes.get(turnId);
    takes.delete(turnId);
    if (!take) return Promise.resolve({ problem: 'recording_failed' });
    const finished = take.finish();
    ending.add(finished);
    void finished.finally(() => ending.delete(finished));
    return finished;
  }

  return {
    /** Begins to record before the answer begins. */
    prepare(turn: ShownTurn): void {
      drop();
      held = hold(turn);
    },
    /** Drops what `prepare` has recorded. */
    drop,
    /** Records the answer of a turn, with what `prepare` has recorded if the answer has already begun. */
    record(turn: ShownTurn, isBegun: boolean): void {
      const { turn_id: turnId } = turn;
      const early = isBegun && held?.turnId === turnId ? held : undefined;
      const { recorder, release } = early ?? hold(turn);
      if (early) held = undefined;
      else drop();
      const format = formatOf(turn);
      const keep = kept.begin(turnId, format);
      const take = startAnswerRecording(portal, {
        record: (upload) => {
          release((chunk) => {
            keep(chunk);
            upload(chunk);
          });
          return recorder;
        },
        format,
        turnId,
        maxSeconds: turn.answer.max_seconds,
        onCreated: (recordingId) => onCreated(turnId, recordingId),
      });
      takes.set(turnId, take);
    },
    isRecording: (turnId: string): boolean => takes.has(turnId),
    /** Ends the recording of a turn and uploads the rest of it. */
    finish,
    /** Ends the recording of the open turn without an answer. It is kept in the browser, where the page finds it. */
    async leave(): Promise<void> {
      drop();
      await Promise.all([...takes.values()].map((take) => take.stop().then(() => take.cancel())));
      takes.clear();
    },
    /** Resolves when the recordings that have ended are uploaded. */
    settled: (): Promise<unknown> => Promise.all(ending),
  };
}
