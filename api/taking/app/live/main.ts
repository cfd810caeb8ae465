import type { ShownTurn } from '../../pages/turn-view';
import type { Interview } from '../interview';
import type { InterviewState } from '../interview-state';
import type { KeptRecordings } from '../kept-recording';
import type { Portal } from '../portal-client';
import { createAnswerRecorder, nullRecorder } from './answer-recorder';
import { advanceConversation, firstConversation } from './conversation';
import type { ConversationState, ConversationEvent, PageEffect } from './conversation';
import type { EarFrame } from './ear';
import { initialInterruption, hearFrame, isEcho } from './interruption';
import { createSocket } from './socket';
import type { ConversationOverReason } from './socket';
import { createSpeechPlayer } from './speech';

/*
 * The live conversation. It is a script of its own, which `live-part.tsx` loads when the candidate begins to talk, so
 * that other pages do not have to wait for it.
 */

type Deps = {
  /** The address of the script that captures the microphone. */
  ear: string;
  portal: Portal;
  /** Where the last recording is kept. Null if nothing is recorded. */
  kept: KeptRecordings | null;
  interview: Pick<Interview, 'subscribe' | 'send'> & {
    state: Pick<InterviewState, 'sending'> & { attempt: Pick<InterviewState['attempt'], 'attempt' | 'turn'> };
    dispatch: (event: { type: 'stored'; attempt: InterviewState['attempt'] }) => void;
  };
  stream: MediaStream;
  /** Created by the candidate's click, because browsers let no other context play. */
  context: AudioContext;
  /** Called once, if the conversation is over without the candidate's wish. */
  onOver: (why: ConversationOverReason) => void;
};

export type LiveConversation = Awaited<ReturnType<typeof startLiveConversation>>;

/** Begins to talk: captures the microphone, connects, and does what the conversation says. */
export async function startLiveConversation(deps: Deps) {
  const { ear, portal, kept, interview, stream, context, onOver } = deps;
  const listeners = new Set<() => void>();
  let conversation: ConversationState = firstConversation(
    interview.state.attempt.attempt,
    stream.getVideoTracks().length > 0,
  );
  let hearing = initialInterruption;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let isSending = false;
  let sending: Promise<void> | undefined;

  await Promise.all([context.audioWorklet.addModule(ear), context.resume()]);
  const microphone = context.createMediaStreamSource(stream);
  const capture = new AudioWorkletNode(context, 'ear', { numberOfOutputs: 0 });
  microphone.connect(capture);

  const speech = createSpeechPlayer(context, portal, {
    onAudible: () => happen({ type: 'audible' }),
    onProgress: (ms) => happen({ type: 'progress', ms }),
    onEnd: (ms) => happen({ type: 'ended', ms, isTalking: hearing.loudMs > 0 }),
  });
  const onCreated = (turnId: string, recordingId: string) => happen({ type: 'created', turnId, recordingId });
  const recorder = kept ? createAnswerRecorder({ portal, kept, stream, onCreated }) : nullRecorder;
  const socket = createSocket(portal, {
    onOpen: (sequence) => happen({ type: 'opened', sequence }),
    onMessage: happen,
    onLost: () => happen({ type: 'lost' }),
    onOver: (why) => void end().then(() => onOver(why)),
  });
  capture.port.addEventListener('message', ({ data }: MessageEvent<EarFrame>) => {
    // The interviewer's own "mm-hm" is not taken for an answer.
    const isOwn = speech.isMurmuring && isEcho(data.level);
    socket.sendFrame(isOwn ? new ArrayBuffer(data.samples.byteLength) : data.samples);
    const next = hearFrame(hearing, isOwn ? 0 : data.level, speech.isPlaying);
    hearing = next.hearing;
    if (next.heard === 'lower') speech.lower();
    if (next.heard === 'raise') speech.raise();
    if (next.heard === 'stop') happen({ type: 'interrupted', ms: speech.stop() });
    if (next.heard === 'spoke') happen({ type: 'spoke' });
  });
  capture.port.start();
  // A phone that slept, or a call, leaves the context suspended.
  const wake = () => void (document.hidden || context.resume());
  document.addEventListener('visibilitychange', wake);
  // The page has sent an answer itself, such as a choice, so the server reads the attempt again.
  const unsubscribe = interview.subscribe(() => {
    const wasSending = isSending;
    isSending = interview.state.sending !== null;
    if (wasSending && !isSending) happen({ type: 'sent' });
  });

  function happen(event: ConversationEvent): void {
    const [next, ...effects] = advanceConversation(conversation, event);
    conversation = next;
    for (const effect of effects) perform(effect);
    for (const listener of listeners) listener();
  }

  function perform(effect: PageEffect): void {
    switch (effect.do) {
      case 'send':
        return socket.send(effect.message);
      case 'show':
        return interview.dispatch({ type: 'stored', attempt: effect.attempt });
      case 'speak':
        return void speech.play(effect.turnId);
      case 'murmur':
        // A candidate who goes on talking needs no encouragement.
        if (hearing.loudMs === 0) speech.murmur();
        return;
      case 'hush':
        speech.stop();
        return recorder.drop();
      case 'prepare':
        return withTurn(effect.turnId, (turn) => recorder.prepare(turn));
      case 'record':
        return withTurn(effect.turnId, (turn) => {
          recorder.record(turn, effect.isBegun);
          clearTimeout(limit);
          const seconds = turn.answer.max_seconds;
          const press = () => happen({ type: 'pressed', button: 'done' });
          if (seconds !== null) limit = setTimeout(press, seconds * 1_000);
        });
      case 'complete':
        return void recorder.finish(effect.turnId);
      case 'answer':
        if (recorder.isRecording(effect.turnId))
          sending = interview.send(() => recorder.finish(effect.turnId));
        return;
      default:
        return void end().then(() => onOver('trouble'));
    }
  }

  function withTurn(turnId: string, work: (turn: ShownTurn) => void): void {
    const { turn } = interview.state.attempt;
    if (turn?.turn_id === turnId) work(turn);
  }

  /** Ends the conversation, and keeps what was said of the open turn. */
  async function end(): Promise<void> {
    document.removeEventListener('visibilitychange', wake);
    unsubscribe();
    clearTimeout(limit);
    for (const { turnId } of conversation.answered) void recorder.finish(turnId);
    conversation = { ...conversation, answered: [], does: 'idle' };
    speech.stop();
    socket.close();
    microphone.disconnect();
    // The lower step would begin a recording of the same turn, which discards the one that is being uploaded.
    await sending;
    await recorder.leave();
    // A recording in which nothing was said is not offered to be sent.
    if (!conversation.hasSpoken && conversation.caption === '') kept?.clear();
    await context.close().catch(() => undefined);
  }

  return {
    analyser: speech.analyser,
    get state(): ConversationState {
      return conversation;
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    press: (button: 'done' | 'moment'): void => happen({ type: 'pressed', button }),
    /** Returns what completes the answer that is being recorded, if there is one. */
    entered() {
      const turnId = conversation.recording?.turnId;
      return turnId !== undefined && recorder.isRecording(turnId) ? () => recorder.finish(turnId) : undefined;
    },
    /** Says that the candidate goes on at a lower step, and ends the conversation. */
    async lower(step: 'record' | 'type'): Promise<void> {
      socket.send({ type: 'lower', step, why: 'wish' });
      await end();
    },
    end,
    /** Ends the conversation, and resolves when all answers are uploaded. */
    async settled(): Promise<void> {
      await end();
      await recorder.settled();
    },
  };
}
