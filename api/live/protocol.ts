import { z } from 'zod';
import type { Attempt } from '../taking/public';

/*
 * What the page and the live process send each other over the WebSocket (docs/live.md#protocol).
 *
 * The page opens the socket with two subprotocols: `live.v1`, which the server selects, and the token. Binary messages
 * are sound, and only go from the page to the server: four bytes with the number of the frame (unsigned, little-endian,
 * rising), then 960 bytes, which are 20 ms of PCM16 with 24,000 samples a second. All other messages are JSON objects.
 */

const milliseconds = z.number().min(0).max(7_200_000);
const turnId = z.guid();
/** Where a candidate goes on if the live conversation does not work: `record` is today's record and send. */
const step = z.enum(['record', 'type']);

/** What the page sends. */
export const pageMessage = z.discriminatedUnion('type', [
  /**
   * The first message, sent when the page can play sound: also after a reconnect. Until then nothing is said. `turn_id`
   * is the last turn that the page showed, or null, and `is_heard` is true if its speech was played to the end or
   * interrupted. If that turn is still open, the server goes on listening, and else it says the open turn. `has_spoken` is
   * true if the candidate has begun the answer: the server then waits no longer than for one who pauses.
   */
  z.object({
    type: z.literal('hello'),
    attempt: z.int().min(1).max(1_000),
    turn_id: turnId.nullable(),
    is_heard: z.boolean(),
    has_spoken: z.boolean().optional(),
    /** The number of the next frame. */
    sequence: z.int().min(0).max(0xffff_ffff),
  }),
  /**
   * How much of the speech of a turn was played: first when it is audible, then about every 200 ms. `is_end` gives the turn to the candidate.
   * Of a turn that is not spoken, or whose speech cannot be loaded, the page sends only the end. `has_spoken` is true if the
   * candidate had begun the answer before the turn was said again: the server may then have missed its beginning.
   */
  z.object({
    type: z.literal('played'),
    turn_id: turnId,
    ms: milliseconds,
    is_end: z.boolean(),
    has_spoken: z.boolean().optional(),
  }),
  /** The candidate has talked over the speech of a turn for 400 ms, and the page has stopped it. */
  z.object({ type: z.literal('barge'), turn_id: turnId, heard_ms: milliseconds }),
  /** The recording of the answer exists and runs. Sent again after each `hello` while it runs. */
  z.object({ type: z.literal('answering'), turn_id: turnId, recording_id: z.guid() }),
  /** "I am done": the answer is over. */
  z.object({ type: z.literal('done'), turn_id: turnId }),
  /** "One moment": the candidate wants to think. */
  z.object({ type: z.literal('moment') }),
  /** Another operation has changed the attempt, such as `turn-answer` for a choice. The server reads it again. */
  z.object({ type: z.literal('refresh') }),
  /** The candidate goes on at a lower step. The server closes the socket with `done`. */
  z.object({ type: z.literal('lower'), step, why: z.string().max(100) }),
]);
export type PageMessage = z.output<typeof pageMessage>;

/** Whose turn it is, for the figure and for screen readers. */
export type LiveState = 'speaks' | 'listens' | 'thinks';

/** What the server sends. */
export type ServerMessage =
  /** The reply to `hello`. Frames that arrive earlier are dropped. */
  | { type: 'ready' }
  | { type: 'state'; state: LiveState }
  /** The attempt as `attempt-get` returns it. The page shows its turn, or leaves when it has ended. */
  | { type: 'turn'; attempt: Attempt }
  /**
   * The page speaks this turn now: it plays the file of `turn-speech` if `has_speech` is true. The words are those of the
   * turn, which the page shows anyway.
   */
  | { type: 'say'; turn_id: string; text: string; has_speech: boolean }
  /** What the provider has understood of the answer so far, from its beginning. Shown as a caption, never sent back. */
  | { type: 'caption'; turn_id: string; text: string }
  /**
   * The answer of this turn is stored with the recording that `answering` named, which goes on until `complete` or
   * `withdrawn`.
   */
  | { type: 'answered'; turn_id: string }
  /** The answer of this turn is final. The page ends its recording and completes it. */
  | { type: 'complete'; turn_id: string }
  /**
   * The candidate went on talking: this turn is open again, and its recording goes on. The page stops the speech of the
   * turn after it. The message `turn` follows.
   */
  | { type: 'withdrawn'; turn_id: string }
  /**
   * The turn is over, but this process has not heard or understood all of its answer. The page completes the recording, calls
   * `turn-answer` as it does without a live conversation, and then sends `refresh`.
   */
  | { type: 'send_recording'; turn_id: string }
  /** The decision takes longer than 700 ms: the page plays its short sound of listening, if it has one. */
  | { type: 'hm' }
  /** The live conversation does not work. The page goes on at this step, and the server closes the socket. */
  | { type: 'lower'; step: z.output<typeof step>; why: LowerStepReason };

/**
 * Why the conversation goes on at a lower step. The page has one sentence for all of them. `silence`: a visitor of a public
 * avatar says nothing, so that it no longer listens.
 */
export type LowerStepReason = 'provider' | 'frames' | 'busy' | 'platform' | 'silence';
