import { eachRow } from '../../harness/each-row';
import { briefsFor } from '../../harness/interviews/interview-rows';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { newInterview } from '../../harness/platform/platform';

const persona = {
  name: 'Grace Okafor',
  role: 'Head of purchasing',
  situation: 'A hotel chain may buy 200 licenses.',
  goal: 'a discount of 30 percent',
  mood: 'stubborn',
  opening_line: 'I have your offer here, and it is too expensive.',
};
const rubric = { weak: ['Gives in'], moderate: ['Gives a reason'], strong: ['Names a trade'] };
const given = {
  description: 'Talk about a price.',
  seniority_level: 'senior',
  candidate_expectations_json: rubric,
  questions: [{ question: 'Your competitor is cheaper.', candidate_expectations_json: rubric }],
};

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
});

const create = (more: Record<string, unknown>, operation = 'job-interview-create') =>
  platform.call(operation, {
    body: newInterview(platform.stack, { type: 'persona', interview_length: 2, ...more }),
  });
const built = async (more: Record<string, unknown>, operation?: string) => {
  const { status, body } = await create(more, operation);
  expect([status, body['error']]).toEqual([200, undefined]);
  return String(body['interview_def_set_id']);
};
const read = async (id: string) =>
  (await platform.call('job-interview-get', { query: { position_id: id } })).body;
const update = (id: string, body: Record<string, unknown>) =>
  platform.call('job-interview-update', { body: { position_id: id, ...body } });

describe('the person whom the AI plays', () => {
  it('keeps what the call gives, and is drafted otherwise, with lines instead of interview questions', async () => {
    const id = await built({
      persona: { name: '  Grace\nOkafor ', mood: 'stubborn', goal: ' ', role: null },
    });
    const definition = await read(id);
    // Learners practice for the feedback.
    expect(definition).toMatchObject({
      result_view: 'advanced',
      persona: { name: 'Grace Okafor', mood: 'stubborn' },
    });
    for (const part of Object.keys(persona))
      expect(definition['persona']).toHaveProperty(part, expect.stringMatching(/\S/));
    const questions = definition['questions'] as {
      question: string;
      is_candidate_asking_recruiter: boolean;
    }[];
    expect(questions).toHaveLength(2);
    expect(questions.some((each) => each.is_candidate_asking_recruiter)).toBe(false);
    expect(definition['calc_definition_json']).toMatchObject({ persona: { name: 'Grace Okafor' } });
  });

  it('needs no model if the call gives everything', async () => {
    const id = await built(
      {
        name: 'Role-play without a model',
        type: 'persona_interview',
        interview_length: undefined,
        persona,
        ...given,
      },
      'job-interview-create-from-array',
    );
    expect(await briefsFor(platform, 'Role-play without a model')).toEqual([]);
    expect((await read(id))['persona']).toEqual(persona);
  });

  it('is a 422 for other types, with too long a text, and not an object', () =>
    eachRow(
      [
        [{ type: 'interview', persona }, 'persona', 'not_applicable'],
        [{ type: 'coaching', persona: {} }, 'persona', 'not_applicable'],
        [{ persona: { ...persona, goal: 'x'.repeat(1_001) } }, 'persona.goal', 'too_long'],
        [{ persona: 'Grace' }, 'persona', 'invalid_type'],
      ],
      async (more, name, code) => {
        for (const [operation, body] of [
          ['job-interview-create', more],
          ['job-interview-create-from-array', { interview_length: undefined, ...given, ...more }],
        ] as const)
          expect((await create(body, operation)).body).toMatchObject({ name, code });
      },
    ));

  it('is changed part by part by an update, which accepts what get returns', async () => {
    const id = await built({ persona });
    const { body } = await update(id, { persona: { mood: 'in a hurry', goal: '' } });
    expect(body['updated_fields']).toEqual(['persona']);
    const after = await read(id);
    expect(after['persona']).toEqual({ ...persona, mood: 'in a hurry' });
    expect(after['calc_definition_json']).toMatchObject({ persona: { mood: 'in a hurry' } });
    expect((await update(id, { persona: after['persona'] })).body['updated_fields']).toEqual([]);
    expect((await update(id, { persona: null })).body).toMatchObject({
      name: 'persona',
      code: 'invalid_type',
    });
    const interview = await built({ type: 'interview' });
    expect((await read(interview))['persona']).toBeNull();
    expect((await update(interview, { persona: null })).body['updated_fields']).toEqual([]);
    expect((await update(interview, { persona })).body).toMatchObject({
      name: 'persona',
      code: 'not_applicable',
    });
  });

  it('needs all parts for an interview that was created before the field existed', async () => {
    const id = await built({ persona });
    await platform.database.rows('update interview set persona = null where id = $1', [id]);
    expect((await update(id, { persona: null })).body['updated_fields']).toEqual([]);
    const { opening_line: _opening, ...partly } = persona;
    expect((await update(id, { persona: partly })).body).toMatchObject({
      name: 'persona.opening_line',
      code: 'required',
    });
    expect((await update(id, { persona })).body['updated_fields']).toEqual(['persona']);
  });
});
