import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { PageMessage } from '../../../api/live/public';
import { frameMs } from '../../../api/live/public';
import { advanceConversation, firstConversation } from '../../../api/taking/app/live/conversation';
import type { ConversationEvent, PageEffect } from '../../../api/taking/app/live/conversation';
import { createSocket } from '../../../api/taking/app/live/socket';
import type { PortalReply } from '../../../api/taking/app/reply';
import { createUpload } from '../../../api/taking/app/upload';
import type { CreatedRecording, Upload } from '../../../api/taking/app/upload';
import type { Attempt } from '../../../api/taking/attempt-fields';
import { atEnd } from '../at-end';
import type { Platform } from '../platform/platform';
import { waitFor } from '../wait-for';
import { candidateCalls, turnOf } from './candidate';
import { mediaFile } from './media-file';

type Take = { said: string[]; upload: Upload };
type Options = {
  /** Returns the address of the live process to which the page connects. Called for each connection. */
  live: () => string;
  /** Where the page makes its calls. */
  origin?: string;
  /** Gives the answer of a turn. By default says a sentence and presses "I am done". */
  answer?: (candidate: Talker, text: string) => Promise<void>;
};
export type Talker = {
  /** The texts of the turns that the interviewer has said. */
  asked: string[];
  /** How many connections the server was ready for. */
  connections: () => number;
  /** True if the live conversation has ended: the rest of the attempt is recorded and sent. */
  isOver: () => boolean;
  /** What was understood of the answer. */
  heard: () => string;
  /** Says something for half a second, into the live conversation and the recording. */
  say: (text: string) => void;
  pause: (ms: number) => void;
  /** Presses "I am done" until the turn is over. Resolves when everything was said. */
  done: () => Promise<void>;
  /** Resolves when the turn of the candidate is over. */
  answered: () => Promise<void>;
  /** Resolves when the attempt has ended and all recordings are uploaded. */
  ended: Promise<void>;
};

/**
 * Returns a function that lets a candidate talk to the end of an attempt that has begun. It runs the page's own code for
 * the socket, the conversation and the upload, and sends sound as it is said; what a browser adds is left out: the
 * microphone, the recorder and the player.
 */
