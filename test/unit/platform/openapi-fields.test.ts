import addFormats from 'ajv-formats';
import Ajv from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import { buildOpenApiDocument } from '../../../api/platform/openapi/document';
import { buildPortalDocument } from '../../../api/platform/openapi/portal-document';
import { portalOperationList } from '../../../api/taking/operations';
import { buildWebhooksDocument } from '../../../api/webhooks/openapi-webhooks';
import { allOperations } from '../../harness/platform/operation-inputs';

type Node = Record<string, unknown>;
type Body = { content?: Record<string, { schema: Node; example?: unknown }> };
type Entry = Body & {
  summary: string;
  description: string;
  parameters?: Node[];
  requestBody?: Body;
  responses: Record<string, Node & Body>;
};
type Document = Node & {
  info: { description: string };
  paths?: Record<string, Record<string, Entry>>;
  webhooks?: Record<string, Record<string, Entry>>;
  components: { schemas: Record<string, Node> };
};

const baseUrl = 'https://api.example.com/v1';
const operations = buildOpenApiDocument(allOperations, baseUrl) as Document;
const webhooks = buildWebhooksDocument(baseUrl) as Document;
const portal = buildPortalDocument(portalOperationList, 'https://portal.example.com/portal/v1') as Document;
const documents: [string, Document][] = [
  ['operations', operations],
  ['webhooks', webhooks],
  ['portal', portal],
];

const entriesOf = ({ paths, webhooks }: Document): [string, Entry][] =>
  Object.entries({ ...paths, ...webhooks }).flatMap(([place, methods]) =>
    Object.values(methods).map((entry): [string, Entry] => [place, entry]),
  );

/** Returns the node to which `$ref` refers, with the properties that stand next to the `$ref`. */
function resolve(document: Document, node: Node): Node {
  if (typeof node['$ref'] !== 'string') return node;
  const { $ref, ...own } = node;
  const found = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => (part as Node)[key], document);
  return { ...resolve(document, found as Node), ...own };
}

const schemaOf = (body: Body | undefined): Node | undefined => body?.content?.['application/json']?.schema;
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);

/** Returns every field inside a schema as a pair: its place, and whether it has a description. */
function fieldsOf(document: Document, node: Node, place: string, seen: Set<string>): [string, boolean][] {
  if (typeof node['$ref'] === 'string') {
    if (seen.has(node['$ref'])) return [];
    seen.add(node['$ref']);
    return fieldsOf(document, resolve(document, node), node['$ref'].split('/').at(-1) ?? '', seen);
  }
  const properties = Object.entries((node['properties'] ?? {}) as Record<string, Node>);
  return [
    ...properties.flatMap(([name, property]): [string, boolean][] => [
      [`${place}.${name}`, isDescribed(document, property)],
      ...fieldsOf(document, property, `${place}.${name}`, seen),
    ]),
    ...(node['items'] ? fieldsOf(document, node['items'] as Node, `${place}[]`, seen) : []),
    ...listOf(node['anyOf']).flatMap((member) => fieldsOf(document, member, place, seen)),
  ];
}

const isDescribed = (document: Document, node: Node): boolean =>
  Boolean(resolve(document, node)['description']) ||
  listOf(node['anyOf']).some((member) => Boolean(resolve(document, member)['description']));

function allFields(document: Document): [string, boolean][] {
  const seen = new Set<string>();
  return entriesOf(document).flatMap(([place, { parameters = [], requestBody, responses }]) => [
    ...parameters.map((parameter): [string, boolean] => {
      const { name, description } = resolve(document, parameter);
      return [`${place}?${String(name)}`, Boolean(description)];
    }),
    ...[requestBody, ...Object.values(responses).map((response) => resolve(document, response) as Body)]
      .map(schemaOf)
      .flatMap((schema) => (schema ? fieldsOf(document, schema, place, seen) : [])),
  ]);
}

/** Returns a copy of a schema in which objects may have only the fields that the schema names. */
const closed = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema), (_key, node: unknown) =>
    isObjectSchema(node) ? { additionalProperties: false, ...node } : node,
  );
const isObjectSchema = (node: unknown): node is Node =>
  typeof node === 'object' && node !== null && Reflect.get(node, 'type') === 'object' && 'properties' in node;

