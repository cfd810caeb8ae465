import { promptsFor } from '../../harness/interviews/interview-rows';
import { newInterview } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';

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
  it('lets the model choose the number of questions when interview_length is omitted', async () => {
    const { definition, prompt } = await generate('Pilot', { interview_length: undefined });
    expect(prompt.brief['question_count']).toBeNull();
    expect((definition['questions'] as unknown[]).length).toBeGreaterThanOrEqual(5);
  });

  it('names the language, in which everything is written', async () => {
    const { definition, prompt } = await generate('Lagerleitung', { platform_language_code: 'de' });
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
    const { definition, prompt } = await generate('Shift lead', {
      knowledge_base_store_id: id,
      interview_type: 'process-verification-from-knowledge-base',
    });
    expect(definition['knowledge_base_store_id']).toBe(id);
    const after = prompt.user.slice(prompt.user.indexOf('</brief>'));
    const fence = /between the two lines ([0-9a-f]{24}):/.exec(after)?.[1];
    expect(fence).toBeDefined();
    expect(after.split(`\n${fence}`)[1]).toBe(`\n${text}`);
    expect(after.endsWith(`\n${fence}`)).toBe(true);
    expect(JSON.stringify(prompt.brief)).not.toContain('five working days');
  });

  it.each([
    ['undisclosed: true', { name: 'Umbrella Corp', undisclosed: true, sector: 'Pharma' }],
    ['the name undisclosed', { name: ' Undisclosed ', undisclosed: false, sector: 'Pharma' }],
  ])('names neither company nor merchant for a company with %s', async (situation, company) => {
    const name = `Chemist, ${situation}`;
    const { definition, prompt } = await generate(name, { hiring_for_company: company });
    expect(prompt.brief['company']).toMatchObject({ name: 'an unnamed client', sector: 'Pharma' });
    const told = `${prompt.system} ${prompt.user}`;
    expect(told).not.toContain('Umbrella');
    expect(told).not.toContain(platform.stack.merchant_name);
    expect(JSON.stringify([definition['description'], definition['questions']])).not.toContain('Umbrella');
    expect(definition['creation_parameters']).toMatchObject({ hiring_for_company: { sector: 'Pharma' } });
  });

  it('names the company, or the merchant if no company is sent', async () => {
    const named = await generate('Botanist', { hiring_for_company: { name: 'Greenhouse Ltd' } });
    expect(named.prompt.brief['company']).toMatchObject({ name: 'Greenhouse Ltd' });
    const own = await generate('Zoologist');
    expect(own.prompt.brief['company']).toEqual({ name: platform.stack.merchant_name });
  });

  it.each([
    ['PROFESSIONAL', 'formal and precise'],
    ['like a pirate', 'warm and conversational, as among colleagues'],
  ])('has, when interview_tone is %s, the tone “%s”', async (tone, told) => {
    const { definition, prompt } = await generate(`Sailor, ${tone}`, { interview_tone: tone });
    expect(definition['creation_parameters']).toMatchObject({ interview_tone: tone });
    expect(prompt.brief['tone']).toBe(told);
  });

  it('derives seniority_level if it is omitted, and uses it if it is sent', async () => {
    const derived = await generate('Junior accountant');
    expect(derived.prompt.brief['seniority_level']).toBeNull();
    expect(derived.definition['creation_parameters']).toMatchObject({ seniority_level: 'entry-level' });
    const sent = await generate('Junior auditor', { seniority_level: 'director' });
    expect(sent.prompt.brief['seniority_level']).toBe('director');
    expect(sent.definition['creation_parameters']).toMatchObject({ seniority_level: 'director' });
  });

  it('leaves a sent description and description_long unchanged', async () => {
    const description = '  We mend clocks. ';
    const description_long = '# Clocks\n\n- mend them\n';
    const { definition, prompt } = await generate('Clockmaker', { description, description_long });
    expect(definition).toMatchObject({ description, interview_description_long: description_long });
    expect(prompt.brief).toMatchObject({ given_description: description, needs_description_long: false });
  });

  it.each([
    ['interview', true],
    ['coaching', false],
  ])('asks for a blank description of the type %s, and for a blank long one: %s', async (type, isLong) => {
    const { definition, prompt } = await generate(`Smith for ${type}`, {
      type,
      description: '  ',
      description_long: '',
    });
    expect(String(definition['description']).trim()).not.toBe('');
    expect(prompt.brief['needs_description_long']).toBe(isLong);
    if (isLong) expect(String(definition['interview_description_long'])).toContain('## ');
    else expect(definition['interview_description_long']).toBeNull();
  });

  it('contains expectations, context, kind and department', async () => {
    const { definition, prompt } = await generate('Glazier', {
      candidate_expectations: 'Cuts glass without a word',
      additional_context: { shift: 'nights' },
      interview_type: 'second-interview',
      interview_department: 'Windows',
      use_enhanced_expectations: true,
    });
    expect(prompt.brief).toMatchObject({
      candidate_expectations: 'Cuts glass without a word',
      additional_context: { shift: 'nights' },
      interview_type: 'second-interview',
      department: 'Windows',
      enhanced_expectations: true,
    });
    expect(definition['candidate_expectations']).toBe('Cuts glass without a word');
    expect(definition['creation_parameters']).toMatchObject({ additional_context: { shift: 'nights' } });
    const rubric = definition['candidate_expectations_json'] as Record<string, string[]>;
    expect(Object.values(rubric).map((items) => items.length)).toEqual([5, 5, 5]);
  });
});
