import { knowledgeBases } from '../../../local/seed/accounts';
import { definitionCalls, given, rubric } from '../../harness/interviews/definitions';
import { newInterview } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
let id: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
});
beforeEach(async () => {
  ({ id } = await calls.build([given('Why us?')]));
});

describe('job-interview-update: values at the edge', () => {
  it.each([
    [{ custom_scoring: { max_score: 5 }, interview_attempts: 2 }, ['interview_attempts']],
    [{ custom_scoring: { max_score: 6 }, interview_attempts: 4 }, ['custom_scoring']],
    [{ custom_scoring: { max_score: 5 }, interview_attempts: 3 }, ['interview_attempts']],
    [{ custom_scoring: { max_score: 5 }, interview_attempts: 4 }, []],
    [{ custom_scoring: { max_retries: 7 } }, ['custom_scoring']],
    [{ interview_attempts: 7 }, ['interview_attempts']],
    [{ custom_scoring: null }, ['custom_scoring']],
  ])('names what changes for scoring %j over max_score 5 and 4 attempts', async (sent, expected) => {
    await calls.update(id, { custom_scoring: { max_score: 5 }, interview_attempts: 4 });
    const reply = await calls.update(id, sent);
    expect(reply.body['updated_fields']).toEqual(expected);
  });

  it('rejects new questions for an active interview that moves to an offline template, but not away from one', async () => {
    const offline = platform.stack.template_ids.offline_avatar_3;
    await calls.update(id, { status: 'active' });
    const questions = [given('Why us?'), given('Why now?')];
    const refused = await calls.update(id, { interview_template_id: offline, questions });
    expect([refused.status, refused.body.name]).toEqual([422, 'questions']);
    expect((await calls.update(id, { interview_template_id: offline })).status).toBe(200);
    const { interactive_voice: voice } = platform.stack.template_ids;
    expect((await calls.update(id, { interview_template_id: voice, questions })).status).toBe(200);
  });

  it('does not clear the knowledge base of a process verification', async () => {
    const created = await platform.call('job-interview-create', {
      body: newInterview(platform.stack, {
        interview_type: 'process-verification-from-knowledge-base',
        knowledge_base_store_id: knowledgeBases[0]?.id,
        interview_length: 1,
      }),
    });
    const reply = await calls.update(String(created.body['interview_def_set_id']), {
      knowledge_base_store_id: null,
    });
    expect([reply.status, reply.body.name]).toEqual([422, 'knowledge_base_store_id']);
  });
});

describe('job-interview-create-from-array: questions of another interview', () => {
  it('shares both records of a parent and its conditional question that get has returned', async () => {
    const scored = { candidate_expectations_json: rubric };
    const first = await calls.build([
      { question: 'Have you led people?', external_id: 'p', ...scored },
      { question: 'How many?', is_conditional: true, conditional_question_main_id: 'p', ...scored },
    ]);
    const questions = first.definition['questions'] as { id: string }[];
    const second = await calls.build(questions);
    const again = second.definition['questions'] as { id: string }[];
    expect(again.map((question) => question.id)).toEqual(questions.map((question) => question.id));
  });
});
