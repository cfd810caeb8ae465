import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildOpenApiDocument } from '../../../api/platform/openapi/document';
import { directoryVisibilities } from '../../../db/catalogue/directory-row';
import { tones } from '../../../api/catalogue/markdown-directive';
import { recordedResultId } from '../../../local/seed/recordings';
import { resultId } from '../../../local/seed/results';
import { people } from '../../../local/seed/accounts';
import { newFeature } from '../../harness/feature-calls';
import { newInterview, startPlatform } from '../../harness/platform';
import type { Platform } from '../../harness/platform';
import {
  allOperations,
  described,
  inputSchema,
  leastInput,
  responseOf,
  typesOf,
} from '../../harness/operation-inputs';
import type { OpenApiDocument, Schema } from '../../harness/operation-inputs';
import { putAttempt, putDelivery, putEndpoint, putReplay } from '../../harness/webhook-rows';

let platform: Platform;
let published: OpenApiDocument;
beforeAll(async () => {
  platform = await startPlatform();
  published = (await (await fetch(`${platform.stack.base_url}/openapi`)).json()) as OpenApiDocument;
});
afterAll(() => platform.stop());

const names = allOperations.map(({ name }) => name);
const operationNamed = (name: string) => {
  const operation = allOperations.find((each) => each.name === name);
  if (!operation) throw new Error(name);
  return operation;
};

/** Calls of the operations of webhooks that work. */
async function webhookInputs({ database }: Platform): Promise<Record<string, Record<string, unknown>[]>> {
  const endpoint_id = await putEndpoint(database);
  const of = async (more: Record<string, unknown>) => {
    const delivery_id = await putDelivery(database, endpoint_id, more);
    await putAttempt(database, delivery_id, { request_headers: '{"a":"b"}', total_ms: 1.5, status: 500 });
    return { delivery_id };
  };
  const url = 'https://example.com/webhooks';
  // Far from due, so that the worker is not at it when it is asked for.
  const waiting = { state: 'retried', next_attempt_at: '2100-01-01' };
  // Asked for once an operation: those that ran would leave no place for another one.
  const cancelled = { state: 'cancelled', finished_at: new Date() };
  return {
    'webhook-endpoint-create': [{ url, events: ['interview_result'], custom_headers: { 'x-a': 'b' } }],
    'webhook-endpoint-update': [{ endpoint_id, custom_headers: { 'x-a': 'b' } }],
    'webhook-endpoint-list': [{}],
    'webhook-endpoint-get': [{ endpoint_id }],
    'webhook-endpoint-delete': [{ endpoint_id }],
    'webhook-endpoint-pause': [{ endpoint_id }],
    'webhook-endpoint-resume': [{ endpoint_id }],
    'webhook-endpoint-rotate-secret': [{ endpoint_id }],
    'webhook-endpoint-test': [{ endpoint_id }],
    'webhook-delivery-list': [{}, { state: 'retried', limit: '1' }],
    'webhook-delivery-get': [await of({ state: 'retried' }), await of({ state: 'acknowledged' })],
    'webhook-delivery-replay': [{ state: 'gave_up', dry_run: true }, { endpoint_id }],
    'webhook-replay-get': [
      { replay_id: await putReplay(database, { ...cancelled, filter: '{"state":"gave_up"}' }) },
    ],
    'webhook-replay-cancel': [{ replay_id: await putReplay(database, cancelled) }],
    'webhook-delivery-retry': [await of({ state: 'gave_up' }), await of(waiting)],
  };
}

/** Every object of the document with its place. */
function walk(value: unknown, place: string[] = []): { place: string[]; node: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => walk(entry, [...place, String(index)]));
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Record<string, unknown>;
  return [{ place, node }, ...Object.entries(node).flatMap(([key, entry]) => walk(entry, [...place, key]))];
}

/** A validator of the replies' schemas with everything they refer to. */
function validatorOf(schema: Schema) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  return ajv.compile(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: published.components.schemas }).replaceAll(
        '#/components/schemas/',
        '#/$defs/',
      ),
    ) as object,
  );
}
const replySchema = (name: string): Schema =>
  responseOf(operationNamed(name), '200').content['application/json']?.schema ?? {};

