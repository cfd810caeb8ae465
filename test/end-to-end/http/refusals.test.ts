import type { Operation } from '../../../api/platform/operation/define-operation';
import { eachOf } from '../../harness/each-row';
import { errorBody } from '../../harness/platform/error-body';
import { allOperations, callerOf, inputSchema } from '../../harness/platform/operation-inputs';
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

describe('a wrong field of any operation', () => {
  it('gets a 422 with a complete error', () =>
    eachOf(
      allOperations.filter((operation) => firstField(operation) !== undefined).map(({ name }) => name),
      async (name) => {
        const operation = operationNamed(name);
        const field = firstField(operation) ?? '';
        const { token, merchant } = callerOf(operation, platform.stack);
        const input = { ...(operation.example as Record<string, string>), ...merchant, [field]: 'a\0b' };
        const { status, body } = await platform.call(name, {
          token,
          ...(operation.method === 'GET' ? { query: input } : { body: input }),
        });
        // In a field that takes a list of rows, a text has the wrong type. In the other fields, it has an invalid
        // value.
        const code = field === operation.rows ? 'invalid_type' : 'invalid_value';
        expect([status, body]).toEqual([
          422,
          operation.validates?.includes(field)
            ? { ...errorBody('bad_value', field), details: [expect.objectContaining({ code: 'bad_value' })] }
            : errorBody(code, field),
        ]);
      },
    ));

  it('gets a 422 when it is merchant_id', async () => {
    const { service_key, tokens } = platform.stack;
    const wrong = [
      ['interview-template-list', ['not-a-uuid', '', '\0']],
      ['job-interview-update', [5, true, {}, ['a'], 'not-a-uuid', '', 'x'.repeat(1_000_000), 'a\0', '\ud800', nested(900)]],
    ] as const; // prettier-ignore
    for (const token of [tokens.admin, service_key, tokens.operator])
      for (const [name, values] of wrong)
        await eachOf<unknown>(values, async (merchant_id) => {
          const input = { ...(operationNamed(name).example as object), merchant_id };
          const options = name.endsWith('list')
            ? { query: input as Record<string, string> }
            : { body: input };
          const { status, body } = await platform.call(name, { ...options, token });
          expect([status, body.name]).toEqual([422, 'merchant_id']);
        });
  });

  it('makes the call store nothing', async () => {
    expect(await fingerprint()).toEqual(before);
  });
});

const operationNamed = (name: string) => allOperations.find((each) => each.name === name) as Operation;
const firstField = (operation: Operation) =>
  Object.keys(inputSchema(operation).properties ?? {}).find((field) => field !== 'merchant_id');
function nested(levels: number): unknown {
  return levels === 0 ? 0 : [nested(levels - 1)];
}
