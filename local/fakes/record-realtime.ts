import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { sessionSettings } from '../../api/live/hearing';
import { frameBytes, frameMs } from './speech-detector';

/*
 * `npm run live:record -- speech.wav` records which kinds of events a real transcription session sends, for the test that
 * compares them with those of the fake. It needs OPENAI_API_KEY; OPENAI_BASE_URL names another server.
 */

const file = path.join(__dirname, '../../../local/fakes/realtime-events.json');
const wavHeadBytes = 44;
const lastWordsMs = 10_000;

async function main(): Promise<void> {
  const [wav, to = file] = process.argv.slice(2);
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: base = 'https://api.openai.com/v1' } = process.env;
  if (wav === undefined || !key)
    throw new Error('Set OPENAI_API_KEY, and name a WAV file (mono, 24 kHz, 16 bits).');
  const model = process.env['OPENAI_TRANSCRIPTION_MODEL'] ?? 'gpt-4o-mini-transcribe';
  const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/realtime?intent=transcription`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const kinds = new Set<string>();
  const ended = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as { type: string };
      kinds.add(type);
      if (type.endsWith('input_audio_transcription.completed')) resolve();
      if (type === 'session.updated') void send(socket, readFileSync(wav).subarray(wavHeadBytes));
      if (type === 'error') reject(new Error(data.toString()));
    });
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'session.update', session: sessionSettings(model, 'en') })),
    );
  });
  // Without `ref`, this limit does not keep the process alive after the recording.
  await Promise.race([ended, sleep(lastWordsMs + 60_000, undefined, { ref: false })]);
  socket.terminate();
  const recorded = { model, recorded_at: new Date().toISOString(), kinds: [...kinds].toSorted() };
  writeFileSync(to, `${JSON.stringify(recorded, null, 2)}\n`);
  console.log(`${kinds.size} kinds of events: ${recorded.kinds.join(', ')}`);
}

/** Sends the sound as fast as it is spoken. */
async function send(socket: WebSocket, pcm: Buffer): Promise<void> {
  for (let at = 0; at + frameBytes <= pcm.length && socket.readyState === WebSocket.OPEN; at += frameBytes) {
    const audio = pcm.subarray(at, at + frameBytes).toString('base64');
    socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio }));
    await sleep(frameMs);
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