describe('/v1/openapi', () => {
  it('answers the document of all operations without a credential', () => {
    expect(published).toEqual(buildOpenApiDocument(allOperations, platform.stack.base_url));
    expect(published.openapi).toBe('3.1.0');
    expect(Object.keys(published.paths).sort()).toEqual(names.map((name) => `/${name}`).sort());
  });

  it('has no $ref that does not resolve, and no two components alike', () => {
    const references = walk(published).flatMap(({ node }) =>
      typeof node['$ref'] === 'string' ? [node['$ref']] : [],
    );
    const known = new Set(
      Object.entries(published.components).flatMap(([kind, components]) =>
        Object.keys(components).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  });

  it('has a bearer scheme for every operation and nowhere an Authorization parameter', () => {
    expect(published.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
    expect(published.security).toEqual([{ bearer: [] }]);
    const headers = walk(published).filter(({ node }) => node['in'] === 'header');
    expect(new Set(headers.map(({ node }) => node['name']))).toEqual(new Set(['Idempotency-Key']));
  });

  it('says null by type arrays, and by anyOf where the other member is an enum or a component', () => {
    const nodes = walk(published);
    expect(nodes.filter(({ node }) => 'nullable' in node).map(({ place }) => place)).toEqual([]);
    const nullable = nodes.filter(({ node }) => Array.isArray(node['type']) && node['type'].includes('null'));
    expect(nullable.length).toBeGreaterThan(20);
    expect(nullable.filter(({ node }) => 'enum' in node).map(({ place }) => place.join('/'))).toEqual([]);
    const unions = nodes.filter(
      ({ node }) =>
        Array.isArray(node['anyOf']) &&
        node['anyOf'].some((each: unknown) => (each as Schema).type === 'null') &&
        !node['anyOf'].some((each: unknown) => '$ref' in (each as Schema) || 'enum' in (each as Schema)),
    );
    expect(unions.map(({ place }) => place.join('/'))).toEqual([]);
  });

  it('repeats no enum: each is a component of its own', () => {
    const enums = walk(published).flatMap(({ place, node }) =>
      Array.isArray(node['enum']) && node['enum'].length > 1 && typeof node['enum'][0] === 'string'
        ? [{ place, values: String(node['enum']) }]
        : [],
    );
    const seen = new Map<string, string>();
    const repeated = enums.filter(({ place, values }) => {
      const first = seen.get(values);
      seen.set(values, place.join('/'));
      return first !== undefined;
    });
    expect(enums.length).toBeGreaterThan(20);
    expect(repeated.map(({ place }) => place.join('/'))).toEqual([]);
  });

  it('states no bound that only says what JavaScript can count', () => {
    expect(JSON.stringify(published)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  it('has only known JSON Schema types, and arrays with items', () => {
    const known = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
    const schemas = walk(published).filter(
      ({ place, node }) =>
        ('type' in node || 'anyOf' in node) &&
        !place.some((part) => ['securitySchemes', 'example', 'examples'].includes(part)) &&
        place.at(-1) !== 'properties',
    );
    const wrong = schemas.filter(
      ({ node }) =>
        typesOf(node as Schema).some((type) => !known.has(type)) ||
        (typesOf(node as Schema).includes('array') && !('items' in node)),
    );
    expect(wrong.map(({ place }) => place.join('/'))).toEqual([]);
    // Every schema compiles: patterns, enums and bounds are what JSON Schema takes.
    for (const [name, schema] of Object.entries(published.components.schemas))
      expect([name, typeof validatorOf(schema)]).toEqual([name, 'function']);
  });

  it('has no pattern where numbers are sent', () => {
    const numbers = walk(published).filter(
      ({ node }) =>
        typesOf(node as Schema).includes('integer') && !typesOf(node as Schema).includes('string'),
    );
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(({ node }) => 'pattern' in node).map(({ place }) => place.join('/'))).toEqual([]);
  });

  it('tells whoever writes a page of the catalogue what it may hold, and who sees it', () => {
    const { properties = {} } = inputSchema(operationNamed('catalogue-tag-create')) as {
      properties?: Record<string, Schema & { description?: string }>;
    };
    const page = properties['content_md']?.description ?? '';
    for (const word of [
      '[plan-progress]', '[directory:', '[session:', '[sessions]', '[sessions:<term>]', '[sessions:filter=', '[chip:',
      '[callout:', '[/callout]', '[cards]', '[/cards]', '[columns]', '[column]', '[/columns]', '[button:', ...tones,
    ])
      expect(page).toContain(word);
    for (const visibility of directoryVisibilities)
      expect(properties['visibility']?.description).toContain(`\`${visibility}\``);
  }); // prettier-ignore

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(published))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const { paths: _paths, ...without } = structuredClone(published);
    expect(await new Validator().validate({ ...without, paths: [] })).toMatchObject({ valid: false });
  });

  it('has replies that may gain keys', () => {
    const closed = walk(published).filter(({ node }) => node['additionalProperties'] === false);
    expect(closed.map(({ place }) => place.join('/'))).toEqual([]);
  });
});

describe.each(names)('%s', (name) => {
  const operation = operationNamed(name);
  const entry = described(operation);

  it('is described: operationId, tag, texts, statuses, success under 200', () => {
    expect(entry).toMatchObject({
      operationId: name,
      summary: expect.any(String),
      description: expect.any(String),
    });
    expect(entry.tags).toHaveLength(1);
    expect(published.tags.map((tag) => tag.name)).toContain(entry.tags[0]);
    expect(Object.keys(entry.responses)).toEqual(
      expect.arrayContaining([
        '200',
        '401',
        '403',
        '422',
        '429',
        '500',
        '503',
        ...operation.statuses.map(String),
        ...(operation.method === 'POST' ? ['409', '413'] : []),
      ]),
    );
    expect(Object.keys(entry.responses).filter((status) => status.startsWith('2'))).toEqual(['200']);
    for (const status of Object.keys(entry.responses).filter((each) => each !== '200'))
      expect(responseOf(operation, status).content['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/Error',
      });
  });

  it('takes its input where the method has it, merchant_id among it', () => {
    if (operation.method === 'GET') expect(entry.requestBody).toBeUndefined();
    else expect(Object.keys(entry.requestBody?.content ?? {})).toEqual(['application/json']);
    const { properties = {}, required = [] } = inputSchema(operation);
    expect(properties['merchant_id']).toMatchObject({ type: 'string', format: 'uuid' });
    expect(required).not.toContain('merchant_id');
    expect(required.filter((field) => !(field in properties))).toEqual([]);
  });

  it('shows no example that it would refuse', () => {
    const example = entry.requestBody?.content['application/json']?.example;
    if (example !== undefined) expect(operation.input.safeParse(example).error?.issues).toBeUndefined();
  });

  it('answers 401 at its path without a token', async () => {
    const response = await fetch(`${platform.stack.base_url}/${name}`, { method: operation.method });
    expect(response.status).toBe(401);
  });

  it('applies the defaults that it states, and states those that it applies', () => {
    const least = leastInput(operation);
    const parsed = operation.input.parse(least) as Record<string, unknown>;
    const stated = Object.fromEntries(
      Object.entries(inputSchema(operation).properties ?? {}).flatMap(([field, schema]) =>
        schema.default === undefined || field in least ? [] : [[field, schema.default]],
      ),
    );
    const applied = Object.fromEntries(
      Object.entries(parsed).filter(([field, value]) => value !== undefined && !(field in least)),
    );
    expect(stated).toEqual(applied);
  });

  it('answers as its published schema says', async () => {
    const { stack } = platform;
    const inputs: Record<string, Record<string, unknown>[]> = {
      'job-interview-create': [newInterview(stack), newInterview(stack, { is_embedded: true })],
      'job-interview-create-from-array': [
        { ...newInterview(stack), description: 'Given.', questions: [{ question: 'Why us?' }] },
      ],
      'job-interview-get': [{ position_id: stack.ids.active_interview }, { position_id: stack.ids.position }],
      'job-interview-update': [
        { position_id: stack.ids.draft_interview, name: 'Changed' },
        { position_id: stack.ids.draft_interview, questions: [{ question: 'Only this?' }] },
      ],
      'job-interview-set-state': [
        { position_id: stack.ids.draft_interview, status: 'active' },
        { position_id: stack.ids.draft_interview, is_embedded: true },
      ],
      'interview-template-list': [{}, { limit: '1' }],
      'job-interview-register-users': [
        {
          interview_id: stack.ids.active_interview,
          users: [{ email: 'a@example.com', more: { deep: [1] } }, null],
        },
      ],
      'invite-users': [
        {
          users: [
            { email: 'a@example.com', type: 'candidate', interview_id: stack.ids.active_interview },
            { email: 'b@example.com', name: 'Bo' },
            5,
          ],
        },
      ],
      'team-member-list': [{}, { role: 'merchant', state: 'active', limit: '1' }],
      'team-member-update': [
        { profile_id: people.mentor.id, role: 'user' },
        { profile_id: people.mentor.id, disabled: false },
      ],
      'merchant-status': [{}],
      'catalogue-tag-create': [
        { id: 'described-en', name: 'Described' },
        { id: 'described-de', name: 'Beschrieben', parent_tag: stack.ids.start_directory, coach_plan: '2nd' },
      ],
      'catalogue-tag-list': [{}, { parent_tag: stack.ids.start_directory, limit: '1' }],
      'catalogue-tag-get': [{ id: stack.ids.start_directory }, { id: stack.ids.public_directory }],
      'catalogue-tag-update': [{ id: stack.ids.start_directory, description: null, tags_sub: null }],
      'merchant-feature-request': [newFeature('Dark mode')],
      'merchant-technical-issue': [
        { description: 'The page stays blank', interview_id: stack.ids.active_interview },
      ],
      ...(await webhookInputs(platform)),
      'merchant-result-list': [{}, { tab: 'completed', limit: '1' }],
      'job-interview-details': [
        { interview_result_id: stack.ids.collected_result },
        { interview_result_id: recordedResultId, get_signed_recordings: 'true' },
        { interview_result_id: resultId('active', 4), attempt: '1' },
      ],
      'job-interview-result-update': [
        {
          interview_result_id: stack.ids.submitted_result,
          recruiter_go_next_round: true,
          recruiter_risks: [{ key: 'notice', severity: 'issue' }],
        },
      ],
      'job-interview-result-request-another-attempt': [{ interview_result_id: stack.ids.submitted_result }],
    };
    const calls = inputs[name];
    if (!calls) throw new Error(`openapi.test.ts needs a call of ${name}`);
    const validate = validatorOf(replySchema(name));
    for (const input of calls) {
      const reply = await platform.call(
        name,
        operation.method === 'GET' ? { query: input as Record<string, string> } : { body: input },
      );
      expect([reply.status, reply.body.error]).toEqual([200, undefined]);
      validate(reply.body);
      expect(validate.errors ?? []).toEqual([]);
      expect(validate({})).toBe(reply.text === '{}');
    }
  });

  it('answers an error as its published schema says', async () => {
    const reply = await platform.call(
      name,
      operation.method === 'GET' ? { token: 'none', query: { limit: 'x' } } : { body: {} },
    );
    expect(reply.status).toBe(operation.method === 'GET' ? 401 : 422);
    const validate = validatorOf(published.components.schemas['Error'] ?? {});
    expect([validate(reply.body), validate({ name: 'a' })]).toEqual([true, false]);
  });
});

describe.each([
  ['/docs/reference', '/v1/openapi'],
  ['/docs/reference/webhooks', '/v1/openapi-webhooks'],
])('%s', (place, shown) => {
  it('shows the document with scripts and styles of this host alone', async () => {
    const { origin } = platform.stack;
    const page = await fetch(`${origin}${place}`);
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      expect(link).toMatch(/^\/[^/]/);
      expect([link, (await fetch(`${origin}${link}`)).status]).toEqual([link, 200]);
    }
    expect(html).toContain(`data-document="${shown}"`);
    expect(html).not.toMatch(/<script>|<style>| on\w+=/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
  });
});
