import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PostmanValidator } from '@har-sdk/validator';
import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import Ajv from 'ajv/dist/2020';
import type { z } from 'zod';
import { tones } from '../../../api/catalogue/markdown-directive';
import { errorBody } from '../../../api/platform/http/error-reply';
import { llmsFull } from '../../../api/platform/openapi/llms';
import { buildPostmanCollection } from '../../../api/platform/openapi/postman';
import { ApiError } from '../../../api/platform/operation/api-error';
import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { directoryVisibilities } from '../../../db/catalogue/directory-row';
import {
  allOperations,
  described,
  inputSchema,
  openApiDocument as published,
  responseOf,
  typesOf,
} from '../../harness/platform/operation-inputs';
import type { Schema } from '../../harness/platform/operation-inputs';

const names = allOperations.map(({ name }) => name);
const operationNamed = (name: string) => {
  const operation = allOperations.find((each) => each.name === name);
  if (!operation) throw new Error(name);
  return operation;
};

/** Returns every object of the document with its place in the document. */
function walk(value: unknown, place: string[] = []): { place: string[]; node: Record<string, unknown> }[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => walk(entry, [...place, String(index)]));
  if (typeof value !== 'object' || value === null) return [];
  const node = value as Record<string, unknown>;
  return [{ place, node }, ...Object.entries(node).flatMap(([key, entry]) => walk(entry, [...place, key]))];
}

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addFormat('idn-email', true);
ajv.addSchema({ $id: 'document', components: published.components });
/** Returns a function that validates a value against a component of the document. */
const validatorOf = (component: string) => {
  const validate = ajv.getSchema(`document#/components/schemas/${component}`);
  if (!validate) throw new Error(component);
  return validate;
};

