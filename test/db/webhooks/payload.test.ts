import addFormats from 'ajv-formats';
import Ajv from 'ajv/dist/2020';
import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { renderedPayload } from '../../../db/webhooks/webhook-payload';
import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { collect, putEndpoint, putResult } from '../../harness/webhooks/webhook-rows';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
const { components } = buildWebhooksDocument('https://api.example.com/v1') as unknown as {
  components: { schemas: { WebhookPayload: { required: string[] } } };
};
ajv.addSchema({ $id: 'document', components });
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  await putEndpoint(database);
});

const faultsOf = (payload: unknown) => {
  const validate = ajv.getSchema('document#/components/schemas/WebhookPayload');
  if (!validate) throw new Error('the document has no payload');
  void validate(payload);
  return validate.errors ?? [];
};

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the payload of a delivery', () => {
  const render = async (resultId: string): Promise<Record<string, unknown>> => {
    const [row] = await database.rows<{ payload: string }>(
      `select ${renderedPayload} as payload from webhook_delivery d
       join interview_result r on r.id = d.result_id left join enrolment e on e.id = r.enrolment_id
       where d.result_id = $1`,
      [resultId],
    );
    return JSON.parse(row?.payload ?? '') as Record<string, unknown>;
  };

  it('of a scored result with a candidate matches the schema', async () => {
    const [enrolment] = await database.rows<{ id: string; interview_id: string }>(
      `insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key, external_id)
       select p.merchant_id, 'production', i.id, p.id, 'Ann', 'ann@example.com', 'ann@example.com', 'a-1'
       from profile p join interview i on i.merchant_id = p.merchant_id and i.id = $2
       where p.merchant_id = $1 and p.role = 'candidate' limit 1 returning id, interview_id`,
      [merchants.main.id, interviewId('active')],
    );
    const id = await putResult(database, {
      enrolment_id: enrolment?.id,
      score: 7.5,
      ai_analysis_recruiter_score: 8,
      ai_analysis: 'For the candidate',
      ai_analysis_other: '{"strengths_concerns":{"strengths":["Calm"],"concerns":[]}}',
      recruiter_go_next_round: true,
      is_test: false,
    });
    await collect(database, id);
    const payload = await render(id);
    expect(payload).toMatchObject({
      id,
      question_set_id: enrolment?.interview_id,
      candidate_name: 'Ann',
      score: 7.5,
      ai_analysis_recruiter_why_hire: ['Calm'],
      type: 'interview_collected',
      timestamp: expect.stringMatching(instant),
      updated_at: expect.stringMatching(instant),
      attempt: 1,
      revision: 2,
      reason: 'interview_status',
      changed: ['interview_status'],
      is_replay: false,
    });
    expect(faultsOf(payload)).toEqual([]);
    expect(Object.keys(payload)).toEqual(components.schemas.WebhookPayload.required);
  });

  it('of a test with analyses of another form matches the schema and is marked as a test', async () => {
    const id = await putResult(database, {
      is_test: true,
      ai_analysis_other: '{"strengths_concerns":{"strengths":"Calm","concerns":[{"text":"Late"}]}}',
    });
    await collect(database, id);
    const payload = await render(id);
    expect(faultsOf(payload)).toEqual([]);
    expect(payload).toMatchObject({ is_test: true, ai_analysis_recruiter_why_hire: null });
    expect(Object.keys(payload).slice(-2)).toEqual(['is_test', 'is_replay']);
  });

  it('of an empty result matches the schema', async () => {
    const id = await putResult(database, { interview_status: 'failed' });
    expect(faultsOf(await render(id))).toEqual([]);
  });
});
