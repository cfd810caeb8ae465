import { isDeepStrictEqual } from 'node:util';
import { eachRow } from '../../harness/each-row';
import { definitionCalls, given, rubric } from '../../harness/interviews/definitions';
import { briefsFor } from '../../harness/interviews/interview-rows';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import type { Reply } from '../../harness/platform/platform';

let platform: OperationsWithWorker;
let calls: ReturnType<typeof definitionCalls>;
let name: string;
let count = 0;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
  calls = definitionCalls(platform);
});
beforeEach(() => {
  name = `Senior engineer ${++count}`;
});

const asked = () => briefsFor(platform, name);
const readOf = (created: Reply) => calls.read(String(created.body['interview_def_set_id']));

const foreign = '0198a000-0000-7000-8000-0000000000ff';

describe('job-interview-create-from-array', () => {
  it('stores every text as sent and calls no model when nothing is missing', async () => {
    const questions = [
      given('First?  Really?', { duration: 45, label: 'L', external_id: 'q-1', external_data: { a: [1] } }),
      given('Second?', {
        is_multiple_choice: true,
        question_alternatives: ['a', 'b'],
        candidate_expectations_json: { weak: [], moderate: [], strong: ['b'] },
      }),
      { question: 'Anything else?', is_without_scoring: true, is_candidate_asking_recruiter: true },
    ];
    const body = {
      name,
      questions,
      description: ' Two words. ',
      description_long: '  ## Long\n',
      seniority_level: 'director',
      welcome_message: 'Hi there',
      thank_you_message: 'Bye',
      is_embedded: true,
      embed_origins: ['https://careers.example.com'],
    };
    const created = await calls.fromArray(body);
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      interview_def_set_id: expect.any(String),
      embed_id: expect.any(String),
      embed_signing_key: expect.stringMatching(/^esk_/),
    });
    expect(await asked()).toEqual([]);
    const definition = await readOf(created);
    expect(definition).toMatchObject({
      description: ' Two words. ',
      interview_description_long: '  ## Long\n',
      candidate_expectations_json: rubric,
      embed_origins: body.embed_origins,
      max_duration: 1200,
      creation_parameters: {
        seniority_level: 'director',
        interview_length: null,
        include_rapport_question: false,
        include_closing_prompt: false,
      },
    });
    expect(definition.questions).toMatchObject(questions);
    expect(definition.questions[2]).toMatchObject({ candidate_expectations_json: null });
    const compiled = definition['calc_definition_json'] as { steps: { view: string; text: string }[] };
    expect(compiled.steps.map(({ view, text }) => `${view}: ${text}`)).toEqual([
      'welcome: Hi there',
      'question: First?  Really?',
      'question: Second?',
      'question: Anything else?',
      'thank_you: Bye',
    ]);
  });

  it.each([
    [9, 1_200],
    [60, 7_200],
    [100, 7_200],
  ])(
    'gives %d questions %d seconds, and sending back what get returns changes nothing',
    async (count, seconds) => {
      const questions = Array.from({ length: count }, (_, index) => given(`Question ${index + 1}?`));
      const created = await calls.fromArray({ name, questions, max_followups: 10 });
      const definition = await readOf(created);
      expect(definition).toMatchObject({ max_duration: seconds, max_followups: 10 });
      expect(definition.questions).toHaveLength(count);
      const updated = await calls.update(String(created.body['interview_def_set_id']), definition);
      expect([updated.status, updated.body['updated_fields']]).toEqual([200, []]);
    },
  );

  it('lets the model write what is missing, and keeps all other texts', () =>
    eachRow(
      [
        ['a rubric of one question', { questions: [given('One?'), { question: 'Two?' }] }],
        [
          'the rubric of the session and the seniority level',
          { candidate_expectations_json: null, seniority_level: null },
        ],
        ['the long description', { description_long: ' ' }],
      ],
      async (_what, missing) => {
        name = `Senior engineer ${++count}`;
        const body = { name, questions: [given('One?'), given('Two?')], ...missing };
        const created = await calls.fromArray(body);
        expect(created.status).toBe(200);
        const [brief, ...more] = await asked();
        expect(more).toEqual([]);
        expect(brief).toMatchObject({
          question_count: 2,
          given_questions: ['One?', 'Two?'],
          given_description: 'A talk about backends.',
          needs_description_long: 'description_long' in missing,
        });
        const definition = await readOf(created);
        expect(definition['description']).toBe('A talk about backends.');
        expect(definition.questions.map(({ question }) => question)).toEqual(['One?', 'Two?']);
        expect(definition.questions[0]).toMatchObject({ candidate_expectations_json: rubric });
        const [second] = definition.questions.slice(1) as { candidate_expectations_json?: typeof rubric }[];
        const own = second?.candidate_expectations_json;
        expect(own?.strong.length).toBeGreaterThanOrEqual(3);
        expect(isDeepStrictEqual(own, rubric)).toBe(!('questions' in missing));
        expect(isDeepStrictEqual(definition['candidate_expectations_json'], rubric)).toBe(
          !('candidate_expectations_json' in missing),
        );
        expect(definition['interview_description_long'] === '## Purpose').toBe(
          !('description_long' in missing),
        );
        expect(definition['creation_parameters']).toMatchObject({ seniority_level: 'senior' });
      },
    ));

  it('links conditional questions to their parent by external_id or id, which may be of no record, in the order of the call', async () => {
    const [other] = (await calls.build([given('Known?')])).definition.questions;
    const created = await calls.fromArray({
      name,
      questions: [
        given('Parent?', { external_id: 'p' }),
        given('Child?', { is_conditional: true, conditional_question_main_id: 'p', external_id: 'c' }),
        given('Known?', { id: other?.id.toUpperCase() }),
        given('Grandchild?', { is_conditional: true, conditional_question_main_id: 'c' }),
        given('Of the known?', {
          is_conditional: true,
          conditional_question_main_id: other?.id.toUpperCase(),
        }),
        given('Named?', { id: 'q 1' }),
        given('Of the named?', { id: foreign, is_conditional: true, conditional_question_main_id: 'q 1' }),
        given('Last?', { is_conditional: true, conditional_question_main_id: foreign.toUpperCase() }),
      ],
    });
    expect(created.body).not.toHaveProperty('error');
    const { questions } = await readOf(created);
    const [parent, child, known, , , named, ofNamed] = questions.map(({ id }) => id);
    expect(known).toBe(other?.id);
    expect([named, ofNamed]).not.toContain(foreign);
    expect(questions.map((question) => question['conditional_question_main_id'])).toEqual([
      null,
      parent,
      null,
      child,
      known,
      null,
      named,
      ofNamed,
    ]);
  });

  it('shares a record with the same id and content, and creates a new one for other content', async () => {
    const { definition } = await calls.build([
      given('Shared?', { duration: 50 }),
      given('Parent?', { external_id: 'p' }),
      given('Child?', { is_conditional: true, conditional_question_main_id: 'p' }),
      given('Edited later?'),
    ]);
    const [shared, parent, child, old] = definition.questions;
    const created = await calls.fromArray({
      name,
      questions: [{ ...shared, duration: undefined }, parent, child, { ...old, question: 'Edited?' }],
    });
    const { questions } = await readOf(created);
    expect(questions.slice(0, 2)).toEqual([shared, parent]);
    expect(questions[2]).toEqual(child);
    expect(questions[3]).toEqual({ ...old, question: 'Edited?', id: expect.any(String) });
    expect(questions[3]?.id).not.toBe(old?.id);
  });
});
