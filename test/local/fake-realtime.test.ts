import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { handledEventTypes } from '../../api/live/hearing';
import { startFakes } from '../../local/fakes/server';
import { atEnd } from '../harness/at-end';

const root = path.resolve(__dirname, '../..');

describe('the fake of the Realtime API', () => {
  it('sends the kinds of events that the provider sent when they were recorded', async () => {
    const fakes = await startFakes({ port: 0 });
    atEnd(fakes.close);
    const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-realtime-'));
    const [wav, file] = [path.join(folder, 'speech.wav'), path.join(folder, 'events.json')];
    // The header of a WAV file is not read. Half a second of sound is followed by a second of silence.
    writeFileSync(wav, Buffer.concat([Buffer.alloc(44), Buffer.alloc(24_000, 0x20), Buffer.alloc(48_000)]));
    const script = path.join(root, 'dist/local/fakes/record-realtime.js');
    const env = {
      PATH: process.env['PATH'],
      OPENAI_API_KEY: 'test',
      OPENAI_BASE_URL: `${fakes.url}/openai/v1`,
    };
    await promisify(execFile)(process.execPath, [script, wav, file], { env });
    const kindsIn = (text: string) => (JSON.parse(text) as { kinds: string[] }).kinds;
    const sent = kindsIn(readFileSync(file, 'utf8'));
    expect(sent).toEqual(kindsIn(readFileSync(path.join(root, 'local/fakes/realtime-events.json'), 'utf8')));
    const troubles = ['conversation.item.input_audio_transcription.failed', 'error'];
    expect(handledEventTypes.filter((kind) => !sent.includes(kind))).toEqual(troubles);
  });
});
