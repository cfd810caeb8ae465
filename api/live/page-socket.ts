import type { WebSocket } from 'ws';
import { createTokenBucket } from './bucket';
import { pageMessage } from './protocol';
import type { PageMessage, ServerMessage } from './protocol';
import { closeCodes, frameBytes, frameHeadBytes, frameMs, maxBacklogBytes } from './wire';

type PageHandlers = {
  /** The first message. */
  onHello: (message: Extract<PageMessage, { type: 'hello' }>) => void;
  onMessage: (message: Exclude<PageMessage, { type: 'hello' }>) => void;
  /** The sound of a frame. */
  onSound: (sound: Buffer) => void;
  onClose: () => void;
};

/** A page that was away sends its backlog at once, which is five seconds of sound at most. */
const frameBurst = 10_000 / frameMs;
const messagesPerSecond = 20;
const messageBurst = 100;
/** A page has so long for its first message. */
const helloMs = 10_000;
/** A page that sends nothing for so long, and does not reply to a ping either, is gone without having closed its socket. */
const heartbeatMs = 15_000;
/** A page that does not reply when its connection is closed holds its place for so long. */
const closeMs = 5_000;

/**
 * Reads what a page sends, and closes the socket at the first thing that breaks the protocol. The size of messages is
 * limited by the server (`maxPayload`).
 */
export function createPageSocket(socket: WebSocket, { onHello, onMessage, onSound, onClose }: PageHandlers) {
  const takeFrame = createTokenBucket(1_000 / frameMs, frameBurst);
  const takeMessage = createTokenBucket(messagesPerSecond, messageBurst);
  let nextFrame: number | undefined;
  const close = (code: number) => {
    socket.close(code);
    const timer = setTimeout(() => socket.terminate(), closeMs);
    socket.once('close', () => clearTimeout(timer));
  };
  const reject = () => close(closeCodes.invalid);
  const waitForHello = setTimeout(reject, helloMs);
  let isAlive = true;
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, heartbeatMs);
  const live = () => void (isAlive = true);

  socket.on('pong', live);
  socket.on('message', (data: Buffer, isBinary) => {
    live();
    if (socket.readyState !== socket.OPEN) return;
    if (isBinary) {
      if (data.length !== frameBytes || !takeFrame()) return reject();
      const number = data.readUInt32LE(0);
      // The page may leave frames out when its network stalls.
      if (nextFrame === undefined || number < nextFrame) return reject();
      nextFrame = number + 1;
      return onSound(data.subarray(frameHeadBytes));
    }
    const message = takeMessage() ? readMessage(data) : undefined;
    const isFirst = nextFrame === undefined;
    if (!message || (message.type === 'hello') !== isFirst) return reject();
    if (message.type !== 'hello') return onMessage(message);
    clearTimeout(waitForHello);
    nextFrame = message.sequence;
    onHello(message);
  });
  // What breaks the protocol of WebSockets, such as a message that is too long, closes the socket by itself.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(waitForHello);
    clearInterval(heartbeat);
    onClose();
  });

  return {
    tell(message: ServerMessage): void {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(JSON.stringify(message));
      if (socket.bufferedAmount > maxBacklogBytes) socket.terminate();
    },
    close,
  };
}

function readMessage(data: Buffer): PageMessage | undefined {
  try {
    return pageMessage.safeParse(JSON.parse(data.toString())).data;
  } catch {
    return undefined;
  }
}
