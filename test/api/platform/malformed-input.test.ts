import { isDeepStrictEqual } from 'node:util';
import { errorCodes } from '../../../api/platform/operation/error-codes';
import { startPlatform } from '../../harness/platform';
import type { Platform, Reply } from '../../harness/platform';
import {
  allOperations,
  fieldsOf,
  inputSchema,
  leastInput,
  putAt,
  sampleOf,
  typesOf,
  wireName,
} from '../../harness/operation-inputs';
import type { Path, Schema } from '../../harness/operation-inputs';
import { faultyTexts, faultyValues } from '../../harness/faulty-values';

let platform: Platform;
let before: string[];
beforeAll(async () => {
  // As a deployment is: http is no address of a webhook.
  platform = await startPlatform({ worker: false, api: { WEBHOOK_ALLOW_HTTP: 'false' } });
  before = await fingerprint();
});
afterAll(() => platform.stop());

const bodyLimitBytes = 1_048_576;
const posts = allOperations.filter(({ method }) => method === 'POST');
const gets = allOperations.filter(({ method }) => method === 'GET');

/** Content of every table; of those that note the last use, the number of rows. */
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

type Attempt = { field: Path; what: string; send: () => Promise<Reply>; names: string[] };

/** Everything that is wrong with the replies, as sentences. */
async function judge(attempts: Attempt[]): Promise<string[]> {
  const faults: string[] = [];
  for (let start = 0; start < attempts.length; start += 8)
    await Promise.all(
      attempts.slice(start, start + 8).map(async ({ field, what, send, names }) => {
        const { status, body } = await send();
        const said = `${wireName(field)}, ${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`;
        if (status !== 422 || !names.includes(body.name ?? '')) faults.push(said);
        else if (!isWhole(body)) faults.push(`code, request id or list of ${said}`);
        else if (!isGoodMessage(body.error ?? '')) faults.push(`message of ${said}`);
      }),
    );
  return faults;
}

/** Every error has a code of the list, the id of its request, and itself first in the list of errors. */
const isWhole = ({ error, name, code, request_id, errors }: Reply['body']): boolean =>
  Object.hasOwn(errorCodes, String(code)) &&
  typeof request_id === 'string' &&
  isDeepStrictEqual((errors as unknown[])[0], { name, code, error });

