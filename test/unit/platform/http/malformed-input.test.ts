import { parse } from 'node:querystring';
import { isDeepStrictEqual } from 'node:util';
import { errorBody } from '../../../../api/platform/http/error-reply';
import { parseSent, readBodyInput, readQueryInput } from '../../../../api/platform/http/read-input';
import { fieldsValidatedLater } from '../../../../api/platform/operation/define-operation';
import type { Contract } from '../../../../api/platform/operation/define-operation';
import { errorCodes } from '../../../../api/platform/operation/error-codes';
import {
  allContracts,
  fieldsOf,
  inputSchema,
  putAt,
  sampleOf,
  typesOf,
  wireName,
} from '../../../harness/platform/operation-inputs';
import type { Path, Schema } from '../../../harness/platform/operation-inputs';

type Fault = { what: string; value: unknown };

/** Returns values that a field of this schema must reject. */
function faultyValues(schema: Schema): Fault[] {
  const types = typesOf(schema);
  const faults: Fault[] = wrongTypes(types);
  const add = (what: string, value: unknown) => faults.push({ what, value });
  if (!types.includes('null')) add('null', null);
  if (schema.enum && !types.includes('boolean')) {
    add('unknown value', 'no-such-value');
    add('other case', String(schema.enum[0]).toUpperCase() + 'X');
    add('blank', '');
  }
  if (schema.format === 'uuid') {
    add('malformed uuid', 'not-a-uuid');
    add('uuid and more', '0198a000-0000-7000-8000-0000000000010');
    add('blank', '');
  }
  if (schema.format === 'uri')
    for (const url of ['ftp://a.example/x', 'http://a.example', 'https://']) add(url, url);
  if (schema.minLength) {
    add('empty', '');
    add('blanks', ' '.repeat(Math.max(schema.minLength, 3)));
  }
  if (schema.maxLength !== undefined) add('over the length', 'x'.repeat(schema.maxLength + 1));
  if (schema.minimum !== undefined) add('below the minimum', schema.minimum - 1);
  if (schema.maximum !== undefined) add('above the maximum', schema.maximum + 1);
  if (types.includes('integer')) {
    add('a fraction', 1.5);
    add('too big for any integer', 1e300);
  }
  if (schema.minItems) add('too few', []);
  if (schema.maxItems !== undefined)
    add('too many', Array(schema.maxItems + 1).fill(sampleOf(schema.items ?? {})));
  return faults;
}

