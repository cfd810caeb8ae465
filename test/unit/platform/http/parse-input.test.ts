import { catalogueTagUpdate } from '../../../../api/catalogue/catalogue-tag-update';
import { teamMemberUpdate } from '../../../../api/identity/team-member-update';
import { interviewDefinition, readOnlyFields } from '../../../../api/interviews/interview-definition';
import { jobInterviewCreateFromArray } from '../../../../api/interviews/job-interview-create-from-array';
import { jobInterviewGet } from '../../../../api/interviews/job-interview-get';
import { jobInterviewSetState } from '../../../../api/interviews/job-interview-set-state';
import { jobInterviewUpdate } from '../../../../api/interviews/job-interview-update';
import { withSentNames, parseInput as parseWithFacts } from '../../../../api/platform/http/parse-input';
import { ApiError } from '../../../../api/platform/operation/api-error';
import { acceptedFields } from '../../../../api/platform/operation/define-operation';
import type { Operation } from '../../../../api/platform/operation/define-operation';
import { jobInterviewResultUpdate } from '../../../../api/results/job-interview-result-update';
import { webhookDeliveryReplay } from '../../../../api/webhooks/webhook-delivery-replay';
import { webhookEndpointCreate } from '../../../../api/webhooks/webhook-endpoint-create';
import { webhookEndpointList } from '../../../../api/webhooks/webhook-endpoint-list';
import { webhookEndpointUpdate } from '../../../../api/webhooks/webhook-endpoint-update';
import { allOperations, inputSchema } from '../../../harness/platform/operation-inputs';

const id = '01a1fcf7-b13e-74de-bd85-c2fc187618e1';
const other = '01a1fcf7-b13e-74de-bd85-c2fc187618e2';
const facts = {
  environment: 'production' as const,
  webhookTargets: { allowedRanges: [], allowedPorts: [], allowHttp: false },
};
const parseInput = (operation: Operation, sent: unknown, known?: ApiError[]) =>
  parseWithFacts(operation, sent, facts, known);
const wrong = (operation: Operation, sent: unknown) => parseInput(operation, sent).error?.errors;

describe('an alias', () => {
  it('stands for its field', () => {
    expect(parseInput(jobInterviewGet, { interview_id: id }).value).toEqual({ position_id: id });
    expect(
      parseInput(jobInterviewUpdate, {
        interview_id: id,
        interview_location: 'Berlin',
        interview_description_long: null,
        result_scoring: { max_score: 10 },
      }).value,
    ).toEqual({
      interview_id: id,
      location: 'Berlin',
      description_long: null,
      custom_scoring: { max_score: 10 },
    });
  });

  it('may be sent together with its field when the values are equal, where ids ignore case', () => {
    const sent = { position_id: id, interview_id: id.toUpperCase() };
    expect(parseInput(jobInterviewGet, sent).value).toEqual({ position_id: id });
  });

  it('conflicts with another value of its field, which is listed with all other errors', () => {
    const sent = { position_id: id, location: 'A', interview_location: 'B', name: 5 };
    expect(wrong(jobInterviewGet, { position_id: id, interview_id: other })).toMatchObject([
      { name: 'interview_id', code: 'conflicting_fields' },
    ]);
    expect(wrong(jobInterviewUpdate, sent)).toEqual([
      { name: 'interview_location', code: 'conflicting_fields', error: expect.any(String) },
      { name: 'name', code: 'invalid_type', error: expect.any(String) },
    ]);
  });

  it('is the name in errors of the schema', () => {
    const sent = { interview_id: 'x', interview_location: null, result_scoring: { max_score: 'high' } };
    expect(wrong(jobInterviewUpdate, sent)).toEqual([
      { name: 'interview_id', code: 'invalid_format', error: 'interview_id must be a UUID.' },
      { name: 'interview_location', code: 'invalid_type', error: 'interview_location must not be null.' },
      {
        name: 'result_scoring.max_score',
        code: 'invalid_type',
        error: 'result_scoring.max_score must be a number.',
      },
    ]);
    expect(wrong(jobInterviewGet, {})).toEqual([
      { name: 'position_id', code: 'required', error: 'position_id is required.' },
    ]);
  });

  it('is the name in errors of the handler', () => {
    const { sentAs } = parseInput(jobInterviewGet, { interview_id: id });
    const more = [{ name: 'name', code: 'invalid_value', error: 'name must not be position_id' } as const];
    const error = new ApiError('not_found', 'Nothing with this position_id', 'position_id', 5, more);
    expect(withSentNames(error, sentAs)).toMatchObject({
      status: 404,
      retryAfterSeconds: 5,
      errors: [{ name: 'interview_id', code: 'not_found', error: 'Nothing with this interview_id' }, ...more],
    });
    const { sentAs: none } = parseInput(jobInterviewGet, { position_id: id });
    expect(withSentNames(error, none).errors).toEqual(error.errors);
  });

  it.each(allOperations.filter(({ aliases }) => aliases))('is in the document of $name', (operation) => {
    const { properties = {}, required = [] } = inputSchema(operation);
    for (const [alias, field] of Object.entries(operation.aliases ?? {})) {
      expect(properties).toHaveProperty(alias);
      expect(properties).toHaveProperty(field);
      expect(required).not.toContain(alias);
      const description = expect.stringContaining(`Another name of \`${field}\``);
      expect(properties[alias]).toMatchObject({ description });
    }
  });

  it('is interview_id wherever the id of an interview or position has another name', () => {
    for (const operation of allOperations) {
      const fields = acceptedFields(operation);
      // In a list, `position_id` is a filter that names a position only.
      if (operation.name === 'job-interview-list') continue;
      const hasOther = fields.some((field) =>
        /^(position_id|interview_def_set_id|question_set_id)$/.test(field),
      );
      if (hasOther)
        expect([operation.name, fields]).toEqual([operation.name, expect.arrayContaining(['interview_id'])]);
    }
  });
});

