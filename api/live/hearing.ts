import { WebSocket } from 'ws';
import { z } from 'zod';
import { createTokenBucket } from './bucket';
import { maxBacklogBytes } from './wire';

/*
 * The provider that listens: a transcription session of OpenAI's Realtime API, which detects speech and writes it down. Such
 * a session cannot speak, so nothing that a candidate says can change the words of the interviewer.
 */

type HearingSettings = { apiKey: string; baseUrl: string | undefined; model: string };

/** The milliseconds are positions in the sound that was appended since `open`. */
export type TranscriptionEvents = {
  /** The provider is ready for sound. */
  onReady: () => void;
  onStarted: (item: string, atMs: number) => void;
  onStopped: (item: string, lastSpeechMs: number) => void;
  /** The words of a piece of speech. Null if the provider could not write them down. */
  onWords: (item: string, words: string | null) => void;
  /** The connection is of no use any more. Called once. */
  onLost: (reason: ConnectionLostReason) => void;
};
export type ConnectionLostReason =
  | 'refused'
  | 'closed'
  | 'rate_limit'
  | 'expired'
  | 'malformed'
  | 'backlog'
  | 'stalled';

export type TranscriptionSession = {
  /** Passes on the sound of one frame, five frames at a time. Sound before `onReady` is dropped. */
  append: (sound: Buffer) => void;
  /** Forgets the sound whose speech has not ended yet. */
  clear: () => void;
  close: () => void;
};

/** Opens a session that listens to one candidate. `language` is a code of ISO 639. */
export type OpenTranscription = (language: string, events: TranscriptionEvents) => TranscriptionSession;

const silenceMs = 500;
/** A message for each frame would take two and a half times the processor time. Patience is far longer than these 100 ms. */
const framesPerMessage = 5;
const maxEventBytes = 256 * 1024;
const maxWords = 20_000;
/** A provider that listens sends three of the events that are read for each piece of speech. More than this is no listening. */
const eventsPerSecond = 20;
const eventBurst = 200;

const position = z.number().min(0).max(1e9);
const item_id = z.string().max(200);
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.updated') }),
  z.object({ type: z.literal('input_audio_buffer.speech_started'), audio_start_ms: position, item_id }),
  z.object({ type: z.literal('input_audio_buffer.speech_stopped'), audio_end_ms: position, item_id }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    item_id,
    transcript: z.string(),
  }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.failed'), item_id }),
  z.object({ type: z.literal('error'), error: z.object({ code: z.string().nullish() }) }),
]);
/** The events that the product reads. `npm run live:record` shows which others the provider sends. */
export const handledEventTypes: readonly string[] = event.options.map(({ shape }) => shape.type.value);

/** Returns the function that opens sessions with the given key. */
export const createTranscription =
  ({ apiKey, baseUrl = 'https://api.openai.com/v1', model }: HearingSettings): OpenTranscription =>
  (language, events) => {
    const url = `${baseUrl.replace(/^http/, 'ws').replace(/\/+$/, '')}/realtime?intent=transcription`;
    const socket = new WebSocket(url, {
      headers: { authorization: `Bearer ${apiKey}` },
      perMessageDeflate: false,
      maxPayload: maxEventBytes,
      handshakeTimeout: 5_000,
    });
    const takeEvent = createTokenBucket(eventsPerSecond, eventBurst);
    let isReady = false;
    let isOver = false;
    let frames: Buffer[] = [];
    const send = (message: object) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    };
    const lose = (reason: ConnectionLostReason) => {
      if (isOver) return;
      isOver = true;
      socket.terminate();
      events.onLost(reason);
    };

    const sendFrames = () => {
      if (frames.length === 0) return;
      if (socket.bufferedAmount > maxBacklogBytes) return lose('backlog');
      // Base64 has nothing to escape, so the JSON needs no serializer.
      const audio = Buffer.concat(frames).toString('base64');
      frames = [];
      socket.send(`{"type":"input_audio_buffer.append","audio":"${audio}"}`);
    };

    socket.on('open', () => send({ type: 'session.update', session: sessionSettings(model, language) }));
    socket.on('message', (data: Buffer) => {
      if (isOver) return;
      const read = readEvent(data);
      if (read === undefined) return lose('malformed');
      if (read === null) return;
      if (!takeEvent()) return lose('malformed');
      switch (read.type) {
        case 'session.updated':
          if (isReady) return;
          isReady = true;
          return events.onReady();
        case 'input_audio_buffer.speech_started':
          return events.onStarted(read.item_id, read.audio_start_ms);
        case 'input_audio_buffer.speech_stopped':
          // The provider's end includes the silence that it has waited for.
          return events.onStopped(read.item_id, Math.max(0, read.audio_end_ms - silenceMs));
        case 'conversation.item.input_audio_transcription.completed':
          return events.onWords(
            read.item_id,
            read.transcript.slice(0, maxWords).toWellFormed().replaceAll('\0', ''),
          );
        case 'conversation.item.input_audio_transcription.failed':
          return events.onWords(read.item_id, null);
        default: {
          const { code } = read.error;
          if (code === 'rate_limit_exceeded') lose('rate_limit');
          else if (code === 'session_expired') lose('expired');
          else if (!isReady) lose('refused');
        }
      }
    });
    socket.on('unexpected-response', (_request, { statusCode }) =>
      lose(statusCode === 429 ? 'rate_limit' : 'refused'),
    );
    socket.on('error', () => lose(isReady ? 'closed' : 'refused'));
    socket.on('close', () => lose(isReady ? 'closed' : 'refused'));

    return {
      append: (sound) => {
        if (isReady && !isOver && frames.push(sound) === framesPerMessage) sendFrames();
      },
      clear: () => {
        if (!isReady || isOver) return;
        // The provider counts the sound that it gets, so none may be left out.
        sendFrames();
        send({ type: 'input_audio_buffer.clear' });
      },
      close: () => {
        isOver = true;
        socket.terminate();
      },
    };
  };

/** The settings of a session: speech is detected by its volume, because the patience is ours (patience.ts). */
export const sessionSettings = (model: string, language: string) => ({
  type: 'transcription',
  audio: {
    input: {
      format: { type: 'audio/pcm', rate: 24_000 },
      transcription: { model, language },
      turn_detection: { type: 'server_vad', silence_duration_ms: silenceMs },
    },
  },
});

/** Returns an event, null for one that is not read, or undefined for what is no event at all. */
function readEvent(data: Buffer): z.output<typeof event> | null | undefined {
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    return undefined;
  }
  const parsed = event.safeParse(json);
  if (parsed.success) return parsed.data;
  const type = typeof json === 'object' && json !== null && 'type' in json ? json.type : undefined;
  return typeof type === 'string' && !handledEventTypes.includes(type) ? null : undefined;
}
