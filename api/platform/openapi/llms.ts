import type { Operation } from '../operation/define-operation';
import { tags } from '../operation/tags';
import { guideNames, guidePlace, readGuideText } from './guide-page';
import { introduction } from './introduction';
import type { JsonSchema } from './plain';

/* The documentation as text for language models: https://llmstxt.org. */

const title = '# Interview and Coaching Platform API';

/** Returns `/llms.txt`: where the pages of the guide, the documents and the operations are. */
export function llmsIndex(operations: readonly Operation[], origin: string): string {
  const link = (name: string, place: string, about = '') =>
    `- [${name}](${origin}${place})${about && `: ${about}`}`;
  const guide = guideNames.map((name) => {
    const [, heading = name] = /^# (.*)$/m.exec(readGuideText(name, origin)) ?? [];
    return link(heading, guidePlace(name));
  });
  return sections([
    title,
    `> ${firstParagraph()}`,
    ['## Guide', ...guide].join('\n'),
    [
      '## Documents',
      link('Everything in one text', '/llms-full.txt', 'the guide and all operations'),
      link('OpenAPI document', '/v1/openapi'),
      link('OpenAPI document of the webhooks', '/v1/openapi-webhooks'),
      link('Postman collection', '/postman.json'),
    ].join('\n'),
    [
      '## Operations',
      ...operations.map(({ name, method, summary }) => `- \`${method} ${origin}/v1/${name}\`: ${summary}`),
    ].join('\n'),
  ]);
}

/** Returns `/llms-full.txt`: the guide, and every operation of the OpenAPI document. */
export function llmsFull(operations: readonly Operation[], document: JsonSchema, origin: string): string {
  const schemas = (document['components'] as { schemas: Record<string, JsonSchema> }).schemas;
  const paths = document['paths'] as Record<string, Record<string, Described>>;
  return sections([
    title,
    firstParagraph(),
    ...guideNames.map((name) => readGuideText(name, origin)),
    ...Object.entries(tags).flatMap(([tag, about]) => [
      `# Operations: ${tag}`,
      about,
      ...operations
        .filter((operation) => operation.tag === tag)
        .map((operation) => {
          const described = paths[`/${operation.name}`]?.[operation.method === 'GET' ? 'get' : 'post'];
          return described ? describeOperation(operation, described, schemas) : '';
        }),
    ]),
  ]);
}

type Described = {
  summary: string;
  description: string;
  parameters?: {
    in?: string;
    name?: string;
    required?: boolean;
    description?: string;
    schema?: JsonSchema;
  }[];
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema; example?: unknown }> }>;
};

function describeOperation(
  { name, method }: Operation,
  { summary, description, parameters = [], requestBody, responses }: Described,
  schemas: Record<string, JsonSchema>,
): string {
  const query = parameters.flatMap((parameter) =>
    parameter.in === 'query' && parameter.name !== undefined
      ? [
          fieldLine(
            parameter.name,
            fieldOf({ ...parameter.schema, description: parameter.description }, schemas),
            parameter.required === true,
          ),
        ]
      : [],
  );
  const body = requestBody?.content['application/json'];
  const [type = '', reply] = Object.entries(responses['200']?.content ?? {})[0] ?? [];
  return sections([
    `## ${method} /v1/${name}\n\n${summary}.`,
    description,
    query.length > 0 ? `Query:\n\n${query.join('\n')}` : '',
    body ? `Body:\n\n${fieldLines(body.schema, schemas)}\n\n${jsonBlock(body.example)}` : '',
    type === 'application/json' && reply
      ? `Reply:\n\n${fieldLines(reply.schema, schemas)}\n\n${jsonBlock(reply.example)}`
      : `The reply is \`${type}\`.`,
  ]);
}

/** Lists the fields of an object, or of the entries of a list. */
function fieldLines(schema: JsonSchema, schemas: Record<string, JsonSchema>): string {
  const found = resolve(schema, schemas);
  const {
    properties = {},
    required = [],
    items,
  } = found as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
    items?: JsonSchema;
  };
  if (items) return fieldLines(items, schemas);
  return Object.entries(properties)
    .map(([name, field]) => fieldLine(name, fieldOf(field, schemas), required.includes(name)))
    .join('\n');
}

/** Returns a field with the facts of the component that it refers to. */
const fieldOf = (field: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema => ({
  ...resolve(field, schemas),
  ...(field['description'] === undefined ? {} : { description: field['description'] }),
});

/** Returns the component that a schema or its only type other than null refers to. */
function resolve(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const members = [schema, ...((schema['anyOf'] as JsonSchema[] | undefined) ?? [])];
  const reference = members.find((member) => typeof member['$ref'] === 'string')?.['$ref'];
  return typeof reference === 'string' ? (schemas[reference.split('/').at(-1) ?? ''] ?? schema) : schema;
}

function fieldLine(name: string, schema: JsonSchema, isRequired: boolean): string {
  const {
    type,
    enum: values,
    description,
  } = schema as { type?: string | string[]; enum?: unknown[]; description?: string };
  const facts = [
    [type ?? []].flat().join(' or '),
    isRequired ? 'required' : '',
    values ? `one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '',
  ].filter(Boolean);
  return `- \`${name}\` (${facts.join('; ')})${description === undefined ? '' : `: ${description}`}`;
}

const jsonBlock = (example: unknown): string =>
  example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example)}\n\`\`\``;

const firstParagraph = (): string => (introduction.split('\n\n')[0] ?? '').replaceAll('\n', ' ');

const sections = (parts: readonly string[]): string => `${parts.filter(Boolean).join('\n\n').trim()}\n`;