it('accepts or lists as read-only in job-interview-update every key that job-interview-get returns', () => {
  const taken = new Set([...acceptedFields(jobInterviewUpdate), ...readOnlyFields]);
  expect(Object.keys(interviewDefinition.shape).filter((key) => !taken.has(key))).toEqual([]);
  const writable = new Set([
    ...Object.keys(jobInterviewUpdate.input.shape),
    ...Object.keys(jobInterviewUpdate.aliases ?? {}),
  ]);
  expect(readOnlyFields.filter((key) => writable.has(key))).toEqual([]);
});

const updates: [Operation, Record<string, string>, string, string][] = [
  [jobInterviewUpdate, { position_id: id }, 'visibilty', 'visibility'],
  [jobInterviewSetState, { position_id: id }, 'is_embeded', 'is_embedded'],
  [
    jobInterviewResultUpdate,
    { interview_result_id: id },
    'recruiter_go_next_raund',
    'recruiter_go_next_round',
  ],
  [catalogueTagUpdate, { id: 'a' }, 'cover_image', 'cover_image_url'],
  [webhookEndpointUpdate, { endpoint_id: id }, 'event', 'events'],
  [teamMemberUpdate, { profile_id: id }, 'rol', 'role'],
  [webhookDeliveryReplay, { until: '2026-01-15T09:30:00Z' }, 'stat', 'state'],
];

describe.each(updates.map(([operation, ...rest]) => [operation.name, operation, ...rest] as const))(
  '%s without a field to change',
  (_name, operation, ids, misspelt, meant) => {
    it('names the unknown keys and suggests known ones', () => {
      expect(wrong(operation, { ...ids, [misspelt]: 'A', zzz: 1, merchant_id: other })).toEqual([
        {
          name: misspelt,
          code: 'unknown_field',
          error: `\`${misspelt}\` is not a field of this operation. Did you mean \`${meant}\`?`,
        },
        { name: 'zzz', code: 'unknown_field', error: '`zzz` is not a field of this operation.' },
      ]);
    });

    it('lists the fields by their whole names', () => {
      const [error, ...more] = wrong(operation, ids) ?? [];
      expect([error?.name, error?.code, more]).toEqual([null, 'nothing_to_change', []]);
      expect(error?.error.length).toBeLessThanOrEqual(600);
      const [, listed = ''] =
        /^Send at least one (?:field to change|filter): (.*?)\.?$/.exec(error?.error ?? '') ?? [];
      const fields = acceptedFields(operation);
      for (const name of listed.replace(/,?…$/, '').split(', ')) expect(fields).toContain(name);
    });
  },
);