describe('the document', () => {
  it('has every operation', () => {
    expect(published.openapi).toBe('3.1.0');
    expect(Object.keys(published.paths).sort()).toEqual(names.map((name) => `/${name}`).sort());
  });

  it('resolves every $ref and has no two equal components', () => {
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

  it('has a bearer scheme for every operation and no Authorization parameter', () => {
    expect(published.components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
    expect(published.security).toEqual([{ bearer: [] }]);
    const headers = walk(published).filter(({ node }) => node['in'] === 'header');
    expect(new Set(headers.map(({ node }) => node['name']))).toEqual(
      new Set(['Idempotency-Key', 'If-Match', 'If-None-Match']),
    );
  });

  it('writes null as a type array, or as anyOf next to an enum or a component', () => {
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

  it('defines each enum once, as a component', () => {
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

  it('contains no bound that is only the largest safe integer of JavaScript', () => {
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
  });

  it('has no pattern for numbers', () => {
    const numbers = walk(published).filter(
      ({ node }) =>
        typesOf(node as Schema).includes('integer') && !typesOf(node as Schema).includes('string'),
    );
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter(({ node }) => 'pattern' in node).map(({ place }) => place.join('/'))).toEqual([]);
  });

  it('explains the Markdown of a catalogue page and who sees the page', () => {
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
  });

  it('allows replies to gain keys', () => {
    const closed = walk(published).filter(({ node }) => node['additionalProperties'] === false);
    expect(closed.map(({ place }) => place.join('/'))).toEqual([]);
  });
});

describe.each(names)('%s', (name) => {
  const operation = operationNamed(name);
  const entry = described(operation);

  it('is described by operationId, tag, texts and statuses, with 200 as the only success', () => {
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
        ...(operation.method === 'POST' ? ['413'] : []),
      ]),
    );
    expect(Object.keys(entry.responses).filter((status) => status.startsWith('2'))).toEqual(['200']);
    const takesKey = operation.method === 'POST' && !operation.isRead;
    expect('409' in entry.responses).toBe(takesKey || operation.statuses.includes(409));
    for (const status of Object.keys(entry.responses).filter((each) => !['200', '304'].includes(each)))
      expect(responseOf(operation, status).content['application/json']?.schema).toEqual({
        $ref: '#/components/schemas/Error',
      });
  });

  it('has its input where the method takes it, with merchant_id', () => {
    if (operation.method === 'GET') expect(entry.requestBody).toBeUndefined();
    else expect(Object.keys(entry.requestBody?.content ?? {})).toEqual(['application/json']);
    const { properties = {}, required = [] } = inputSchema(operation);
    // Operations of the platform are about no merchant, or require the merchant that they change.
    const isRequired = operation.serviceKeys === 'platform' && operation.needsMerchant === true;
    if (operation.serviceKeys === 'platform' && !isRequired)
      expect(properties['merchant_id']).toBeUndefined();
    else expect(properties['merchant_id']).toMatchObject({ type: 'string', format: 'uuid' });
    expect(required.includes('merchant_id')).toBe(isRequired);
    expect(required.filter((field) => !(field in properties))).toEqual([]);
  });

  it('states the defaults that it applies, and applies those that it states', () => {
    const { properties = {}, required = [] } = inputSchema(operation);
    for (const [field, schema] of Object.entries(properties).filter(([name]) => !required.includes(name))) {
      const { [field]: _, ...others } = operation.example as Record<string, unknown>;
      const parsed = operation.input.safeParse(others);
      // Some operations need at least one of several fields. If the example has only one of them, the example is not
      // valid without it.
      if (!parsed.success) continue;
      const applied: unknown = Reflect.get(parsed.data as object, field);
      expect([field, schema.default]).toEqual([field, applied]);
    }
  });
});

it('describes errors as they are sent', () => {
  const validate = validatorOf('Error');
  expect(validate(errorBody(new ApiError('not_found', 'Nothing', 'id'), 'an-id'))).toBe(true);
  expect(validate(errorBody(new ApiError('internal_error', 'Something went wrong'), 'an-id'))).toBe(true);
  expect(validate({ name: 'a' })).toBe(false);
});

describe('the reference', () => {
  it('has a guide that says what differs outside production', () => {
    const guide = readFileSync(path.join(__dirname, '../../../docs/guide/environments.md'), 'utf8');
    expect(guide).toMatch(/outside production[^]*100 a day[^]*test recipients[^]*Settings/);
    expect(guide).toContain('at most five invitations in 24 hours');
  });

  it.each(['invite-users', 'job-interview-register-users', 'merchant-status'])(
    'refers to that guide in %s',
    (name) => {
      const operation = allOperations.find((each) => each.name === name);
      expect(operation?.description.replaceAll('\n', ' ')).toContain(
        'see [Environments]({origin}/docs/environments)',
      );
    },
  );
});

type Pattern = { at: string; pattern: string; format: unknown };

function* patternsOf(value: unknown, at = ''): Generator<Pattern> {
  if (typeof value !== 'object' || value === null) return;
  if ('pattern' in value && typeof value.pattern === 'string')
    yield { at, pattern: value.pattern, format: Reflect.get(value, 'format') };
  for (const [key, entry] of Object.entries(value)) yield* patternsOf(entry, `${at}/${key}`);
}
const patterns = [...patternsOf(published), ...patternsOf(buildWebhooksDocument('https://api.example.com'))];

/** Matches syntax of regular expressions that Go (RE2) or Python (re) does not support or understands differently. */
const notEverywhere = /\\[pP]\{|\(\?[=!<]|\\[1-9]|\\k</;

describe('the patterns of the OpenAPI documents', () => {
  it('exist', () => expect(patterns.length).toBeGreaterThan(3));

  it('are ECMA-262 without the u flag, lookaround, back references and \\p', () => {
    for (const { pattern } of patterns) expect(() => new RegExp(pattern)).not.toThrow();
    expect(patterns.filter(({ pattern }) => notEverywhere.test(pattern))).toEqual([]);
  });

  it('are not combined with the e-mail format', () => {
    expect(patterns.filter(({ format }) => format === 'email' || format === 'idn-email')).toEqual([]);
  });

  it('are \\S for a text that must not be blank', () => {
    const names = patterns.filter(({ at }) => at.endsWith('/properties/name')).map(({ pattern }) => pattern);
    expect(new Set(names)).toEqual(new Set(['\\S']));
  });
});

const origin = 'https://api.platform.test';

describe('the Postman collection', () => {
  it('has the format v2.1, and a request for every operation', async () => {
    const collection = buildPostmanCollection(allOperations, `${origin}/v1`) as Parameters<
      PostmanValidator['verify']
    >[0];
    expect(await new PostmanValidator().verify(collection)).toEqual([]);
    const folders = collection.item as { item: { name: string }[] }[];
    const requests = folders.flatMap(({ item }) => item);
    expect(requests.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });
});

describe('llms-full.txt', () => {
  it('has the whole guide and the fields of every operation', () => {
    const text = llmsFull(allOperations, published, origin);
    expect(text).toContain('# Webhooks');
    // Links lead to the pages of this deployment, and no link is relative.
    expect(text).toContain(`](${origin}/docs/idempotency)`);
    expect(text.match(/\]\((?!https?:|#)[^)\s]*\)/g) ?? []).toEqual([]);
    for (const { name, method, input } of allOperations) {
      const [, section = ''] = text.split(`## ${method} /v1/${name}\n`);
      const [own = ''] = section.split('\n## ');
      const fields = Object.keys((input as z.ZodObject).shape);
      expect([name, fields.filter((field) => !own.includes(`- \`${field}\` (`))]).toEqual([name, []]);
    }
  });
});