function wrongTypes(types: string[]): Fault[] {
  const all: Record<string, unknown> = {
    string: 'twelve',
    number: 12.5,
    boolean: true,
    array: ['twelve'],
    object: { twelve: 12 },
  };
  return Object.entries(all)
    .filter(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')))
    .map(([type, value]) => ({ what: `${type} in place of ${types.join('|')}`, value }));
}

/** Returns query texts that a parameter of this schema must reject. */
function faultyTexts(schema: Schema): Fault[] {
  const types = typesOf(schema);
  const texts: string[] = [];
  if (types.includes('integer') || types.includes('number'))
    texts.push('abc', '', '1e3', 'NaN', ' 1', '0x1', 'null');
  if (types.includes('integer')) texts.push('1.5', '9'.repeat(30));
  if (types.includes('boolean')) texts.push('yes', '1', 'TRUE', '');
  if (schema.enum && !types.includes('boolean')) texts.push('no-such-value', '');
  if (schema.format === 'uuid') texts.push('not-a-uuid', '', '0198a000-0000-7000-8000-0000000000010');
  if (schema.minimum !== undefined) texts.push(String(schema.minimum - 1));
  if (schema.maximum !== undefined) texts.push(String(schema.maximum + 1));
  if (schema.maxLength !== undefined) texts.push('x'.repeat(schema.maxLength + 1));
  return texts.map((value) => ({ what: `"${value.slice(0, 50)}"`, value }));
}

/*
 * Sends every kind of wrong value in every field of every operation through the validation that runs before the
 * handlers. test/end-to-end/http/refusals.test.ts tests how the errors are returned over HTTP.
 */

/** In this deployment, webhooks can be sent to https URLs only. */
const facts = {
  environment: 'production' as const,
  webhookTargets: { allowedRanges: [], allowedPorts: [], allowHttp: false },
};
const ofBody = (operation: Contract, text: string) =>
  parseSent(operation, readBodyInput(text, fieldsValidatedLater(operation)), facts);
/** Parses the text of a query in the same way as Express's simple parser. */
const ofQuery = (operation: Contract, text: string) =>
  parseSent(operation, readQueryInput(parse(text)), facts);

type Attempt = { what: string; parsed: ReturnType<typeof ofBody>; field: Path };

/** Returns a message for each attempt that was accepted or that was rejected with a wrong error. */
const validate = (attempts: readonly Attempt[]): string[] =>
  attempts.flatMap(({ field, what, parsed: { error } }) => {
    const body = error && errorBody(error, 'an-id');
    const said = `${wireName(field)}, ${what}: ${(JSON.stringify(body) ?? 'accepted').slice(0, 200)}`;
    if (error?.status !== 422 || body?.name !== wireName(field)) return [said];
    if (!Object.hasOwn(errorCodes, body.code)) return [`code of ${said}`];
    const { name, code, error: message } = body;
    if (!isDeepStrictEqual(body.errors[0], { name, code, error: message })) return [`errors of ${said}`];
    return isGoodMessage(message) ? [] : [`message of ${said}`];
  });

/** True if the message is one sentence without internal details. */
const isGoodMessage = (message: string): boolean =>
  message.length > 0 &&
  message.length <= 600 &&
  !message.includes('\n') &&
  !/select |insert |update .* set|constraint|node_modules|\.[jt]s:\d|\/(work|home|usr|tmp)\/|invalid input|^\W|expected|zod|undefined|\[object/i.test(
    message,
  );

/** Returns the operations of this method that have an input. */
const ofMethod = (...wanted: Contract['method'][]) =>
  allContracts
    .filter((each) => wanted.includes(each.method) && fieldsOf(inputSchema(each)).length > 0)
    .map((operation) => ({
      name: operation.name,
      operation,
      schema: inputSchema(operation),
      example: operation.example as Record<string, unknown>,
    }));

/** Operations that require no field but `merchant_id`, and whose calls must contain at least one of several fields. */
const takesOneOfSeveral = new Set(['webhook-delivery-replay', 'report-create']);

describe.each(ofMethod('POST'))('$name', ({ name, operation, schema, example }) => {
  /** Returns, for each wrong value of each field, the example of the operation with this value in the field. */
  const attemptsOf = (
    faultsOf: (schema: Schema, path: Path) => { what: string; value: unknown }[],
    inJson = (text: string) => text,
  ) =>
    fieldsOf(schema)
      .filter(({ path }) => path[0] !== 'merchant_id')
      .flatMap(({ path, schema: field }) =>
        faultsOf(field, path).map(({ what, value }): Attempt => {
          const body = inJson(JSON.stringify(putAt(example, schema, path, value)));
          return { field: path, what, parsed: ofBody(operation, body) };
        }),
      );

  it('rejects every field of a wrong type, range, length or vocabulary with its name', () => {
    const attempts = attemptsOf((field) => faultyValues(field));
    expect(attempts.length).toBeGreaterThan(5);
    expect(validate(attempts)).toEqual([]);
  });

  it('rejects NUL and half surrogates in any text with the field', () => {
    const texts = ['a\0b', 'a\ud800b'];
    expect(
      validate(attemptsOf(() => texts.map((value) => ({ what: JSON.stringify(value), value })))),
    ).toEqual([]);
  });

  it('rejects nesting over 32 levels, also 900', () => {
    const attempts = attemptsOf(
      (_field, path) =>
        (path.length === 1 ? [32, 900] : [33 - path.length]).map((depth) => ({
          what: `${depth} levels`,
          value: `deep ${depth}`,
        })),
      (json) => json.replace(/"deep (\d+)"/, (_marker, depth) => '['.repeat(+depth) + ']'.repeat(+depth)),
    );
    expect(validate(attempts.map((each) => ({ ...each, field: each.field.slice(0, 1) })))).toEqual([]);
  });

  it('names a required field that is missing', () => {
    const owners: { path: Path; schema: Schema }[] = [{ path: [], schema }, ...fieldsOf(schema)];
    const attempts = owners.flatMap(({ path, schema: owner }) =>
      (owner.required ?? []).map((required): Attempt => {
        const sample = path.length === 0 ? example : (sampleOf(owner) as Record<string, unknown>);
        const { [required]: _, ...less } = sample;
        const body = JSON.stringify(putAt(example, schema, path, less));
        return { field: [...path, required], what: 'missing', parsed: ofBody(operation, body) };
      }),
    );
    expect(attempts.length > 0).toBe(!takesOneOfSeveral.has(name));
    expect(validate(attempts)).toEqual([]);
  });

  it('ignores unknown keys, also __proto__ and constructor', () => {
    const text = JSON.stringify(example);
    const more = `"__proto__":{"status":5,"polluted":true},"constructor":{"prototype":5},"toString":1,"nothing":null,`;
    const plain = ofBody(operation, text);
    expect(plain.error).toBeUndefined();
    expect(ofBody(operation, `{${more}${text.slice(1)}`)).toEqual(plain);
  });
});

describe.each(ofMethod('GET', 'PUT'))('$name', ({ operation, schema, example }) => {
  const fields = Object.entries(schema.properties ?? {}).filter(([field]) => field !== 'merchant_id');
  const textOf = (query: Record<string, unknown>) =>
    new URLSearchParams(query as Record<string, string>).toString();
  const attempt = (field: string, what: string, query: string): Attempt => ({
    field: [field],
    what,
    parsed: ofQuery(operation, query),
  });

  it('rejects every parameter of a wrong form, range or vocabulary with its name', () => {
    const others = ['a\0b', 'x'.repeat(8_000)].map((value) => ({ what: value.slice(0, 20), value }));
    const attempts = fields.flatMap(([field, parameter]) =>
      [...faultyTexts(parameter), ...others].map(({ what, value }) =>
        attempt(field, what, textOf({ ...example, [field]: value })),
      ),
    );
    expect(validate(attempts)).toEqual([]);
  });

  it('rejects a repeated parameter with its name', () => {
    const attempts = fields.map(([field, parameter]) => {
      const twice = textOf({ [field]: sampleOf(parameter) });
      const { [field]: _, ...others } = example;
      return attempt(field, 'repeated', `${textOf(others)}&${twice}&${twice}`);
    });
    expect(validate(attempts)).toEqual([]);
  });

  it('names a required parameter that is missing', () => {
    const attempts = (schema.required ?? []).map((field) => {
      const { [field]: _, ...others } = example;
      return attempt(field, 'missing', textOf(others));
    });
    expect(validate(attempts)).toEqual([]);
  });

  it('ignores unknown parameters', () => {
    const plain = ofQuery(operation, textOf(example));
    expect(plain.error).toBeUndefined();
    const more = '&__proto__=1&constructor=2&hasOwnProperty=3&nothing';
    expect(ofQuery(operation, textOf(example) + more)).toEqual(plain);
  });
});
