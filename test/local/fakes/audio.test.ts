import { toFile } from 'openai';
import { startFakes, type Fakes } from '../../../local/fakes/server';
import { connect } from './fakes-client';

let fakes: Fakes;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
  client = connect(fakes.url);
});
afterAll(() => fakes.close());
beforeEach(async () => void (await client.call('DELETE', '/faults')));

const fault = (body: object) => client.call('POST', '/faults', { provider: 'openai', ...body });
const speak = async (input: string) => {
  const response = await client.openai.audio.speech.create({ model: 'tts', voice: 'alloy', input });
  return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) };
};
const transcribe = async (bytes: Uint8Array, name = 'answer.webm') =>
  (await client.openai.audio.transcriptions.create({ model: 'm', file: await toFile(bytes, name) })).text;

describe('openai: speech', () => {
  it('returns an mp3 file: an ID3 tag and then MPEG frames', async () => {
    const { type, bytes } = await speak('How are you?');
    expect(type).toBe('audio/mpeg');
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('ID3\x04');
    const size = bytes.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0);
    // The audio is MPEG 2 Layer III at 16 kHz and 16 kbit/s, so its frames have 72 bytes.
    const frames = bytes.subarray(10 + size);
    expect(frames.length % 72).toBe(0);
    for (let start = 0; start < frames.length; start += 72)
      expect(frames.readUInt16BE(start) & 0xfffe).toBe(0xfff2);
  });

  it('is understood by the transcription', async () => {
    const text = 'Wie geht es Ihnen – heute?';
    expect(await transcribe((await speak(text)).bytes, 'speech.mp3')).toBe(text);
  });

  it('rejects an empty and a long text', async () => {
    await expect(speak('')).rejects.toMatchObject({ status: 400 });
    await expect(speak('x'.repeat(4_097))).rejects.toMatchObject({ status: 400 });
  });

  it('returns an empty file when it is asked to fail so', async () => {
    await fault({ malformed: true, call: 'speech' });
    expect((await speak('Hello')).bytes.length).toBe(0);
    expect((await speak('Hello')).bytes.length).toBeGreaterThan(0);
  });
});

describe('openai: transcription', () => {
  it('returns the same text for the same bytes, and others for others', async () => {
    const texts = await Promise.all([1, 1, 2, 3, 4].map((seed) => transcribe(Buffer.alloc(5_000, seed))));
    expect(texts[0]).toBe(texts[1]);
    expect(new Set(texts).size).toBeGreaterThan(2);
  });

  it('returns the text after the marker, which may be empty', async () => {
    expect(await transcribe(Buffer.from('\u0000\u0001fake-transcript:I plan.\0more'))).toBe('I plan.');
    expect(await transcribe(Buffer.from('fake-transcript:'))).toBe('');
  });

  it('returns the text of a fault', async () => {
    await fault({ call: 'transcription', transcript: '' });
    expect(await transcribe(Buffer.from('abc'))).toBe('');
  });

  it('applies a fault only to calls of its kind', async () => {
    await fault({ call: 'transcription', status: 503 });
    expect((await speak('Hello')).bytes.length).toBeGreaterThan(0);
    await expect(transcribe(Buffer.from('abc'))).rejects.toMatchObject({ status: 503 });
  });

  it('rejects an empty file and one with another ending', async () => {
    await expect(transcribe(Buffer.alloc(0))).rejects.toMatchObject({ status: 400 });
    await expect(transcribe(Buffer.from('abc'), 'answer.txt')).rejects.toMatchObject({ status: 400 });
  });
});
