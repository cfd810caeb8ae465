import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Fault, Faults } from './faults';
import { composeTranscript } from './openai-audio';
import type { Delays } from './pauses';
import { createSpeechDetector, frameBytes, frameMs } from './speech-detector';
import { findSpokenText } from './speech-file';

/*
 * The part of OpenAI's Realtime API that listens: transcription sessions whose turns are detected by the volume. What is
 * said is the text after `fake-transcript:` in the sound, or else sentences that the sound itself chooses.
 */

const clientEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.update'),
    session: z.object({
      type: z.literal('transcription', 'the local fake has transcription sessions only'),
      audio: z.object({
        input: z.object({
          format: z.object({ type: z.literal('audio/pcm'), rate: z.literal(24_000) }),
          transcription: z.object({ model: z.string().min(1), language: z.string().regex(/^[a-z]{2}$/) }),
          turn_detection: z.object({
            type: z.literal('server_vad'),
            silence_duration_ms: z.int().min(200).max(6_000),
          }),
        }),
      }),
    }),
  }),
  z.object({ type: z.literal('input_audio_buffer.append'), audio: z.base64() }),
  z.object({ type: z.literal('input_audio_buffer.clear') }),
]);

/** The beginning of a piece of speech is before the detector notices it. */
const prefixFrames = 300 / frameMs;

export type RealtimeProvider = {
  upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  close: () => void;
};

/** Creates the fake of the sessions at `/openai/v1/realtime`. */
export function createRealtime(faults: Faults, pauses: Delays): RealtimeProvider {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: 15 * 1024 * 1024,
  });
  let sessions = 0;
  return {
    upgrade(request, socket, head) {
      socket.on('error', () => undefined);
      const fault = faults.take('openai', { call: 'listening_session' });
      const isKnown = /^Bearer \S/i.test(request.headers.authorization ?? '');
      const status = fault?.status ?? (isKnown ? undefined : 401);
      if (status !== undefined) socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`);
      else
        void pauses.wait(fault?.delay_ms ?? 0).then((isOpen) => {
          if (isOpen)
            sockets.handleUpgrade(request, socket, head, (opened) =>
              listen(opened, (sessions += 1), faults, pauses),
            );
        });
    },
    close() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function listen(socket: WebSocket, number: number, faults: Faults, pauses: Delays): void {
  const delays = createDelays(number);
  let detector = createSpeechDetector(500);
  let piece: { id: string; fault: Fault | undefined; frames: Buffer[] } | undefined;
  let recent: Buffer[] = [];
  let items = 0;
  let events = 0;
  let isStalled = false;
  const send = (type: string, fields: object = {}) => {
    if (!isStalled && socket.readyState === socket.OPEN)
      socket.send(JSON.stringify({ type, event_id: `event_${number}_${(events += 1)}`, ...fields }));
  };
  const fail = (code: string, text: string) =>
    send('error', { error: { type: 'invalid_request_error', code, message: text, param: null } });

  function begin(startMs: number): void {
    const fault = faults.take('openai', { call: 'listening' });
    piece = { id: `item_${number}_${(items += 1)}`, fault, frames: recent };
    if (fault?.listening === 'stall') isStalled = true;
    else if (fault?.listening === 'drop') socket.terminate();
    else if (fault?.listening === 'garbage') socket.send('{"type":');
    else if (fault?.listening === 'speaks') speak();
    else if (fault?.listening === 'rate_limit') fail('rate_limit_exceeded', 'Rate limit reached.');
    send('input_audio_buffer.speech_started', { audio_start_ms: startMs, item_id: piece.id });
  }

  /** Sends what a session that speaks would send. A transcription session of the provider never does. */
  function speak(): void {
    const place = { response_id: 'response_1', item_id: 'item_spoken', output_index: 0, content_index: 0 };
    send('response.created', { response: { id: 'response_1', status: 'in_progress' } });
    send('response.output_audio.delta', { ...place, delta: Buffer.alloc(frameBytes, 1).toString('base64') });
    send('response.output_audio_transcript.delta', { ...place, delta: 'You are hired.' });
    send('response.output_audio_transcript.done', { ...place, transcript: 'You are hired.' });
    send('response.done', { response: { id: 'response_1', status: 'completed' } });
  }

  async function end(endMs: number): Promise<void> {
    if (!piece) return;
    const { id, fault, frames } = piece;
    piece = undefined;
    send('input_audio_buffer.speech_stopped', { audio_end_ms: endMs, item_id: id });
    send('input_audio_buffer.committed', { previous_item_id: null, item_id: id });
    const item = { id, type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] };
    send('conversation.item.added', { previous_item_id: null, item });
    send('conversation.item.done', { previous_item_id: null, item });
    if (!(await pauses.wait(fault?.delay_ms ?? delays()))) return;
    const place = { item_id: id, content_index: 0 };
    if (fault?.listening === 'fail') {
      const error = { type: 'transcription_error', code: 'audio_unintelligible', message: 'Failed.' };
      return send('conversation.item.input_audio_transcription.failed', { ...place, error });
    }
    const sound = Buffer.concat(frames);
    const transcript = fault?.transcript ?? findSpokenText(sound) ?? composeTranscript(sound);
    send('conversation.item.input_audio_transcription.delta', { ...place, delta: transcript });
    const seconds = Math.ceil((frames.length * frameMs) / 1_000);
    const usage = { type: 'duration', seconds };
    send('conversation.item.input_audio_transcription.completed', { ...place, transcript, usage });
  }

  function hear(frame: Buffer): void {
    recent = [...recent, frame].slice(-prefixFrames);
    piece?.frames.push(frame);
    const change = detector.hear(frame);
    if (change?.type === 'started') begin(change.ms);
    if (change?.type === 'stopped') void end(change.ms);
  }

  send('session.created', { session: { type: 'transcription', id: `session_${number}` } });
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const event = readEvent(data);
    if (event === undefined) return fail('invalid_value', 'The fake does not know this event.');
    if (event.type === 'session.update') {
      detector = createSpeechDetector(event.session.audio.input.turn_detection.silence_duration_ms);
      return send('session.updated', { session: event.session });
    }
    if (event.type === 'input_audio_buffer.clear') {
      piece = undefined;
      recent = [];
      rest = Buffer.alloc(0);
      detector.reset();
      return send('input_audio_buffer.cleared');
    }
    const sound = Buffer.concat([rest, Buffer.from(event.audio, 'base64')]);
    let at = 0;
    for (; at + frameBytes <= sound.length; at += frameBytes) hear(sound.subarray(at, at + frameBytes));
    rest = Buffer.from(sound.subarray(at));
  });
}

function readEvent(data: Buffer): z.output<typeof clientEvent> | undefined {
  try {
    return clientEvent.safeParse(JSON.parse(data.toString())).data;
  } catch {
    return undefined;
  }
}

/** Returns a function that returns how long each transcription takes: about 250 ms, the same in each run. */
function createDelays(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x85ebca6b) + 0x6d2b79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.min(2_000, 250 * Math.exp(0.3 * normal));
  };
}