/** One sentence that says what to change, without anything of the inside. */
const isGoodMessage = (message: string): boolean =>
  message.length > 0 &&
  message.length <= 600 &&
  !message.includes('\n') &&
  !/select |insert |update .* set|constraint|node_modules|\.[jt]s:\d|\/(work|home|usr|tmp)\/|invalid input|^\W|expected|zod|undefined|\[object/i.test(
    message,
  );

/** The fields, and the attempts to send each of its faults. */
const attemptsOf = (
  name: string,
  faultsOf: (schema: Schema, path: Path) => { what: string; value: unknown }[],
) => {
  const operation = allOperations.find((each) => each.name === name);
  if (!operation) throw new Error(name);
  const schema = inputSchema(operation);
  const base = leastInput(operation);
  return fieldsOf(schema)
    .filter(({ path }) => path[0] !== 'merchant_id')
    .flatMap(({ path, schema: field }) =>
      faultsOf(field, path).map(({ what, value }): Attempt => {
        const body = putAt(base, schema, path, value);
        return { field: path, what, names: [wireName(path)], send: () => platform.call(name, { body }) };
      }),
    );
};

/** A page may be as long as the body. */
const upToTheBody = new Set(['content_md']);
/** No field alone is required. */
const takesOneOfSeveral = new Set(['webhook-delivery-replay']);

const operationNames = (list: typeof posts) => list.map(({ name }) => name);

describe.each(operationNames(posts))('%s', (name) => {
  it('refuses every field of a wrong type, range, length or vocabulary with its name', async () => {
    const attempts = attemptsOf(name, (schema) => faultyValues(schema));
    expect(attempts.length).toBeGreaterThan(5);
    expect(await judge(attempts)).toEqual([]);
  });

  it('refuses NUL and half surrogates anywhere with the field', async () => {
    const texts = ['a\0b', '\0', 'a\ud800b', '\udfff'];
    const attempts = attemptsOf(name, () => texts.map((value) => ({ what: JSON.stringify(value), value })));
    expect(await judge(attempts)).toEqual([]);
  });

  it('refuses nesting over 32 levels, also 900', async () => {
    const marker = 'the-deep-one';
    const attempts = attemptsOf(name, (_schema, path) =>
      (path.length === 1 ? [32, 900] : [33 - path.length]).map((depth) => ({
        what: `${depth} levels`,
        value: `${marker}${depth}`,
      })),
    ).map((attempt) => ({ ...attempt, names: [wireName(attempt.field.slice(0, 1))] }));
    const operation = posts.find((each) => each.name === name);
    const schema = operation ? inputSchema(operation) : {};
    const deep = attempts.map((attempt) => {
      const depth = Number(attempt.what.split(' ')[0]);
      const body = operation ? putAt(leastInput(operation), schema, attempt.field, marker) : {};
      const rawBody = JSON.stringify(body).replace(`"${marker}"`, '['.repeat(depth) + ']'.repeat(depth));
      return { ...attempt, send: () => platform.call(name, { rawBody }) };
    });
    expect(await judge(deep)).toEqual([]);
  });

  it('refuses a text that fills the body to 1 MiB', async () => {
    const attempts = attemptsOf(name, (schema, path) => {
      if (upToTheBody.has(wireName(path))) return [];
      const isFree = typesOf(schema).includes('object') && !schema.properties;
      const wrap = (text: string) => (isFree ? { free: text } : text);
      return [{ what: '1 MiB', value: wrap('x'.repeat(bodyLimitBytes - 5_000)) }];
    });
    expect(await judge(attempts)).toEqual([]);
  });

  it('names a required field that is missing', async () => {
    const operation = posts.find((each) => each.name === name);
    if (!operation) throw new Error(name);
    const schema = inputSchema(operation);
    const owners: { path: Path; schema: Schema }[] = [{ path: [], schema }, ...fieldsOf(schema)];
    const attempts = owners.flatMap(({ path, schema: owner }) =>
      (owner.required ?? []).map((required): Attempt => {
        const sample = { ...(sampleOf(owner) as Record<string, unknown>) };
        if (path.length === 0) Object.assign(sample, leastInput(operation));
        delete sample[required];
        const body = putAt(leastInput(operation), schema, path, sample);
        const field = [...path, required];
        return {
          field,
          what: 'missing',
          names: [wireName(field)],
          send: () => platform.call(name, { body }),
        };
      }),
    );
    expect(attempts.length > 0).toBe(!takesOneOfSeveral.has(name));
    expect(await judge(attempts)).toEqual([]);
  });

  it('ignores unknown keys, __proto__ and constructor among them', async () => {
    const operation = posts.find((each) => each.name === name);
    const least = JSON.stringify(operation ? leastInput(operation) : {});
    const more = `"__proto__":{"status":5,"polluted":true},"constructor":{"prototype":5},"toString":1,"nothing":null,`;
    const plain = await platform.call(name, { rawBody: least });
    const strange = await platform.call(name, { rawBody: `{${more}${least.slice(1)}` });
    expect([strange.status, strange.body]).toEqual([plain.status, plain.body]);
    // What the least input names does not exist: a refusal by the handler, of the row where rows are judged one by
    // one, so the keys went by the contract.
    if (plain.status === 200) expect(plain.text).toContain('"result":"Error: ');
    else expect([404, 422]).toContain(plain.status);
  });
});

describe.each(operationNames(gets))('%s', (name) => {
  const operation = gets.find((each) => each.name === name);
  const schema = operation ? inputSchema(operation) : {};
  const withValue = (field: string, value: string) => ({
    ...(operation ? (leastInput(operation) as Record<string, string>) : {}),
    [field]: value,
  });
  const fields = Object.entries(schema.properties ?? {}).filter(([field]) => field !== 'merchant_id');

  it('refuses every parameter of a wrong form, range or vocabulary with its name', async () => {
    const attempts = fields.flatMap(([field, parameter]) =>
      [
        ...faultyTexts(parameter),
        ...['a\0b', 'x'.repeat(8_000)].map((value) => ({ what: JSON.stringify(value).slice(0, 20), value })),
      ].map(({ what, value }): Attempt => {
        const query = withValue(field, String(value));
        return { field: [field], what, names: [field], send: () => platform.call(name, { query }) };
      }),
    );
    expect(await judge(attempts)).toEqual([]);
  });

  it('refuses a repeated parameter with its name', async () => {
    const attempts = fields.map(([field, parameter]): Attempt => {
      const value = String(sampleOf(parameter));
      const query = new URLSearchParams([...Object.entries(withValue(field, value)), [field, value]]);
      const send = () => platform.call(`${name}?${query.toString()}`);
      return { field: [field], what: 'repeated', names: [field], send };
    });
    expect(await judge(attempts)).toEqual([]);
  });

  it('names a required parameter that is missing', async () => {
    const attempts = (schema.required ?? []).map((field): Attempt => {
      const query = withValue(field, '');
      delete query[field];
      return { field: [field], what: 'missing', names: [field], send: () => platform.call(name, { query }) };
    });
    expect(await judge(attempts)).toEqual([]);
  });

  it('ignores unknown parameters', async () => {
    const query = operation ? (leastInput(operation) as Record<string, string>) : {};
    const plain = await platform.call(name, { query });
    const strange = await platform.call(
      `${name}?${new URLSearchParams(query).toString()}&__proto__=1&constructor=2&hasOwnProperty=3&nothing`,
    );
    expect([strange.status, strange.body]).toEqual([plain.status, plain.body]);
    expect([200, 404]).toContain(plain.status);
  });
});

describe('merchant_id', () => {
  const strange = [5, true, {}, [], ['a'], 'not-a-uuid', '', 'x'.repeat(1_000_000), { a: 1 }];
  it.each(allOperations.map(({ name, method }) => [name, method]))(
    'of %s is judged where it counts',
    async (name, method) => {
      const operation = allOperations.find((each) => each.name === name);
      const least = operation ? leastInput(operation) : {};
      const values = method === 'GET' ? ['not-a-uuid', '', '\0'] : [...strange, 'a\0', '\ud800'];
      const keys = operation?.serviceKeys ? [platform.stack.service_key] : [];
      const attempts = [platform.stack.tokens.admin, ...keys].flatMap((token) =>
        values.map((value): Attempt => {
          const input = { ...least, merchant_id: value };
          const options = method === 'GET' ? { query: input as Record<string, string> } : { body: input };
          return {
            field: ['merchant_id'],
            what: JSON.stringify(value).slice(0, 50),
            names: ['merchant_id'],
            send: () => platform.call(name, { ...options, token }),
          };
        }),
      );
      const { merchant_owner: owner, admin, operator } = platform.stack.tokens;
      if (method === 'POST')
        for (const token of [owner, admin, operator, ...keys])
          attempts.push({
            field: ['merchant_id'],
            what: '900 levels',
            names: ['merchant_id'],
            send: () =>
              platform.call(name, {
                token,
                rawBody: `{"merchant_id":${'['.repeat(900)}${']'.repeat(900)}}`,
              }),
          });
      expect(await judge(attempts)).toEqual([]);
    },
  );
});

describe('every operation after all of this', () => {
  it('has stored nothing', async () => {
    expect(await fingerprint()).toEqual(before);
  });
});
