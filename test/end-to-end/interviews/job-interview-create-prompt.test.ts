import { promptsFor } from '../../harness/interviews/interview-rows';
import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

const rewritten = { interview_length: 1, include_closing_prompt: false };

/** Creates an interview. Returns its definition and the prompt of its only model call. */
async function generate(name: string, more: Record<string, unknown> = {}) {
  const created = await platform.call('job-interview-create', {
    body: newInterview(platform.stack, { name, ...rewritten, ...more }),
  });
  expect(created.body).not.toHaveProperty('error');
  const position_id = String(created.body['interview_def_set_id']);
  const { body: definition } = await platform.call('job-interview-get', { query: { position_id } });
  const prompts = await promptsFor(platform, name);
  expect(prompts).toHaveLength(1);
  const [prompt] = prompts;
  if (!prompt) throw new Error('the model was not asked');
  return { definition, prompt };
}

describe('job-interview-create: the prompt', () => {
  const description = '  We mend clocks. ';
  const description_long = '# Clocks\n\n- mend them\n';
  let sent: Awaited<ReturnType<typeof generate>>;
  let omitted: typeof sent;
  let german: typeof sent;
  beforeAll(async () => {
    sent = await generate('Junior clockmaker', {
      description,
      description_long,
      hiring_for_company: { name: 'Greenhouse Ltd' },
      seniority_level: 'director',
      interview_tone: 'PROFESSIONAL',
      candidate_expectations: 'Mends clocks without a word',
      additional_context: { shift: 'nights' },
      interview_type: 'second-interview',
      interview_department: 'Windows',
      use_enhanced_expectations: true,
    });
    omitted = await generate('Junior accountant', {
      interview_length: undefined,
      description: '  ',
      description_long: '',
      interview_tone: 'like a pirate',
    });
    german = await generate('Lagerleitung', {
      platform_language_code: 'de',
      knowledge_base_store_id: platform.stack.ids.knowledge_base,
      interview_type: 'process-verification-from-knowledge-base',
    });
  });

  it('lets the model choose the number of questions when interview_length is omitted', () => {
    expect(omitted.prompt.brief['question_count']).toBeNull();
    expect((omitted.definition['questions'] as unknown[]).length).toBeGreaterThanOrEqual(5);
  });

  it('names the language, in which everything is written', () => {
    const { definition, prompt } = german;
    expect(prompt.brief['language']).toEqual({ code: 'de', name: 'German' });
    expect(prompt.system).toContain('Write every text in the language the brief names');
    expect(definition['speech_language_code']).toBe('de-DE');
    const [question] = definition['questions'] as { platform_language_code: string; question: string }[];
    expect(question?.platform_language_code).toBe('de');
    expect(question?.question).toMatch(/^\[German\]/);
  });

  it('contains the text of a knowledge base between two fences outside the brief', async () => {
    const id = platform.stack.ids.knowledge_base;
    const [{ text } = { text: '' }] = await platform.database.rows<{ text: string }>(
      'select text from knowledge_base where id = $1',
      [id],
    );
    expect(text.length).toBeGreaterThan(100);
    const { definition, prompt } = german;
    expect(definition['knowledge_base_store_id']).toBe(id);
    const after = prompt.user.slice(prompt.user.indexOf('</brief>'));
    const fence = /between the two lines ([0-9a-f]{24}):/.exec(after)?.[1];
    expect(fence).toBeDefined();
    expect(after.split(`\n${fence}`)[1]).toBe(`\n${text}`);
    expect(after.endsWith(`\n${fence}`)).toBe(true);
    expect(JSON.stringify(prompt.brief)).not.toContain('five working days');
  });

  it('names the company, or the merchant if no company is sent', () => {
    expect(sent.prompt.brief['company']).toMatchObject({ name: 'Greenhouse Ltd' });
    expect(omitted.prompt.brief['company']).toEqual({ name: platform.stack.merchant_name });
  });

  it('has the tone of interview_tone in any case, and the relaxed one for an unknown tone', () => {
    expect(sent.definition['creation_parameters']).toMatchObject({ interview_tone: 'PROFESSIONAL' });
    expect(sent.prompt.brief['tone']).toBe('formal and precise');
    expect(omitted.definition['creation_parameters']).toMatchObject({ interview_tone: 'like a pirate' });
    expect(omitted.prompt.brief['tone']).toBe('warm and conversational, as among colleagues');
  });

  it('derives seniority_level if it is omitted, and uses it if it is sent', () => {
    expect(omitted.prompt.brief['seniority_level']).toBeNull();
    expect(omitted.definition['creation_parameters']).toMatchObject({ seniority_level: 'entry-level' });
    expect(sent.prompt.brief['seniority_level']).toBe('director');
    expect(sent.definition['creation_parameters']).toMatchObject({ seniority_level: 'director' });
  });

  it('leaves a sent description and description_long unchanged', () => {
    const { definition, prompt } = sent;
    expect(definition).toMatchObject({ description, interview_description_long: description_long });
    expect(prompt.brief).toMatchObject({ given_description: description, needs_description_long: false });
  });

  it('asks for a blank description and a blank long one', () => {
    const { definition, prompt } = omitted;
    expect(String(definition['description']).trim()).not.toBe('');
    expect(prompt.brief['needs_description_long']).toBe(true);
    expect(String(definition['interview_description_long'])).toContain('## ');
  });

  it('asks for no long description of a coaching, and names neither an undisclosed company nor the merchant', async () => {
    const { definition, prompt } = await generate('Chemist', {
      type: 'coaching',
      description: '  ',
      description_long: '',
      hiring_for_company: { name: 'Umbrella Corp', undisclosed: true, sector: 'Pharma' },
    });
    expect(String(definition['description']).trim()).not.toBe('');
    expect(prompt.brief['needs_description_long']).toBe(false);
    expect(definition['interview_description_long']).toBeNull();
    expect(prompt.brief['company']).toMatchObject({ name: 'an unnamed client', sector: 'Pharma' });
    const told = `${prompt.system} ${prompt.user}`;
    expect(told).not.toContain('Umbrella');
    expect(told).not.toContain(platform.stack.merchant_name);
    expect(JSON.stringify([definition['description'], definition['questions']])).not.toContain('Umbrella');
    expect(definition['creation_parameters']).toMatchObject({ hiring_for_company: { sector: 'Pharma' } });
  });

  it('contains expectations, context, kind and department', () => {
    const { definition, prompt } = sent;
    expect(prompt.brief).toMatchObject({
      candidate_expectations: 'Mends clocks without a word',
      additional_context: { shift: 'nights' },
      interview_type: 'second-interview',
      department: 'Windows',
      enhanced_expectations: true,
    });
    expect(definition['candidate_expectations']).toBe('Mends clocks without a word');
    expect(definition['creation_parameters']).toMatchObject({ additional_context: { shift: 'nights' } });
    const rubric = definition['candidate_expectations_json'] as Record<string, string[]>;
    expect(Object.values(rubric).map((items) => items.length)).toEqual([5, 5, 5]);
  });
});
