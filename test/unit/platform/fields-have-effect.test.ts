import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { allContracts, allOperations, fieldsOf, inputSchema } from '../../harness/platform/operation-inputs';
import type { Schema } from '../../harness/platform/operation-inputs';

/*
 * A field of a request has an effect, or its description says "recorded only". The test looks for the name of each field in
 * code that is neither a contract nor the storage of definitions, where every field occurs.
 */

const root = path.join(__dirname, '../../..');
const isContractOrStorage =
  /^api\/.*(?:-fields|-options|-examples?)\.ts$|named-enums|operation\/vocabulary|^api\/interviews\/|^db\/interviews\/(?:interviews|locked-definition|steps|question-row|compiled-definition)\.ts$|db\/migrations|access\.sql|text\/languages/;
const code = ['api', 'db', 'activities', 'workflows']
  .flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|sql)$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  .filter((file) => !isContractOrStorage.test(file))
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n');
/** Returns true if code has the name, but not only as the key of an object or schema. */
const isRead = (name: string) => new RegExp(`(?<![\\w$])${name}(?![\\w$])(?!\\??\\s*:)`).test(code);

/** The names under which code reads fields that are stored under another name. */
const readAs: Record<string, string> = {
  location: 'interview_location',
  interview_attempts: 'max_retries',
  custom_scoring: 'result_scoring',
  interview_length: 'question_count',
  // Prompts have all fields of the company.
  sector: 'hiring_for_company',
  company_size: 'hiring_for_company',
  // Renamed where it is read.
  group_by_question: 'isGrouped',
};

type Described = Schema & { description?: string };
const fields = [
  ...allContracts.flatMap((operation) =>
    fieldsOf(inputSchema(operation)).map((field) => ({ operation, ...field })),
  ),
  ...allOperations.flatMap((operation) =>
    operation.rows === undefined
      ? []
      : fieldsOf(inputSchema(operation).properties?.[operation.rows]?.items ?? {}).map((field) => ({
          operation,
          ...field,
        })),
  ),
].map(({ operation, path: place, schema }) => ({
  operation: operation.name,
  name: place.findLast((part) => typeof part === 'string') ?? '',
  description: (schema as Described).description ?? '',
}));

describe('every field of a request', () => {
  it('is read by code, or is described as recorded only', () => {
    expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['early_stop', 'phone', 'text']));
    const unread = fields
      .filter(({ description }) => !/recorded only/i.test(description))
      .filter(({ name }) => !isRead(readAs[name] ?? name));
    expect(unread.map(({ operation, name }) => `${operation}: ${name}`)).toEqual([]);
  });
});
