import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { closeCodes, frameBytes, frameMs, subprotocol } from '../../api/live/public';
import type { PageMessage, ServerMessage } from '../../api/live/public';
import { beginAttempt, sendToPortal } from '../candidates';
import type { BenchStack } from '../stack';
import { framesOf, silentFrame } from './sound';

type Turn = NonNullable<Extract<ServerMessage, { type: 'turn' }>['attempt']['turn']>;
/**
 * The wait for a turn: `planned` was known, `decided` was planned but the model was asked first, `follow_up` was written by
 * the model.
 */
export type Gap = {
  ms: number;
  kind: 'planned' | 'decided' | 'follow_up';
  endedAt: number;
  /** When the process noticed that the turn is over, and when it said the next one, in milliseconds after the last word. */
  noticedMs: number;
  saidMs: number;
  /** True if the process has asked for the recording instead of what it has heard. */
  isSent: boolean;
};
export type Talker = ReturnType<typeof createTalker>;
type Words = { text: string; ms: number };

/** The files of the fake last so long. */
const speechMs = 400;
/** The page asks again for a speech, and connects again, after so long. */
const pauseMs = 400;
/** The pause of a candidate before the answer. */
const breathMs = 400;

/**
 * Does what the page of a link does in a live conversation, in real time: sends a frame each 20 ms, loads the speech of a
 * turn before it counts as audible, records and uploads answers, and connects again.
 */
