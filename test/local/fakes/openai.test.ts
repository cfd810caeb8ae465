import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { startFakes, type Fakes } from '../../../local/fakes/server';
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
  it.each(['en', 'ja'])(
    'writes 1, 5 and 40 distinct questions with distinct expectations in %s',
    async (code) => {
      for (const count of [1, 5, 40]) {
        for (const type of ['interview', 'coaching', 'assessment']) {
          const language = { code, name: `language ${code}` };
          const { questions, candidate_expectations: overall } = await client.draftFor({
            type,
            language,
            question_count: count,
            enhanced_expectations: count === 5,
          });
          expect(new Set(questions.map(({ question }) => question)).size).toBe(count);
          for (const { weak, moderate, strong } of [
            overall,
            ...questions.map((each) => each.candidate_expectations),
          ]) {
            const items = [...weak, ...moderate, ...strong];
            expect(new Set(items).size).toBe(items.length);
            expect(items.join(' ')).not.toMatch(/\{\w+\}/);
          }
          expect(questions.map(({ question }) => question).join(' ')).not.toMatch(/\{\w+\}/);
        }
      }
    },
  );

  it('mentions title, company, department and expectations in the questions', async () => {
    const { questions, description, seniority_level } = await client.draftFor({ question_count: 8 });
    const text = questions.map(({ question }) => question).join(' ');
    for (const words of ['Senior Backend Developer', 'Acme', 'Platform', 'PostgreSQL tuning', 'code review'])
      expect(text).toContain(words);
    expect(description.split(/(?<=\.) /)).toHaveLength(2);
    expect(description).toContain('Ghent');
    expect(seniority_level).toBe('senior');
  });

  it('writes a long description with four headings that says at the end that no model wrote it', async () => {
    const { description_long: text } = await client.draftFor({});
    expect(text.match(/^## .+$/gm)).toEqual([
      '## Purpose',
      '## Responsibilities',
      '## Required qualifications',
      '## Preferred qualifications',
    ]);
    expect(text).toMatch(/composed by the local fake and not written by a model\.$/);
  });

  it('marks its English sentences with the requested language', async () => {
    const { questions, description } = await client.draftFor({ language: { code: 'ja', name: 'Japanese' } });
    expect(description).toMatch(/^\[Japanese\] This interview/);
    for (const { question } of questions) expect(question).toMatch(/^\[Japanese\] /);
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

  it.each([
    ['Junior Manager', 'entry-level'],
    ['Baker', 'intermediate'],
    ['Senior Manager', 'managerial'],
    ['Head of Sales', 'director'],
    ['Vice President Finance', 'executive'],
  ])('derives the seniority of %s: %s', async (name, seniority) => {
    expect((await client.draftFor({ name })).seniority_level).toBe(seniority);
    expect((await client.draftFor({ name, seniority_level: 'director' })).seniority_level).toBe('director');
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

  it('lists the calls with model, messages and format, oldest first', async () => {
    await client.draftFor({});
    await client.openai.chat.completions.create({
      model: 'second',
      messages: [{ role: 'user', content: '<b>hi' }],
    });
    const calls = await client.readJson(z.array(z.record(z.string(), z.unknown())), '/openai/requests');
    expect(calls.map(({ model, response_format: format }) => [model, format])).toEqual([
      ['gpt-4.1-mini', 'interview_draft'],
      ['second', null],
    ]);
    expect(calls[0]?.['messages']).toEqual(prompt(fullBrief));
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

  it('returns a whole, labeled envelope, with plain text when no format is requested', async () => {
    const completion = await client.openai.chat.completions.create({
      model: 'my-model',
      messages: [{ role: 'user', content: [{ type: 'text', text: '12345' }] }],
    });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'my-model',
      system_fingerprint: 'fp_local_fakes',
      choices: [
        { index: 0, finish_reason: 'stop', logprobs: null, message: { role: 'assistant', refusal: null } },
      ],
    });
    const content = completion.choices[0]?.message.content ?? '';
    const written = Math.ceil(content.length / 4);
    expect(completion.usage).toEqual({
      prompt_tokens: 2,
      completion_tokens: written,
      total_tokens: 2 + written,
    });
    expect((await client.openai.models.list()).data.length).toBeGreaterThan(0);
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
