import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { buildPortalDocument } from '../../../api/platform/openapi/portal-document';
import { defineOperation, fileReply } from '../../../api/platform/operation/define-operation';
import { portalOperationList } from '../../../api/taking/operations';
import { openApiDocument, portalDocument } from '../../harness/platform/operation-inputs';

/* openapi-fields.test.ts checks the fields and examples of this document, too. */

/** Returns every object of the document. */
function walk(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(walk);
  if (typeof value !== 'object' || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(walk)];
}

describe('the document of the portal', () => {
  it('has every operation for candidates and none of the API', () => {
    expect(Object.keys(portalDocument.paths)).toEqual(portalOperationList.map(({ name }) => `/${name}`));
    expect(Object.keys(openApiDocument.paths).filter((path) => path in portalDocument.paths)).toEqual([]);
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(portalDocument))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('resolves every $ref', () => {
    const known = new Set(
      Object.entries(portalDocument.components).flatMap(([kind, components]) =>
        Object.keys(components).map((name) => `#/components/${kind}/${name}`),
      ),
    );
    const references = walk(portalDocument).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(references.length).toBeGreaterThan(10);
    expect(references.filter((reference) => !known.has(reference))).toEqual([]);
  });

  it('defines each enum once, as a component', () => {
    const enums = walk(portalDocument).flatMap(({ enum: values }) =>
      Array.isArray(values) && values.length > 1 ? [String(values)] : [],
    );
    expect(enums.length).toBeGreaterThan(3);
    expect(new Set(enums).size).toBe(enums.length);
  });

  it('has no merchant_id, no roles and no service keys', () => {
    expect(JSON.stringify(portalDocument)).not.toMatch(/merchant_id|service key|Who may call|key_revoked/);
  });

  it('has the statuses of every operation', () => {
    for (const { name, method, statuses } of portalOperationList) {
      const { responses = {} } = portalDocument.paths[`/${name}`]?.[method.toLowerCase()] ?? {};
      const expected = [200, 401, 405, 422, 429, 500, 503, ...(method === 'GET' ? [] : [413]), ...statuses];
      expect([name, Object.keys(responses).map(Number)]).toEqual([name, expected.sort((a, b) => a - b)]);
    }
  });
});

it('describes operations that take and return files', async () => {
  const common = {
    summary: 'A file',
    description: 'A file.',
    input: z.object({}),
    example: {},
    statuses: [204],
  } as const;
  const document = buildPortalDocument(
    [
      defineOperation({
        ...common,
        caller: 'candidate',
        name: 'a-part',
        method: 'PUT',
        maxBytes: 5,
        callsPerMinute: 600,
        reply: z.object({}),
        replyExample: {},
        handle: async () => ({}),
      }),
      defineOperation({
        ...common,
        caller: 'candidate',
        name: 'a-speech',
        method: 'GET',
        replyType: 'audio/mpeg',
        reply: fileReply,
        replyExample: Buffer.alloc(0),
        handle: async () => Buffer.alloc(0),
      }),
    ],
    'https://portal.example.com/portal/v1',
  );
  expect(document).toMatchObject({
    paths: {
      '/a-part': {
        put: {
          description: expect.stringContaining('600 calls a minute'),
          requestBody: { content: { 'application/octet-stream': {} } },
          responses: { '204': {} },
        },
      },
      '/a-speech': { get: { responses: { '200': { content: { 'audio/mpeg': {} } } } } },
    },
  });
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});
