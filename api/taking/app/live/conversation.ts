import type { PageMessage, ServerMessage } from '../../../live/public';
import type { ShownTurn } from '../../pages/turn-view';
import { videoAddress } from '../../video-address';
import type { InterviewerState } from '../figure/pose';

/*
 * Whose turn it is in a live conversation, and what the page does next. All functions here are pure: `live.ts` passes the
 * events of the socket, the speech and the recorder, and performs the effects.
 */

type Message<Type> = Extract<ServerMessage, { type: Type }>;
type ShownAttempt = Message<'turn'>['attempt'];

export type ConversationState = {
  attempt: number;
  /** True if the camera works. */
  hasPicture: boolean;
  /** False until the server has replied to `hello`, also after a lost connection. */
  isReady: boolean;
  does: InterviewerState;
  /** The turn that is spoken or answered now. */
  turnId: string | null;
  /** How the turn is answered: `aloud`, with the elements of the `page`, or not at all. */
  answer: 'aloud' | 'page' | 'none';
  /** True if the speech of the turn was played to the end or interrupted. */
  isHeard: boolean;
  /** True if the candidate has spoken since the speech ended. */
  hasSpoken: boolean;
  /** How often the interviewer has nodded because a decision takes long. */
  nods: number;
  /** What the server has understood of the answer so far. */
  caption: string;
  /** The turn whose answer is being recorded, and the id of the recording once it exists. */
  recording: Recording | null;
  /** The recordings of answers that are stored, which go on until they are complete. */
  answered: Recording[];
  /** The turn whose recording the page is sending as its answer. */
  sending: string | null;
};
type Recording = { turnId: string; id: string | null };

export type ConversationEvent =
  | ServerMessage
  /** The socket is open, or closed. `sequence` is the number of the next frame. */
  | { type: 'opened'; sequence: number }
  | { type: 'lost' }
  /** The speech of the turn is audible, was played so far, has ended, or could not be loaded. */
  | { type: 'audible' }
  | { type: 'progress'; ms: number }
  | { type: 'ended'; ms: number; isTalking: boolean }
  /** The candidate has talked over the speech, which the page has stopped. */
  | { type: 'interrupted'; ms: number }
  | { type: 'spoke' }
  | { type: 'created'; turnId: string; recordingId: string }
  /** The page has sent an answer, or could not. */
  | { type: 'sent' }
  | { type: 'pressed'; button: 'done' | 'moment' };

export type PageEffect =
  | { do: 'send'; message: PageMessage }
  | { do: 'show'; attempt: ShownAttempt }
  | { do: 'speak'; turnId: string }
  | { do: 'hush' }
  /** The short sound of listening. */
  | { do: 'murmur' }
  /** Records before the answer begins, because a candidate who interrupts is heard only after 400 ms. */
  | { do: 'prepare'; turnId: string }
  /** Records the answer. `isBegun` is true if the candidate has already said something of it. */
  | { do: 'record'; turnId: string; isBegun: boolean }
  | { do: 'complete'; turnId: string }
  /** Completes the recording and sends it as the answer, as the page does without a live conversation. */
  | { do: 'answer'; turnId: string }
  | { do: 'lower' };

export const firstConversation = (attempt: number, hasPicture: boolean): ConversationState => ({
  attempt,
  hasPicture,
  isReady: false,
  does: 'idle',
  turnId: null,
  answer: 'none',
  isHeard: false,
  hasSpoken: false,
  nods: 0,
  caption: '',
  recording: null,
  answered: [],
  sending: null,
});

type Next = [conversation: ConversationState, ...effects: PageEffect[]];

