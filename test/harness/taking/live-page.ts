import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { PageMessage, ServerMessage } from '../../../api/live/public';
import { frameBytes, frameMs, subprotocol } from '../../../api/live/public';
import { atEnd } from '../at-end';
import type { Platform } from '../platform/platform';
import { inTime, waitFor } from '../wait-for';
import { candidateCalls } from './candidate';
import { mediaFile } from './media-file';

type Message<Type> = Extract<ServerMessage, { type: Type }>;
export type LivePage = Awaited<ReturnType<ReturnType<typeof livePages>['open']>>;
export type Place = { url: string; token: string };

/**
 * Returns functions that do what the page of a link does in a live conversation. The clock of a conversation is that of its
 * frames, of which a page may send ten seconds at once, so that tests need not wait for pauses.
 */
export function livePages(platform: Platform) {
  const calls = candidateCalls(platform);
  const origin = platform.stack.portal_url;

  async function place(token: string): Promise<Place> {
    const { body } = await calls.call('live-token', { token });
    return body['live'] as Place;
  }

  /** Opens a socket. `url` replaces the address that the API names. */
  const connect = ({ url, token }: Place, from = origin): WebSocket => {
    const socket = new WebSocket(url, [subprotocol, token], { origin: from, perMessageDeflate: false });
    atEnd(() => socket.terminate());
    return socket;
  };

  /** Returns the status with which an upgrade is refused, and the body of the reply; or 101. */
  async function refusal(to: Place, from?: string): Promise<{ status: number; body: string }> {
    const socket = connect(to, from);
    return inTime(
      'the reply to the upgrade',
      new Promise((resolve, reject) => {
        socket.on('error', reject);
        socket.on('open', () => resolve({ status: 101, body: '' }));
        socket.on('unexpected-response', (_request, response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
        });
      }),
    );
  }

  /**
   * Opens the page of a link whose attempt has begun, or of a visitor who has got a place. `url` is the address of another
   * live process.
   */
  async function open(
    link: { token: string; place?: Place },
    {
      url,
      seen = null,
      attempt = 1,
    }: { url?: string; seen?: { turnId: string; isHeard: boolean } | null; attempt?: number } = {},
  ) {
    const to = link.place ?? (await place(link.token));
    const socket = connect({ ...to, url: url ?? to.url });
    const messages: ServerMessage[] = [];
    let read = 0;
    let sequence = 0;
    const openedAt = Date.now();
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as ServerMessage));
    const closed = once(socket, 'close').then(([code]) => code as number);
    await inTime('the socket to open', once(socket, 'open'));
    const send = (message: PageMessage) => socket.send(JSON.stringify(message));
    const sound = (pcm: Buffer) => {
      const frame = Buffer.alloc(frameBytes);
      frame.writeUInt32LE(sequence);
      sequence += 1;
      pcm.copy(frame, 4);
      socket.send(frame);
    };
    send({
      type: 'hello',
      attempt,
      turn_id: seen?.turnId ?? null,
      is_heard: seen?.isHeard ?? false,
      sequence,
    });

    const page = {
      socket,
      messages,
      send,
      closed: () => inTime('the socket to close', closed),
      /** Returns the next message of a type. Those before it are skipped. */
      async next<Type extends ServerMessage['type']>(type: Type): Promise<Message<Type>> {
        const find = () => messages.findIndex((message, index) => index >= read && message.type === type);
        await waitFor(type, () => Promise.resolve(find() >= 0)).catch(() => {
          throw new Error(`${type} did not follow, but ${JSON.stringify(messages.slice(read))}`);
        });
        read = find() + 1;
        return messages[read - 1] as Message<Type>;
      },
      /** Returns true if a message of this type has come. */
      has: (type: ServerMessage['type']): boolean => messages.some((message) => message.type === type),
      /** Waits until the page may send eight seconds at once again. */
      rest: () =>
        waitFor('room for sound', () =>
          Promise.resolve(sequence * frameMs - (Date.now() - openedAt) < 2_000),
        ),
      /** Says something for a second, and pauses until the provider has heard it. Returns the caption. */
      async say(text: string): Promise<string> {
        page.speak(text);
        page.pause(600);
        return (await page.next('caption')).text;
      },
      /** Says something until it is heard, or the server wants the recording. */
      async sayAgain(text: string): Promise<void> {
        const isHeard = () =>
          messages.some(
            (message) =>
              message.type === 'send_recording' ||
              (message.type === 'caption' && message.text.includes(text)),
          );
        let times = 0;
        await waitFor('a caption', async () => {
          page.speak(text);
          page.pause(600);
          // A page may send ten seconds at once. From then on, as long as this sound is, so that the page is never above its rate.
          await sleep((times += 1) < 5 ? 400 : 1_600);
          return isHeard();
        });
      },
      /** Speaks for a second without a pause after it. */
      speak(text: string): void {
        const first = Buffer.alloc(960, loud);
        Buffer.from(`fake-transcript:${text}\0`).copy(first);
        sound(first);
        for (let ms = frameMs; ms < 1_000; ms += frameMs) sound(loudFrame);
      },
      pause(ms: number): void {
        for (let at = 0; at < ms; at += frameMs) sound(Buffer.alloc(960));
      },
      /** Listens to the next turn that is said, to its end. Returns it. */
      async listen(): Promise<Message<'say'>> {
        const said = await page.next('say');
        send({ type: 'played', turn_id: said.turn_id, ms: 1_200, is_end: false });
        send({ type: 'played', turn_id: said.turn_id, ms: 2_000, is_end: true });
        return said;
      },
      /** Begins the recording of an answer and returns its id. */
      async record(turnId: string): Promise<string> {
        const body = { turn_id: turnId, media_type: 'audio/webm' };
        const created = await calls.call('recording-create', { token: link.token, body });
        const recordingId = String(created.body['recording_id']);
        send({ type: 'answering', turn_id: turnId, recording_id: recordingId });
        return recordingId;
      },
      /** Uploads and completes a recording in which `text` is said. */
      async complete(recordingId: string, text: string): Promise<void> {
        const rawBody = await mediaFile('webm', 2_000, { text });
        const query = `?recording_id=${recordingId}&part=1`;
        await calls.call('recording-part', { token: link.token, method: 'PUT', rawBody, query });
        const body = { recording_id: recordingId, parts: 1, duration_ms: 2_000 };
        const { status } = await calls.call('recording-complete', { token: link.token, body });
        if (status !== 200) throw new Error(`recording-complete: ${status}`);
      },
    };
    return page;
  }
  return { open, place, refusal, connect };
}

const loud = 0x20;
const loudFrame = Buffer.alloc(960, loud);