/**
 * Returns a function that reports why a value does not match a schema, including fields that the schema does not
 * name.
 */
function validatorOf({ components: { schemas } }: Document) {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addFormat('idn-email', /^\S+@\S+$/);
  const inOneFile = (schema: unknown) =>
    JSON.stringify(closed(schema)).replaceAll('"#/components/schemas/', '"document#/$defs/');
  ajv.addSchema({ $id: 'document', $defs: JSON.parse(inOneFile(schemas)) as Node });
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Node, value: unknown): unknown[] => {
    const text = inOneFile(schema);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Node);
    compiled.set(text, validate);
    validate(value);
    return validate.errors ?? [];
  };
}

/** The validators are shared by both tests, because compiling the schemas takes most of the time of this file. */
const validators = new Map(documents.map(([, document]) => [document, validatorOf(document)]));
const faultsIn = (document: Document, schema: Node, value: unknown): unknown[] =>
  validators.get(document)?.(schema, value) ?? ['no such document'];

describe.each(documents)('the document of the %s', (_name, document) => {
  it('describes every field: add .meta({ description }) with its meaning and unit to a field named here', () => {
    const fields = allFields(document);
    expect(fields.length).toBeGreaterThan(40);
    expect(fields.flatMap(([place, isDescribed]) => (isDescribed ? [] : [place]))).toEqual([]);
  });

  it('has a schema-conforming example of every body without other fields: set replyExample and example of the operation', () => {
    for (const [place, { requestBody, responses }] of entriesOf(document)) {
      const bodies: [string, Body][] = [
        ...(requestBody ? [['request', requestBody] as [string, Body]] : []),
        ...Object.entries(responses).map(([status, response]): [string, Body] => [
          status,
          resolve(document, response) as Body,
        ]),
      ];
      for (const [kind, body] of bodies) {
        const content = body.content?.['application/json'];
        if (!content) continue;
        expect([place, kind, content.example === undefined]).toEqual([place, kind, false]);
        expect([place, kind, faultsIn(document, content.schema, content.example)]).toEqual([place, kind, []]);
      }
    }
  });

  it('begins every description with a sentence of its own', () => {
    const wrong = entriesOf(document).filter(
      ([, { summary, description }]) => !/^[A-Z]/.test(summary) || !/^[A-Z*]/.test(description),
    );
    expect(wrong.map(([place]) => place)).toEqual([]);
  });

  it('contains no placeholder for the address', () => {
    expect(JSON.stringify(document)).not.toMatch(/\{(?:base_url|origin)\}/);
  });
});

describe('the document of the operations', () => {
  it('says for every operation who may call it', () => {
    for (const [place, { description }] of entriesOf(operations)) {
      const operation = allOperations.find(({ name }) => `/${name}` === place);
      const line = description.split('\n').at(-1);
      expect([place, line]).toEqual([place, expect.stringMatching(/^\*\*Who may call:\*\* /)]);
      for (const role of operation?.roles ?? []) expect(line).toContain(`\`${role}\``);
      expect([place, line?.includes('not service keys')]).toEqual([place, !operation?.serviceKeys]);
    }
  });

  it('has reply examples that match their schemas after they are parsed', () => {
    const unknownKey = faultsIn(operations, { type: 'object', properties: { a: {} } }, { b: 1 });
    expect(unknownKey).toHaveLength(1);
    for (const { name, method, reply, replyExample } of allOperations) {
      const entry = operations.paths?.[`/${name}`]?.[method.toLowerCase()];
      const sent: unknown = JSON.parse(JSON.stringify(reply.parse(replyExample)));
      expect([name, faultsIn(operations, schemaOf(entry?.responses['200']) ?? {}, sent)]).toEqual([name, []]);
    }
  });

  it('declares the headers of replies', () => {
    for (const [place, { responses }] of entriesOf(operations))
      for (const [status, response] of Object.entries(responses)) {
        const headers = Object.keys(resolve(operations, response)['headers'] ?? {});
        expect([place, status, headers.includes('X-Request-Id')]).toEqual([place, status, true]);
        if (status === '429' || status === '503')
          expect([place, status, headers]).toEqual([place, status, expect.arrayContaining(['Retry-After'])]);
      }
  });
});
