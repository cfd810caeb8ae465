import { closeCodes, frameBytes, frameHeadBytes, subprotocol } from '../../../live/public';
import type { PageMessage, ServerMessage } from '../../../live/public';
import type { PortalReply } from '../reply';
import { addTroubleTime } from './heard';

/* The WebSocket to the live process. It connects again by itself until the trouble has lasted five seconds. */

/** How often the page looks whether the conversation works, in milliseconds. */
const lookMs = 250;
/** Frames that wait for the network: two seconds of them are trouble, and none are added to five seconds. */
const troubleBytes = 2_000 * 48;
const fullBytes = 5_000 * 48;
/** A microphone that delivers nothing for this many milliseconds does not work. */
const silentMs = 1_000;
/** The pause before the second and later tries to connect, in milliseconds. */
const pauseMs = 400;

/** After these, the page does not connect again. */
const { done, invalid, replaced, revoked } = closeCodes;
const lastCodes = new Set<number>([done, invalid, replaced, revoked]);
const reasons: Partial<Record<number, ConversationOverReason>> = {
  [replaced]: 'elsewhere',
  [revoked]: 'gone',
};

/** Where the live process is, and the token that opens its socket for a few minutes. */
type Place = { url: string; token: string };
export type Socket = ReturnType<typeof createSocket>;
/**
 * Why a conversation is over: it goes on in another window, its link has ended, the page has too many visitors, or it
 * does not work.
 */
export type ConversationOverReason = 'elsewhere' | 'gone' | 'limited' | 'trouble';
type Listener = {
  onOpen: (sequence: number) => void;
  onMessage: (message: ServerMessage) => void;
  onLost: () => void;
  onOver: (why: ConversationOverReason) => void;
};

/** The part of the portal's calls that is needed here. */
type Portal = { call<Body>(operation: 'live-token'): Promise<PortalReply<Body>> };

/** Opens the socket. Each connection needs a token of its own. */
export function createSocket(portal: Portal, { onOpen, onMessage, onLost, onOver }: Listener) {
  let socket: WebSocket | undefined;
  let isReady = false;
  /** True if the server got no frames, as from a phone that slept. The page notices by itself if that goes on. */
  let isMissed = false;
  let isClosed = false;
  let sequence = 0;
  let troubleMs = 0;
  let lookedAt = performance.now();
  let framedAt = performance.now();
  let tries = 0;

  /** Gets a token and opens the socket. If the platform is away, tries again. */
  async function connect(): Promise<void> {
    const reply = await portal.call<{ live: Place | null }>('live-token');
    if (isClosed) return;
    if (reply.kind === 'away') void reconnect();
    else if (reply.kind === 'done' && reply.body.live) open(reply.body.live);
    else if (reply.kind === 'limited') giveUp('limited');
    else giveUp(reply.kind === 'done' ? 'trouble' : 'gone');
  }

  function open({ url, token }: Place): void {
    const opening = new WebSocket(url, [subprotocol, token]);
    socket = opening;
    opening.binaryType = 'arraybuffer';
    opening.addEventListener('open', () => onOpen(sequence));
    opening.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as ServerMessage;
      if (message.type === 'ready') {
        isReady = true;
        isMissed = false;
        tries = 0;
      }
      if (message.type === 'lower' && message.why === 'frames') isMissed = true;
      else onMessage(message);
    });
    opening.addEventListener('close', ({ code }) => {
      socket = undefined;
      isReady = false;
      if (isClosed) return;
      onLost();
      if (lastCodes.has(code) && !isMissed) giveUp(reasons[code] ?? 'trouble');
      else void reconnect();
    });
  }

  /** Connects again: the first time at once, because a process that stops lets its pages go to another one. */
  async function reconnect(): Promise<void> {
    tries += 1;
    if (tries > 1) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (!isClosed) await connect();
  }

  function giveUp(why: ConversationOverReason): void {
    close();
    onOver(why);
  }

  function look(): void {
    const now = performance.now();
    const isWell = isReady && (socket?.bufferedAmount ?? 0) < troubleBytes && now - framedAt < silentMs;
    const counted = addTroubleTime(troubleMs, now - lookedAt, isWell);
    troubleMs = counted.troubleMs;
    lookedAt = now;
    if (counted.isTooLong) giveUp('trouble');
  }

  function close(): void {
    isClosed = true;
    clearInterval(timer);
    socket?.close();
  }

  const timer = setInterval(look, lookMs);
  void connect();
  return {
    send(message: PageMessage): void {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
    /** Sends 20 ms of sound, unless the network is far behind. */
    sendFrame(samples: ArrayBuffer): void {
      framedAt = performance.now();
      if (socket?.readyState !== WebSocket.OPEN || !isReady || socket.bufferedAmount > fullBytes) return;
      const frame = new Uint8Array(frameBytes);
      new DataView(frame.buffer).setUint32(0, sequence, true);
      frame.set(new Uint8Array(samples), frameHeadBytes);
      sequence += 1;
      socket.send(frame);
    },
    close,
  };
}