it('lists errors that were found before with those of other fields', () => {
  const known = [new ApiError('invalid_value', 'limit must be sent only once', 'limit')];
  const sent = { limit: ['1', '2'], offset: 'x' };
  expect(parseInput(webhookEndpointList, sent, known).error?.errors).toMatchObject([
    { name: 'limit', error: 'limit must be sent only once' },
    { name: 'offset', error: 'offset must be a whole number from 0 to 999999999.' },
  ]);
});

it('lists a wrong address of an endpoint with other wrong fields', () => {
  const sent = { url: 'ftp://x', events: ['interview_result'], timeout_seconds: 999 };
  expect(wrong(webhookEndpointCreate, sent)).toMatchObject([
    { name: 'url', code: 'invalid_value' },
    { name: 'timeout_seconds', code: 'too_large' },
  ]);
});

describe('an error that the schema cannot find', () => {
  const url = 'http://10.0.0.1/x';
  const events = ['interview_result'];

  it('is listed with those of other fields for an address that the deployment does not allow', () => {
    const headers = { name: 'custom_headers.host', code: 'invalid_value' };
    const address = { name: 'url', code: 'invalid_value' };
    const sent = { url, events, custom_headers: { host: 'x' } };
    expect(wrong(webhookEndpointCreate, sent)).toMatchObject([headers, address]);
    expect(wrong(webhookEndpointUpdate, { ...sent, endpoint_id: id })).toMatchObject([headers, address]);
    expect(wrong(webhookEndpointCreate, { url, events })).toMatchObject([address]);
    expect(wrong(webhookEndpointCreate, { url: 'https://10.0.0.1/x', events })).toMatchObject([
      { name: 'url', code: 'invalid_value' },
    ]);
    expect(parseInput(webhookEndpointCreate, { url: 'https://x.example/', events }).error).toBeUndefined();
  });

  it('is listed with those of other fields for another environment, one per field', () => {
    const sent = { url: 'https://user:pw@x.example/', events, environment: 'uat' };
    expect(wrong(webhookEndpointCreate, sent)).toMatchObject([
      { name: 'url', code: 'invalid_value' },
      { name: 'environment', code: 'conflicting_fields' },
    ]);
    expect(wrong(webhookEndpointUpdate, { ...sent, endpoint_id: id })).toMatchObject([
      { name: 'url' },
      { name: 'environment', code: 'immutable_field' },
    ]);
    expect(wrong(webhookEndpointCreate, { ...sent, environment: 'moon' })).toHaveLength(2);
  });

  it('is listed with those of single questions for a list of questions', () => {
    const questions = [
      { question: '' },
      { id: 'a', question: 'q', conditional_question_main_id: 'nope' },
      { id: 'a', question: 'w', duration: -1 },
    ];
    const errors = wrong(jobInterviewCreateFromArray, { ...jobInterviewCreateFromArray.example, questions });
    expect(errors).toMatchObject([
      { name: 'questions[0].question', code: 'too_short' },
      { name: 'questions[2].duration', code: 'too_small' },
      {
        name: 'questions[1].conditional_question_main_id',
        code: 'unknown_id',
      },
      { name: 'questions[2].id', code: 'duplicate_value' },
    ]);
    const again = [
      { question: 'x', external_id: 'a' },
      { question: 'y', external_id: 'a' },
    ];
    expect(wrong(jobInterviewUpdate, { interview_id: id, questions: again })).toMatchObject([
      { name: 'questions[1].external_id', code: 'duplicate_value' },
    ]);
  });

  it('is listed for a replay that ends before it begins', () => {
    const since = '2026-01-15T10:00:00+01:00';
    const replay = (until: string) => wrong(webhookDeliveryReplay, { since, until });
    expect(replay('2026-01-15T08:59:59Z')).toEqual([
      { name: 'until', code: 'conflicting_fields', error: expect.any(String) },
    ]);
    expect(replay('2026-01-15T09:00:00Z')).toBeUndefined();
  });
});

it('leaves fields that never change to the handler, which rejects them by name', () => {
  const sent = { position_id: id, type: 'persona', platform_language_code: 'de' };
  expect(parseInput(jobInterviewUpdate, sent).value).toEqual(sent);
});