export function talkers(platform: Platform) {
  const calls = candidateCalls(platform);
  const from = platform.stack.portal_url;
  // The page's code finds the class under this name.
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { origin: from, perMessageDeflate: false });
      // The page notices the close that follows.
      this.on('error', () => undefined);
    }
  } as never;

  return function talk(token: string, { live, origin = from, answer = answerInWords }: Options): Talker {
    const takes = new Map<string, Take>();
    const finishing = new Set<Promise<unknown>>();
    const asked: string[] = [];
    let speech: Uint8Array[] = [];
    let attempt: Attempt | undefined;
    let now = firstConversation(1, false);
    let answering: string | undefined;
    let talking: Promise<void> | undefined;
    let isOver = false;
    let connections = 0;
    let sending: Promise<void> | undefined;
    let end = (_going: Promise<void>): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));

    /** Calls an operation as `portal-client.ts` does. */
    async function call<Body>(
      operation: string,
      { body, rawBody, query = {} }: { body?: object; rawBody?: Buffer; query?: Record<string, string> } = {},
    ): Promise<PortalReply<Body>> {
      const search = `?${new URLSearchParams(query).toString()}`;
      const method = rawBody ? 'PUT' : body ? 'POST' : 'GET';
      const asked = { token, origin, method, query: search, ...(body ? { body } : {}) };
      const reply = await calls
        .call(operation, { ...asked, ...(rawBody ? { rawBody } : {}) })
        .catch(() => undefined);
      if (!reply || reply.status >= 500) return { kind: 'away' };
      if (reply.status === 200) return { kind: 'done', body: reply.body as Body };
      if (reply.status === 409) return { kind: 'conflict', code: '', detail: reply.attempt };
      throw new Error(`${operation}: ${reply.status} ${reply.text}`);
    }
    async function insist<Body>(operation: string, body?: object): Promise<PortalReply<Body>> {
      for (;;) {
        const reply = await call<Body>(operation, body ? { body } : {});
        if (reply.kind !== 'away') return reply;
        await sleep(200);
      }
    }

    const socket = createSocket(
      {
        async call<Body>(operation: string) {
          const reply = await call<{ live: { url: string } }>(operation);
          if (reply.kind === 'done') reply.body.live.url = live();
          return reply as PortalReply<Body>;
        },
      },
      {
        onOpen: (sequence) => happen({ type: 'opened', sequence }),
        onMessage: (message) => happen(message),
        onLost: () => happen({ type: 'lost' }),
        onOver: () => end(goOn()),
      },
    );
    let ticks = 0;
    const microphone = setInterval(() => {
      ticks += 1;
      const samples = speech.shift() ?? (ticks % quietTicks === 0 ? silence : undefined);
      if (samples) socket.sendFrame(samples.buffer as ArrayBuffer);
    }, frameMs);
    const stop = () => {
      clearInterval(microphone);
      speech = [];
      socket.close();
    };
    atEnd(stop);

    function happen(event: ConversationEvent): void {
      if (event.type === 'say') asked.push(event.text);
      if (event.type === 'ready') connections += 1;
      const [next, ...effects] = advanceConversation(now, event);
      now = next;
      for (const effect of effects) perform(effect);
      const { turnId } = now;
      if (!now.isReady || now.does !== 'listens' || turnId === null || turnId === answering) return;
      answering = turnId;
      talking = answer(talker, attempt?.turn?.text ?? '');
    }

    function perform(effect: PageEffect): void {
      switch (effect.do) {
        case 'send':
          return socket.send(effect.message satisfies PageMessage);
        case 'show':
          attempt = effect.attempt;
          return;
        case 'speak':
          return void setTimeout(() => {
            if (now.turnId !== effect.turnId || now.isHeard) return;
            happen({ type: 'audible' });
            happen({ type: 'ended', ms: 2_000, isTalking: false });
          }, 20);
        case 'record':
          return record(effect.turnId);
        case 'complete':
          return void (takes.has(effect.turnId) && finish(effect.turnId));
        case 'answer':
          sending = send(effect.turnId).then(() => happen({ type: 'sent' }));
          return;
        default:
      }
    }

    function record(turn_id: string): void {
      const upload = createUpload(
        {
          create: (restart) =>
            call<CreatedRecording>('recording-create', {
              body: { turn_id, media_type: 'audio/webm', restart },
            }),
          put: async (recording_id, part, bytes) =>
            call('recording-part', {
              rawBody: Buffer.from(await bytes.arrayBuffer()),
              query: { recording_id, part: String(part) },
            }),
          complete: (recording_id, parts, duration_ms) =>
            call('recording-complete', { body: { recording_id, parts, duration_ms } }),
          pause: () => sleep(200),
        },
        {
          onWaiting: () => undefined,
          onCreated: (recordingId) => happen({ type: 'created', turnId: turn_id, recordingId }),
        },
      );
      takes.set(turn_id, { said: [], upload });
      upload.add(new Blob([]));
    }

    /** Ends a recording, and returns its id. */
    function finish(turnId: string): Promise<string> {
      const take = takes.get(turnId);
      takes.delete(turnId);
      const finished = (async () => {
        if (!take) throw new Error('nothing was recorded');
        const bytes = await mediaFile('webm', 1_000, { text: take.said.join(' ') });
        take.upload.add(new Blob([new Uint8Array(bytes)]));
        const uploaded = await take.upload.finish(1_000);
        if ('problem' in uploaded) throw new Error(`the upload failed: ${uploaded.problem}`);
        return uploaded.recordingId;
      })();
      finishing.add(finished);
      // An error appears where all uploads are awaited.
      finished.catch(() => undefined);
      return finished;
    }

    async function send(turn_id: string): Promise<void> {
      const recording_id = await finish(turn_id);
      await insist('turn-answer', { turn_id, recording_id, duration_ms: 1_000 });
    }

    /** The conversation is over. If the attempt is not, goes on by recording and sending, with what was recorded. */
    async function goOn(): Promise<void> {
      stop();
      isOver = true;
      await Promise.all([talking, sending]);
      for (;;) {
        const read = await insist<Attempt>('attempt-get');
        if (read.kind !== 'done' || read.body.state !== 'running') break;
        if (!read.body.turn) {
          await sleep(200);
          continue;
        }
        const { turn_id, text, answer: asks } = turnOf(read.body);
        for (const turnId of takes.keys()) if (turnId !== turn_id) await finish(turnId);
        if (asks.mode === 'none') await insist('turn-answer', { turn_id, seen: true });
        else {
          if (!takes.has(turn_id)) {
            record(turn_id);
            takes.get(turn_id)?.said.push(sentence(text));
          }
          await send(turn_id);
        }
      }
      for (const turnId of takes.keys()) void finish(turnId);
      await Promise.all(finishing);
    }

    /** Returns a function that is true as long as the turn that is open now is. */
    const openTurn = () => {
      const { turnId } = now;
      return () => now.turnId === turnId && now.does === 'listens' && !isOver;
    };
    const talker: Talker = {
      asked,
      connections: () => connections,
      isOver: () => isOver,
      heard: () => now.caption,
      say(text) {
        takes.get(now.turnId ?? '')?.said.push(text);
        const first = Uint8Array.from(loud);
        first.set(Buffer.from(`fake-transcript:${text}\0`));
        speech.push(first, ...Array.from({ length: 24 }, () => loud));
        happen({ type: 'spoke' });
      },
      pause: (ms) => void speech.push(...Array.from({ length: ms / frameMs }, () => silence)),
      async answered() {
        const isOpen = openTurn();
        await waitFor('the end of the turn', async () => !isOpen());
      },
      async done() {
        const isOpen = openTurn();
        await waitFor('the end of the speech', async () => speech.length === 0 || isOver);
        while (isOpen()) {
          if (now.isReady) happen({ type: 'pressed', button: 'done' });
          await sleep(100);
        }
      },
      ended,
    };
    return talker;
  };
}

/** Of silence that no test waits for, one frame of ten is sent, so that a machine can have many of these pages. */
const quietTicks = 10;
const silence = new Uint8Array(960);
const loud = new Uint8Array(960).fill(0x20);

/** What a candidate says about a question, of a length after which no follow-up is asked. */
export const sentence = (question: string): string =>
  `About ${question} I have said everything that I know in one long sentence.`;

async function answerInWords(candidate: Talker, question: string): Promise<void> {
  candidate.say(sentence(question));
  await candidate.done();
}
