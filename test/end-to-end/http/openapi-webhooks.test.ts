import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import Ajv from 'ajv/dist/2020';
import { webhookBody } from '../../../api/webhooks/webhook-body';
import { webhookSamples } from '../../../api/webhooks/webhook-samples';
import { webhookEvents } from '../../../db/webhooks/vocabulary';
import { renderedPayload } from '../../../db/webhooks/webhook-payload';
import { merchants } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { collect, ours, putEndpoint, putResult } from '../../harness/webhooks/webhook-rows';

type Sent = {
  parameters: { in: string; name: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody: { content: Record<string, { schema: unknown }> };
  responses: Record<string, unknown>;
};
type WebhooksDocument = {
  openapi: string;
  info: { description: string };
  webhooks: Record<string, { post: Sent }>;
  components: { schemas: Record<string, Record<string, unknown> & { required: string[] }> };
};

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
let platform: Platform;
let published: WebhooksDocument;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  published = (await (await fetch(`${platform.stack.base_url}/openapi-webhooks`)).json()) as WebhooksDocument;
  ajv.addSchema({ $id: 'document', components: published.components });
  await putEndpoint(platform.database);
});

const faultsOf = (payload: unknown) => {
  const validate = ajv.getSchema('document#/components/schemas/WebhookPayload');
  if (!validate) throw new Error('the document has no payload');
  void validate(payload);
  return validate.errors ?? [];
};

describe('/v1/openapi-webhooks', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(published))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(
      await new Validator().validate({ ...structuredClone(published), webhooks: { a: { post: 5 } } }),
    ).toMatchObject({ valid: false });
  });

  it('has the three events with one payload', () => {
    expect(Object.keys(published.webhooks)).toEqual(webhookEvents);
    expect(Object.keys(published.components.schemas).toSorted()).toEqual([
      'ProcessingStatus',
      'ResultInterviewStatus',
      'ResultStatus',
      'WebhookPayload',
    ]);
    for (const event of webhookEvents) {
      const { parameters, requestBody, responses } = published.webhooks[event]?.post ?? {};
      expect(requestBody?.content).toEqual({
        'application/json': {
          schema: { $ref: '#/components/schemas/WebhookPayload' },
          example: webhookSamples[event],
        },
      });
      expect(parameters?.map(({ in: place, name, required }) => [place, name, required])).toEqual([
        ['header', 'webhook-id', true],
        ['header', 'webhook-timestamp', true],
        ['header', 'webhook-signature', true],
        ['header', 'x-platform-event', true],
        ['header', 'x-platform-attempt', true],
        ['header', 'user-agent', true],
      ]);
      expect(parameters?.[3]?.schema['const']).toBe(event);
      expect(Object.keys(responses ?? {})).toEqual(['410', '2XX', 'default']);
    }
  });

  it('is available with GET only', async () => {
    const reply = await fetch(`${platform.stack.base_url}/openapi-webhooks`, { method: 'POST' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('the payload', () => {
  const render = async (resultId: string): Promise<Record<string, unknown>> => {
    const [row] = await platform.database.rows<{ payload: string }>(
      `select ${renderedPayload} as payload from webhook_delivery d
       join interview_result r on r.id = d.result_id left join enrolment e on e.id = r.enrolment_id
       where d.result_id = $1`,
      [resultId],
    );
    return JSON.parse(row?.payload ?? '') as Record<string, unknown>;
  };

  it('of a scored result with a candidate matches the schema', async () => {
    const [enrolment] = await platform.database.rows<{ id: string; interview_id: string }>(
      `insert into enrolment (merchant_id, environment, interview_id, profile_id, name, email, email_key, external_id)
       select p.merchant_id, 'production', i.id, p.id, 'Ann', 'ann@example.com', 'ann@example.com', 'a-1'
       from profile p join interview i on i.merchant_id = p.merchant_id and i.id = $2
       where p.merchant_id = $1 and p.role = 'candidate' limit 1 returning id, interview_id`,
      [merchants.main.id, platform.stack.ids.active_interview],
    );
    const id = await putResult(platform.database, {
      enrolment_id: enrolment?.id,
      score: 7.5,
      ai_analysis_recruiter_score: 8,
      ai_analysis: 'For the candidate',
      ai_analysis_other: '{"strengths_concerns":{"strengths":["Calm"],"concerns":[]}}',
      recruiter_go_next_round: true,
      is_test: false,
    });
    await collect(platform.database, id);
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
    expect(Object.keys(payload)).toEqual(published.components.schemas['WebhookPayload']?.required);
  });

  it('of a test with analyses of another form matches the schema and is marked as a test', async () => {
    const id = await putResult(platform.database, {
      is_test: true,
      ai_analysis_other: '{"strengths_concerns":{"strengths":"Calm","concerns":[{"text":"Late"}]}}',
    });
    await collect(platform.database, id);
    const payload = await render(id);
    expect(faultsOf(payload)).toEqual([]);
    expect(payload).toMatchObject({ is_test: true, ai_analysis_recruiter_why_hire: null });
    expect(Object.keys(payload).slice(-2)).toEqual(['is_test', 'is_replay']);
  });

  it('has the values of each status in the schema', () => {
    for (const field of ['status', 'interview_status', 'processing_status'] as const) {
      expect(faultsOf({ ...webhookSamples.test, [field]: 'another' })).not.toEqual([]);
      expect(faultsOf({ ...webhookSamples.test, [field]: null })).toHaveLength(field === 'status' ? 2 : 0);
    }
  });

  it('of an empty result matches the schema', async () => {
    const id = await putResult(platform.database, { interview_status: 'failed' }, ours);
    expect(faultsOf(await render(id))).toEqual([]);
  });

  it.each(Object.entries(webhookSamples))(
    'is validated against the schema for the sample of %s',
    (event, sample) => {
      expect(faultsOf(sample)).toEqual([]);
      expect(sample).toMatchObject({ type: event, reason: sample.changed.join(', '), is_test: true });
      expect(Object.keys(sample)).toEqual(webhookBody.keyof().options);
    },
  );

  it('has only required fields in the schema, which allows more fields', () => {
    for (const field of webhookBody.keyof().options) {
      const { [field]: _, ...less } = webhookSamples.test;
      expect([field, faultsOf(less).length]).toEqual([field, 1]);
    }
    expect(faultsOf({ ...webhookSamples.test, more: 1 })).toEqual([]);
  });
});
