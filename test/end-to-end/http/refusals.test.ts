import { errorBody } from '../../harness/platform/error-body';
import { allOperations, inputSchema } from '../../harness/platform/operation-inputs';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

/*
 * Tests rejected input over HTTP. The invalid values of every field are tested without HTTP in
 * test/unit/platform/http/malformed-input.test.ts.
 */

let platform: Platform;
let before: string[];
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  before = await fingerprint();
});

/**
 * Returns a hash of every table. For tables that record when credentials were last used, returns only the number of
 * rows.
 */
async function fingerprint(): Promise<string[]> {
  const tables = await platform.database.rows<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const prints: string[] = [];
  for (const { name } of tables) {
    const what = ['session', 'service_key'].includes(name)
      ? 'null'
      : `md5(coalesce(string_agg(t::text, ',' order by t::text), ''))`;
    const [row] = await platform.database.rows<{ print: string }>(
      `select concat_ws(' ', count(*), ${what}) as print from public."${name}" t`,
    );
    prints.push(`${name} ${row?.print}`);
  }
  return prints;
}

const calls = allOperations.flatMap((operation) =>
  Object.keys(inputSchema(operation).properties ?? {})
    .filter((field) => field !== 'merchant_id')
    .slice(0, 2)
    .map((field) => ({ ...operation, field, example: operation.example as object })),
);

describe('a wrong field', () => {
  it.each(calls)(
    'gets a 422 with a complete error for $name, $field',
    async ({ name, method, field, example, rows, validates }) => {
      const input = { ...example, [field]: 'a\0b' };
      const { status, body } = await platform.call(
        name,
        method === 'GET' ? { query: input } : { body: input },
      );
      // In a field that takes a list of rows, a text has the wrong type. In the other fields, it has an invalid
      // value.
      const code = field === rows ? 'invalid_type' : 'invalid_value';
      expect([status, body]).toEqual([
        422,
        validates?.includes(field)
          ? { ...errorBody('bad_value', field), details: [expect.objectContaining({ code: 'bad_value' })] }
          : errorBody(code, field),
      ]);
    },
  );
});

describe.each([
  ['interview-template-list', ['not-a-uuid', '', '\0']],
  [
    'job-interview-update',
    [5, true, {}, ['a'], 'not-a-uuid', '', 'x'.repeat(1_000_000), 'a\0', '\ud800', nested(900)],
  ],
])('a wrong merchant_id of %s', (name, values) => {
  it.each(['admin', 'service_key', 'operator'] as const)('gets a 422 for %s', async (who) => {
    const { service_key, tokens } = platform.stack;
    const token = who === 'service_key' ? service_key : tokens[who];
    for (const merchant_id of values) {
      const input = { ...calls.find((each) => each.name === name)?.example, merchant_id };
      const options = name.endsWith('list') ? { query: input as Record<string, string> } : { body: input };
      const { status, body } = await platform.call(name, { ...options, token });
      expect([merchant_id, status, body.name]).toEqual([merchant_id, 422, 'merchant_id']);
    }
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)];
}

describe('every operation, after all of these calls', () => {
  it('has stored nothing', async () => {
    expect(await fingerprint()).toEqual(before);
  });
});
