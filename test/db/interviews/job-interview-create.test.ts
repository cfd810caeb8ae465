import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { knowledgeBases, merchants, people } from '../../../local/seed/accounts';
import { interviewCreationId } from '../../../workflows/ids';
import { eachRow } from '../../harness/each-row';
import { countStored, interviewsNamed, modelOutcomes } from '../../harness/interviews/interview-rows';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { errorBody } from '../../harness/platform/error-body';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { connectTemporal } from '../../harness/platform/patient-client';
import { newInterview } from '../../harness/platform/platform';
import type { Reply } from '../../harness/platform/platform';
import { unknownId } from '../../harness/webhooks/webhook-rows';

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
});

afterEach(() => platform.clearFaults());

const create = (more: Record<string, unknown> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, more) });
const idOf = (created: Reply) => String(created.body['interview_def_set_id']);
const read = async (created: Reply) => {
  expect(created.body).not.toHaveProperty('error');
  expect(created.status).toBe(200);
  const reply = await platform.call('job-interview-get', { query: { position_id: idOf(created) } });
  expect(reply.status).toBe(200);
  return reply.body;
};

describe('job-interview-create', () => {
  it('stores the defaults for a call with the seven required fields', async () => {
    const definition = await read(await create({ interview_length: undefined }));
    expect(definition).toMatchObject({
      name: 'Backend engineer',
      status: 'active',
      is_multistage: false,
      interview_location: 'Amsterdam',
      environment: 'production',
      type: 'interview',
      type_credit: null,
      max_duration: 1200,
      result_view: 'minimal',
      candidate_video_introduction: 'hidden',
      required_pronunciation: false,
      result_enable_edit_transcript: true,
      recording: null,
      recording_full_session: null,
      result_scoring: null,
      candidate_notification_channel: null,
      creation_parameters: {
        interview_type: 'pre-screening',
        interview_tone: 'relaxed',
        include_rapport_question: false,
        include_closing_prompt: true,
        additional_context: null,
        knowledge_base_store_id: null,
        hiring_for_company: null,
      },
    });
  });

  it('stores type and status as sent, with the credit of the type, and derives the number of questions', () =>
    eachRow(
      [
        // `interview_length` is cut to what `max_duration` allows, is at least 1, may be a text, and may be left out.
        ['interview', 'draft', null, 40, 300, 2],
        ['assessment', 'archived', null, 5, 120, 1],
        ['coaching', 'preparing', 'interview_coach_manager', '4', undefined, 4],
        ['persona_interview', 'completed', 'interview_coach_manager', undefined, 360, 3],
        ['public_avatar', 'active', 'interview_coach_manager', 1, undefined, 1],
      ],
      async (type, status, type_credit, interview_length, max_duration, count) => {
        const created = await create({ type, status, interview_length, max_duration });
        expect(created.body).toMatchObject({
          questions_generated: count,
          max_duration: max_duration ?? 1200,
        });
        const definition = await read(created);
        expect(definition).toMatchObject({ type, status, type_credit });
        // The reply lists the closing prompt as one more question. A person whom the AI plays asks for none.
        expect(definition['questions']).toHaveLength(type === 'persona_interview' ? count : count + 1);
      },
    ));

  it('returns the key for is_embedded once, and stores its secret encrypted', async () => {
    const full = await create({ interview_length: 1, is_embedded: true });
    const { embed_id: embedId, embed_signing_key: secret } = full.body;
    expect(embedId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    expect(String(secret).length).toBeGreaterThan(40);
    const rows = await platform.database.rows<{ id: string; interview_id: string; sealed: Buffer }>(
      'select id, interview_id, signing_key_sealed as sealed from embed_key where interview_id = $1',
      [idOf(full)],
    );
    expect(rows).toEqual([{ id: embedId, interview_id: idOf(full), sealed: expect.any(Buffer) }]);
    expect(rows[0]?.sealed.includes(String(secret))).toBe(false);
    expect(JSON.stringify(await read(full))).not.toContain(String(secret));
    const again = await platform.call('job-interview-set-state', {
      body: { position_id: idOf(full), is_embedded: true },
    });
    expect(again.body).toEqual({ success: true });
  });
});

describe('job-interview-create: ids among the fields', () => {
  it('returns the reply of an unknown id for a person or knowledge base that may not be used, and stores nothing', () =>
    eachRow(
      [
        [
          'knowledge_base_store_id',
          knowledgeBases.find(({ merchantId }) => merchantId === merchants.sub.id)?.id,
        ],
        ['recruiter_profile_id', people.sub_merchant_owner.id],
        // These people belong to the merchant but are not recruiters.
        ['recruiter_profile_id', people.merchant_selection.id],
        ['recruiter_profile_id', people.candidate.id],
      ],
      async (field, foreignId) => {
        const before = await countStored(platform.database);
        const foreign = await create({ [field]: foreignId });
        const absent = await create({ [field]: unknownId });
        expect([foreign.status, foreign.body.name, foreign.text]).toEqual([422, field, absent.text]);
        expect(await countStored(platform.database)).toEqual(before);
      },
    ));

  it('returns 422 for a template that is closed for new interviews', () =>
    eachRow(['offline_avatar_1', 'offline_avatar_2'] as const, async (type) => {
      const reply = await create({ interview_template_id: platform.stack.template_ids[type] });
      expect([reply.status, reply.body.name]).toEqual([422, 'interview_template_id']);
    }));
});

/* Each outcome is tested here with one fault. draft-interview.test.ts and lying-model.test.ts test all other faults. */
describe('job-interview-create when the model', () => {
  const outcomesOf = async (name: string) => {
    const [row] = await interviewsNamed(platform.database, name);
    return row && modelOutcomes(platform.database, row.id);
  };

  it('is overloaded for a moment: returns 200 after another call', async () => {
    await platform.fault({ provider: 'openai', status: 429, headers: { 'retry-after': '1' } });
    const created = await create({ name: 'Retried' });
    expect(created.body).not.toHaveProperty('error');
    expect(await outcomesOf('Retried')).toEqual(['failed', 'accepted']);
    // The six steps are the welcome, three questions, the closing prompt and the thank-you. Calling the model again
    // must not add steps.
    expect(await interviewsNamed(platform.database, 'Retried')).toMatchObject([
      { id: idOf(created), is_built: true, steps: 6 },
    ]);
  });

  it('rejects the call or refuses: returns 503 without another call and stores nothing', () =>
    eachRow([{ status: 401 }, { refuse: true }], async (fault) => {
      const before = await countStored(platform.database);
      await platform.fault({ provider: 'openai', ...fault });
      const refused = await create({ name: 'Refused', is_embedded: true, instructional_video: true });
      const sentence = 'Question generation is unavailable. Try again later.';
      expect([refused.status, refused.body]).toEqual([
        503,
        errorBody('generation_unavailable', undefined, sentence),
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await platform.faultsLeft()).toBe(0);
      expect(await countStored(platform.database)).toEqual(before);
    }));
});

describe('job-interview-create in Temporal', () => {
  it('shows whose workflow it is and what it does, and stores no word of the call', async () => {
    const secret = 'Private-Quetzal';
    const created = await create({
      name: secret,
      location: secret,
      description: secret,
      candidate_expectations: secret,
      additional_context: { note: secret },
      hiring_for_company: { name: secret },
      welcome_message: secret,
      is_embedded: true,
    });
    const id = idOf(created);
    const handle = (await connectTemporal()).workflow.getHandle(interviewCreationId(id));
    const description = await handle.describe();
    expect(description.status.name).toBe('COMPLETED');
    expect(description.searchAttributes).toMatchObject({
      MerchantId: [platform.stack.merchant_id],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Drafts an interview with the model and stores it');

    const history = historyToJSON(await handle.fetchHistory());
    const readable = history.replaceAll(/"data": ?"([^"]+)"/g, (_all, data: string) =>
      Buffer.from(data, 'base64').toString(),
    );
    expect(readable).toContain(`"interview_id":"${id}"`);
    expect(readable + JSON.stringify(description.raw)).not.toContain('Quetzal');
    expect(readable).not.toContain('esk_');
  });
});
