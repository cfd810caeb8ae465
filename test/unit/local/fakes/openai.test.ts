import { toFile } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { createVoice } from '../../../../activities/providers/voice';
import { startFakes, type Fakes } from '../../../../local/fakes/server';
import { connect, draft, fullBrief, prompt } from './fakes-client';

let fakes: Fakes;
let client: ReturnType<typeof connect>;

beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
  client = connect(fakes.url);
});
afterAll(() => fakes.close());
beforeEach(async () => {
  await client.call('DELETE', '/faults');
  await client.call('DELETE', '/records');
});

describe('openai: interview drafts', () => {
  it('writes 1, 5 and 40 distinct questions with distinct expectations', async () => {
    for (const count of [1, 5, 40]) {
      const { questions, candidate_expectations: overall } = await client.draftFor({ question_count: count });
      const asked = questions.map(({ question }) => question);
      expect(new Set(asked).size).toBe(count);
      const rubrics = [overall, ...questions.map((each) => each.candidate_expectations)];
      for (const { weak, moderate, strong } of rubrics) {
        const items = [...weak, ...moderate, ...strong];
        expect(new Set(items).size).toBe(items.length);
        expect([...items, ...asked].join(' ')).not.toMatch(/\{\w+\}/);
      }
    }
  });

  it('returns the same draft for the same brief, with 5 to 8 questions when no count is requested', async () => {
    const first = await client.draftFor({ question_count: null });
    expect(await client.draftFor({ question_count: null })).toEqual(first);
    const counts = await Promise.all(
      ['Nurse', 'Baker', 'Head of Sales', 'Pilot', 'CTO', 'Driver'].map(
        async (name) => (await client.draftFor({ name, question_count: null })).questions.length,
      ),
    );
    for (const count of counts) expect([5, 6, 7, 8]).toContain(count);
    expect(new Set(counts).size).toBeGreaterThan(1);
  });

  it('keeps given questions unchanged and in order, also in a repair call', async () => {
    const given = ['Why <us>?', 'What is {topic} & "more"?'];
    const brief = prompt({ ...fullBrief, given_questions: given, question_count: 7 });
    const repair = [
      { role: 'assistant' as const, content: '{"questions":' },
      { role: 'user' as const, content: 'That was no JSON; the <brief> stands: {"name":"x"}</brief>' },
    ];
    const completion = await client.ask([...brief, ...repair]);
    const { questions } = draft.parse(JSON.parse(completion.choices[0]?.message.content ?? ''));
    expect(questions.map(({ question }) => question)).toEqual(given);
  });
});

describe('openai: the API around it', () => {
  it('returns a valid value for any other schema', async () => {
    const tree = z.object({
      label: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const everything = z.object({
      score: z.number().gt(1).lt(2),
      share: z.number().max(0.5),
      count: z.int().min(3).max(9),
      step: z.number().multipleOf(5).gt(5),
      mood: z.enum(['good', 'bad']),
      kind: z.literal('fixed'),
      maybe: z.string().nullable(),
      either: z.union([z.object({ a: z.boolean() }), z.string()]),
      mail: z.email(),
      at: z.iso.datetime(),
      id: z.uuid(),
      code: z.string().min(30).max(40),
      items: z.array(z.string()).min(3).max(4),
      nothing: z.null(),
      tree,
    });
    const parse = () =>
      client.openai.chat.completions.parse({
        model: 'm',
        messages: [{ role: 'user', content: 'Hi' }],
        response_format: zodResponseFormat(everything, 'everything'),
      });
    const [first, second] = await Promise.all([parse(), parse()]);
    expect(everything.safeParse(first.choices[0]?.message.parsed).error).toBeUndefined();
    expect(second.choices[0]?.message.content).toBe(first.choices[0]?.message.content);
  });

  it('rejects what the provider rejects: no key, a wrong body, a schema that is not strict, an unknown path', async () => {
    const anonymous = await client.call(
      'POST',
      '/openai/v1/chat/completions',
      {},
      { authorization: 'Bearer ' },
    );
    expect([anonymous.status, await anonymous.json()]).toMatchObject([
      401,
      { error: { code: 'invalid_api_key' } },
    ]);
    const empty = client.openai.chat.completions.create({ model: 'm', messages: [] });
    await expect(empty).rejects.toMatchObject({ status: 400, param: 'messages' });
    const open = {
      name: 'open',
      strict: true,
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    };
    const asked = client.openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      response_format: { type: 'json_schema', json_schema: open },
    });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'response_format' });
    await expect(client.openai.embeddings.create({ model: 'm', input: 'x' })).rejects.toMatchObject({
      status: 404,
    });
  });
});

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
});

describe('openai: transcription', () => {
  it.each([
    ['gpt-4o-mini-transcribe', true, { mean: 0.7, tokens: 3 }],
    ['gpt-4o-mini-transcribe', false, null],
    ['whisper-1', true, { mean: Math.cbrt(0.9 * 0.9 * 0.3), tokens: 3 }],
    ['another', true, null],
  ])(
    'tells the worker how sure %s is of its words, if asked: %s',
    async (transcriptionModel, wantsConfidence, confidence) => {
      const voice = createVoice({
        apiKey: 'test',
        baseUrl: `${fakes.url}/openai/v1`,
        speechModel: 'tts-1',
        transcriptionModel,
      });
      const recording = {
        bytes: (await speak('I mumbled it.')).bytes,
        name: 'a.mp3',
        language: 'en',
        wantsConfidence,
      };
      const heard = await voice.transcribe(recording, {
        timeoutMs: 10_000,
        signal: new AbortController().signal,
      });
      expect(heard.text).toBe('I mumbled it.');
      expect(heard.confidence?.mean ?? null).toEqual(confidence && expect.closeTo(confidence.mean, 6));
      expect(heard.confidence?.tokens).toBe(confidence?.tokens);
    },
  );

  it('applies a fault only to calls of its kind', async () => {
    await fault({ call: 'transcription', status: 503 });
    expect((await speak('Hello')).bytes.length).toBeGreaterThan(0);
    await expect(transcribe(Buffer.from('abc'))).rejects.toMatchObject({ status: 503 });
  });
});
