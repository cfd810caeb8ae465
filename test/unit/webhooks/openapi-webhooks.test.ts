import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import Ajv from 'ajv/dist/2020';
import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { syncChangedBody, webhookBody } from '../../../api/webhooks/webhook-body';
import { webhookSamples } from '../../../api/webhooks/webhook-samples';
import { resultEvents, webhookEvents } from '../../../db/webhooks/vocabulary';

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
const published = buildWebhooksDocument('https://api.example.com/v1') as unknown as WebhooksDocument;
ajv.addSchema({ $id: 'document', components: published.components });

const faultsOf = (payload: unknown, schema = 'WebhookPayload') => {
  const validate = ajv.getSchema(`document#/components/schemas/${schema}`);
  if (!validate) throw new Error('the document has no payload');
  void validate(payload);
  return validate.errors ?? [];
};

describe('the OpenAPI document of the webhooks', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(published))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(
      await new Validator().validate({ ...structuredClone(published), webhooks: { a: { post: 5 } } }),
    ).toMatchObject({ valid: false });
  });

  it('has the events about results with one payload, and the one of the feed with its own', () => {
    expect(Object.keys(published.webhooks)).toEqual(webhookEvents);
    expect(Object.keys(published.components.schemas).toSorted()).toEqual([
      'ProcessingStatus',
      'ResultInterviewStatus',
      'ResultStatus',
      'SyncChangedPayload',
      'WebhookPayload',
    ]);
    for (const event of webhookEvents) {
      const { parameters, requestBody, responses } = published.webhooks[event]?.post ?? {};
      expect(requestBody?.content).toEqual({
        'application/json': {
          schema: {
            $ref: `#/components/schemas/${event === 'sync.changed' ? 'SyncChangedPayload' : 'WebhookPayload'}`,
          },
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
});

describe('the payload', () => {
  it('has the values of each status in the schema', () => {
    for (const field of ['status', 'interview_status', 'processing_status'] as const) {
      expect(faultsOf({ ...webhookSamples.test, [field]: 'another' })).not.toEqual([]);
      expect(faultsOf({ ...webhookSamples.test, [field]: null })).toHaveLength(field === 'status' ? 2 : 0);
    }
  });

  it.each([...resultEvents, 'test'] as const)(
    'is validated against the schema for the sample of %s',
    (event) => {
      const sample = webhookSamples[event];
      expect(faultsOf(sample)).toEqual([]);
      expect(sample).toMatchObject({ type: event, reason: sample.changed.join(', '), is_test: true });
      expect(Object.keys(sample)).toEqual(webhookBody.keyof().options);
    },
  );

  it('of sync.changed has its own schema', () => {
    const sample = webhookSamples['sync.changed'];
    expect(faultsOf(sample, 'SyncChangedPayload')).toEqual([]);
    expect(Object.keys(sample)).toEqual(syncChangedBody.keyof().options);
  });

  it('has only required fields in the schema, which allows more fields', () => {
    for (const field of webhookBody.keyof().options) {
      const { [field]: _, ...less } = webhookSamples.test;
      expect([field, faultsOf(less).length]).toEqual([field, 1]);
    }
    expect(faultsOf({ ...webhookSamples.test, more: 1 })).toEqual([]);
  });
});