/** Returns the conversation after an event, followed by what the page does. */
export function advanceConversation(now: ConversationState, event: ConversationEvent): Next {
  const { turnId } = now;
  switch (event.type) {
    case 'opened':
      return [
        now,
        send({
          type: 'hello',
          attempt: now.attempt,
          turn_id: turnId,
          is_heard: now.isHeard,
          has_spoken: now.hasSpoken,
          sequence: event.sequence,
        }),
      ];
    case 'ready':
      return [{ ...now, isReady: true }, ...answering(now.recording)];
    case 'lost':
      // The next process does not know these recordings, so nobody else would end them.
      return [{ ...now, isReady: false, answered: [] }, ...now.answered.map((each) => complete(each.turnId))];
    case 'state':
      // The page itself knows best when its speech begins and ends.
      if (now.does === 'speaks' || event.state === 'speaks') return [now];
      if (event.state !== 'listens' || !now.isHeard) return [{ ...now, does: event.state }];
      // The answer was over, but the process that heard it was lost before it had stored the answer.
      if (turnId && now.does === 'thinks' && now.hasSpoken && now.recording?.turnId === turnId)
        return [now, send({ type: 'done', turn_id: turnId })];
      return record(now, now.hasSpoken);
    case 'turn': {
      const { turn } = event.attempt;
      return [
        turn ? { ...now, answer: answerWayOf(turn, now.hasPicture) } : now,
        { do: 'show', attempt: event.attempt },
      ];
    }
    case 'say':
      return say(now, event);
    case 'audible':
      return [
        { ...now, does: 'speaks' },
        ...played(now, 0, false),
        ...(turnId && now.answer === 'aloud' && now.recording?.turnId !== turnId
          ? [{ do: 'prepare', turnId } as const]
          : []),
      ];
    case 'progress':
      return [now, ...played(now, event.ms, false)];
    case 'ended':
      return hearAnswer(now, event.isTalking, played(now, event.ms, true));
    case 'interrupted': {
      const told = turnId ? [send({ type: 'barge', turn_id: turnId, heard_ms: event.ms })] : [];
      // While the answer before can be withdrawn, the server says to which turn these words belong.
      if (now.answered.length > 0)
        return [{ ...now, isHeard: true, hasSpoken: true, does: 'thinks' }, ...told];
      return hearAnswer(now, true, told);
    }
    case 'spoke':
      return [{ ...now, hasSpoken: now.does === 'listens' || now.hasSpoken }];
    case 'caption':
      return [event.turn_id === turnId ? { ...now, caption: event.text } : now];
    case 'created': {
      if (now.recording?.turnId !== event.turnId) return [now];
      const recording = { turnId: event.turnId, id: event.recordingId };
      return [{ ...now, recording }, ...(now.isReady ? answering(recording) : [])];
    }
    case 'answered': {
      const next = { ...now, does: now.does === 'speaks' ? now.does : ('thinks' as const) };
      if (now.recording?.turnId !== event.turn_id) return [next];
      return [{ ...next, recording: null, answered: [...now.answered, now.recording] }];
    }
    case 'complete':
      return [
        {
          ...now,
          recording: now.recording?.turnId === event.turn_id ? null : now.recording,
          answered: now.answered.filter((each) => each.turnId !== event.turn_id),
        },
        complete(event.turn_id),
      ];
    case 'withdrawn':
      return [
        {
          ...now,
          does: 'listens',
          turnId: event.turn_id,
          answer: 'aloud',
          isHeard: true,
          hasSpoken: true,
          recording: now.answered.find((each) => each.turnId === event.turn_id) ?? null,
          answered: now.answered.filter((each) => each.turnId !== event.turn_id),
        },
        { do: 'hush' },
      ];
    case 'send_recording':
      return [
        { ...now, does: 'thinks', recording: null, sending: event.turn_id },
        { do: 'answer', turnId: event.turn_id },
      ];
    case 'sent':
      return [{ ...now, sending: null }, send({ type: 'refresh' })];
    case 'pressed':
      if (!turnId || now.does !== 'listens') return [now];
      return [now, send(event.button === 'done' ? { type: 'done', turn_id: turnId } : { type: 'moment' })];
    case 'hm':
      return now.does === 'thinks' ? [{ ...now, nods: now.nods + 1 }, { do: 'murmur' }] : [now];
    case 'lower':
      return [now, { do: 'lower' }];
    default:
      return [now];
  }
}

const send = (message: PageMessage): PageEffect => ({ do: 'send', message });
const complete = (turnId: string): PageEffect => ({ do: 'complete', turnId });

type AnsweredTurn = Pick<ShownTurn, 'kind' | 'text' | 'answer'>;

/** Returns how a turn is answered in a conversation. A required video needs the camera. */
export function answerWayOf(
  { kind, text, answer }: AnsweredTurn,
  hasPicture: boolean,
): ConversationState['answer'] {
  const { mode, may_type: mayType } = answer;
  // The candidate watches a video and then presses Continue.
  if (mode === 'none') return kind === 'instructional_video' && videoAddress(text) ? 'page' : 'none';
  // The live process does not listen to introductions.
  if (kind === 'introduction') return 'page';
  return mode === 'voice' || (mode === 'video' && (hasPicture || mayType)) ? 'aloud' : 'page';
}

const played = ({ turnId, hasSpoken }: ConversationState, ms: number, isEnd: boolean): PageEffect[] =>
  turnId
    ? [
        send({
          type: 'played',
          turn_id: turnId,
          ms,
          is_end: isEnd,
          ...(isEnd && hasSpoken && { has_spoken: true }),
        }),
      ]
    : [];

const answering = (recording: ConversationState['recording']): PageEffect[] =>
  recording?.id ? [send({ type: 'answering', turn_id: recording.turnId, recording_id: recording.id })] : [];

function say(now: ConversationState, { turn_id: turnId, has_speech }: Message<'say'>): Next {
  const isSame = now.recording?.turnId === turnId;
  const next: ConversationState = {
    ...now,
    does: 'thinks',
    turnId,
    isHeard: false,
    hasSpoken: isSame && now.hasSpoken,
    caption: isSame ? now.caption : '',
    recording: isSame ? now.recording : null,
    sending: null,
  };
  // The answer was stored while the connection was away, so the page has not read that it is `answered`.
  const left = now.recording && !isSame ? [complete(now.recording.turnId)] : [];
  if (has_speech) return [next, { do: 'hush' }, ...left, { do: 'speak', turnId }];
  // A video that is watched ends with the button of the page.
  if (now.answer === 'page') return [{ ...next, does: 'idle' }, { do: 'hush' }, ...left];
  const [heard, ...effects] = hearAnswer(next, false, played(next, 0, true));
  return [heard, { do: 'hush' }, ...left, ...effects];
}

/** The speech has ended. A turn without an answer is followed by the next one. */
function hearAnswer(now: ConversationState, isBegun: boolean, told: PageEffect[]): Next {
  const next: ConversationState = {
    ...now,
    isHeard: true,
    hasSpoken: isBegun || now.hasSpoken,
    does: 'thinks',
  };
  if (next.answer === 'none') return [next, ...told];
  const [listening, ...effects] = record(next, isBegun);
  return [listening, ...told, ...effects];
}

/** The candidate answers, and the answer is recorded. */
function record(now: ConversationState, isBegun: boolean): Next {
  const { turnId, answer, recording, sending } = now;
  // The server listens again after a lost connection, but the page is already sending this answer.
  if (sending !== null && sending === turnId) return [{ ...now, does: 'thinks' }];
  const listening: ConversationState = { ...now, does: 'listens' };
  if (!turnId || answer !== 'aloud' || recording?.turnId === turnId) return [listening];
  return [
    { ...listening, recording: { turnId, id: null } },
    { do: 'record', turnId, isBegun },
  ];
}