export function createTalker(
  bench: BenchStack,
  token: string,
  { recording, answerTo }: { recording: Buffer; answerTo: (turn: Turn, place: number) => Words },
) {
  const gaps: Gap[] = [];
  const lateness: number[] = [];
  const answered: string[] = [];
  const recordings = new Map<string, Promise<string>>();
  let socket: WebSocket | undefined;
  let isReady = false;
  let isOver = false;
  let turn: Turn | null = null;
  let isHeard = false;
  let isThinking = false;
  let queue: Buffer[] = [];
  let sequence = 0;
  let endedAt: number | undefined;
  let noticedAt = 0;
  let isSent = false;
  let before: Turn | null = null;
  /** Called when the server has replied to the next `hello`. */
  let onReady: () => void = () => undefined;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const hasSpoken = () => isHeard && turn !== null && answered.includes(turn.turn_id);
  const send = (message: PageMessage) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  /** Calls an operation until it has a reply, as the page does. */
  async function insist(call: () => Promise<Response>): Promise<Response> {
    for (;;) {
      const response = await call().catch(() => undefined);
      if (response && response.status < 500) return response;
      await sleep(pauseMs);
    }
  }
  const portal = (operation: string, sent?: Parameters<typeof sendToPortal>[3]) =>
    insist(() => sendToPortal(bench, token, operation, sent));
  const read = async <Body>(response: Promise<Response>) => (await (await response).json()) as Body;

  async function connect(): Promise<void> {
    if (isOver) return;
    const reply = await read<{ live: { url: string; token: string } | null }>(portal('live-token'));
    if (!reply.live) throw new Error('the stack has no LIVE_ORIGIN');
    const opened = new WebSocket(reply.live.url, [subprotocol, reply.live.token], {
      origin: bench.stack.portal_url,
      perMessageDeflate: false,
    });
    opened.on('error', () => undefined);
    opened.on('open', () => {
      socket = opened;
      const { turn_id = null } = turn ?? {};
      const has_spoken = hasSpoken();
      send({ type: 'hello', attempt: 1, turn_id, is_heard: isHeard, has_spoken, sequence });
    });
    opened.on('message', (data: Buffer) => void follow(JSON.parse(data.toString()) as ServerMessage));
    const code = await new Promise((resolve) => opened.on('close', resolve));
    socket = undefined;
    isReady = false;
    if (code === closeCodes.done) return end();
    await sleep(pauseMs);
    void connect();
  }

  function end(): void {
    isOver = true;
    socket?.terminate();
    finish();
  }

  async function follow(message: ServerMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        isReady = true;
        onReady();
        if (turn) await tellRecording(turn.turn_id);
        return;
      case 'turn':
        before = turn;
        ({ turn } = message.attempt);
        return;
      case 'state':
        if (message.state === 'thinks') noticedAt = performance.now();
        // The answer was over, but the process that heard it was lost before it had stored the answer.
        if (message.state === 'listens' && isThinking && turn && hasSpoken())
          send({ type: 'done', turn_id: turn.turn_id });
        isThinking = message.state === 'thinks';
        return;
      case 'say':
        isThinking = false;
        return listen(message);
      case 'complete':
        return void complete(message.turn_id);
      case 'send_recording': {
        isSent = true;
        const recording_id = await complete(message.turn_id);
        const json = { turn_id: message.turn_id, recording_id, duration_ms: 3_000 };
        await portal('turn-answer', { json });
        return send({ type: 'refresh' });
      }
      default:
    }
  }

  async function listen({ turn_id, has_speech }: Extract<ServerMessage, { type: 'say' }>): Promise<void> {
    const asked = turn;
    const saidAt = performance.now();
    isHeard = false;
    if (has_speech) {
      while ((await load(turn_id)) === 0) await sleep(pauseMs);
      if (endedAt !== undefined && asked)
        gaps.push({
          ms: performance.now() - endedAt,
          kind: kindOf(asked, before),
          endedAt,
          noticedMs: noticedAt - endedAt,
          saidMs: saidAt - endedAt,
          isSent,
        });
      endedAt = undefined;
      isSent = false;
      send({ type: 'played', turn_id, ms: 0, is_end: false });
      await sleep(speechMs);
    }
    send({ type: 'played', turn_id, ms: speechMs, is_end: true });
    isHeard = true;
    if (!asked || asked.turn_id !== turn_id || asked.answer.mode === 'none') return;
    await tellRecording(turn_id);
    await sleep(breathMs);
    const { text, ms } = answerTo(asked, answered.length);
    answered.push(turn_id);
    queue = framesOf(text, ms);
  }

  /** Loads the speech of a turn and returns its bytes. */
  const load = async (turnId: string) =>
    (await (await portal(`turn-speech?turn_id=${turnId}`)).arrayBuffer()).byteLength;

  /** Begins the recording of a turn, unless it exists, and names it to the server. */
  async function tellRecording(turnId: string): Promise<void> {
    if (turn?.answer.mode !== 'voice') return;
    const json = { turn_id: turnId, media_type: 'audio/webm' };
    const create = () => read<{ recording_id: string }>(portal('recording-create', { json }));
    const id = recordings.get(turnId) ?? create().then(({ recording_id }) => recording_id);
    recordings.set(turnId, id);
    send({ type: 'answering', turn_id: turnId, recording_id: await id });
  }

  async function complete(turnId: string): Promise<string> {
    const recording_id = (await recordings.get(turnId)) ?? '';
    await portal(`recording-part?recording_id=${recording_id}&part=1`, { bytes: recording });
    await portal('recording-complete', { json: { recording_id, parts: 1, duration_ms: 3_000 } });
    return recording_id;
  }

  function sendFrame(): void {
    if (socket?.readyState !== WebSocket.OPEN || !isReady) return;
    const frame = Buffer.alloc(frameBytes);
    frame.writeUInt32LE(sequence);
    sequence += 1;
    (queue.shift() ?? silentFrame).copy(frame, 4);
    socket.send(frame);
  }

  /** Sends frames on a clock of its own. What is said while the connection is away is not heard. */
  function keepTalking(): void {
    let dueAt = performance.now();
    const tick = () => {
      if (isOver) return;
      const isTalking = queue.length > 0;
      lateness.push(performance.now() - dueAt);
      if (isReady) sendFrame();
      else queue.shift();
      if (isTalking && queue.length === 0) endedAt = performance.now();
      dueAt += frameMs;
      setTimeout(tick, Math.max(0, dueAt - performance.now()));
    };
    tick();
  }

  return {
    gaps,
    lateness,
    /** The turns to which an answer was given. */
    answered,
    finished,
    get isTalking(): boolean {
      return queue.length > 0;
    },
    /** Begins the attempt and the conversation. */
    async begin(): Promise<void> {
      await beginAttempt(bench, token);
      keepTalking();
      void connect();
    },
    /** Resolves when the server has replied to the next `hello`. */
    reconnected: (): Promise<void> => new Promise((resolve) => (onReady = resolve)),
    end,
  };
}

const kindOf = (turn: Turn, before: Turn | null): Gap['kind'] =>
  turn.kind === 'follow_up' ? 'follow_up' : before?.kind === 'follow_up' ? 'planned' : 'decided';
