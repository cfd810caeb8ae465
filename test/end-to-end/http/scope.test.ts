import type { Operation } from '../../../api/platform/operation/define-operation';
import { interviewId } from '../../../local/seed/fixed-id';
import { eachOf } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { errorBody } from '../../harness/platform/error-body';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { CallOptions, Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
const outsiders = ['user', 'mentor', 'candidate'] as const;
const tokenOf = new Map<string, string>();
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  for (const role of outsiders) tokenOf.set(role, (await signIn(platform, role)).access_token);
});

const isReadable = (operation: Operation) => operation.roles.includes('merchant_selection');
const unknownId = '0198ffff-0000-7000-8000-000000000000';
const exampleOf = (name: string) =>
  allOperations.find((each) => each.name === name)?.example as Record<string, unknown>;
/** Runs a check for every operation. A failure names the operation. */
const eachOperation = (
  check: (name: string, operation: Operation) => Promise<unknown>,
  operations: readonly Operation[] = allOperations,
) =>
  eachOf(
    operations.map(({ name }) => name),
    async (name) => check(name, operations.find((each) => each.name === name) as Operation),
  );

/** Calls an operation with the input of its example. `more` replaces fields of the input. */
function call(name: string, token: string, more: Record<string, unknown> = {}, options: CallOptions = {}) {
  const isGet = allOperations.some((each) => each.name === name && each.method === 'GET');
  const input = { ...exampleOf(name), ...more };
  return platform.call(name, {
    token,
    ...(isGet ? { query: input as Record<string, string> } : { body: input }),
    ...options,
  });
}
const read = (token: string, key: string, merchantId?: string, name = 'job-interview-get') =>
  call(name, token, {
    position_id: interviewId(key),
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
  });
const rename = (token: string, key: string, merchantId?: string) =>
  call('job-interview-update', token, {
    position_id: interviewId(key),
    code: 'scope-test',
    name: undefined,
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
  });
const seen = ({ status, body }: Reply) => [status, body.name];

const keys = () => [platform.stack.service_key, platform.stack.merchant_service_key];
const forPlatform = allOperations.filter(({ serviceKeys }) => serviceKeys === 'platform');
const forMerchants = allOperations.filter(({ serviceKeys }) => serviceKeys !== 'platform');

describe('every operation', () => {
  it('returns 403 for people without a role at a merchant, whatever the body', () =>
    eachOperation(async (name, { method }) => {
      for (const role of outsiders) {
        const token = tokenOf.get(role) ?? '';
        const replies = [await call(name, token)];
        if (method === 'POST' && role === 'user')
          replies.push(await platform.call(name, { token, rawBody: '{' }));
        for (const { status, body, headers } of replies) {
          expect(body).toEqual(errorBody('role_not_allowed', undefined, expect.stringContaining(role)));
          expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
        }
      }
    }));

  it('returns 403 for merchant_selection, unless the contract names this role', () =>
    eachOperation(async (name, operation) => {
      const token = platform.stack.tokens.merchant_selection;
      const { status } = await call(name, token);
      if (isReadable(operation)) return expect([200, 404]).toContain(status);
      expect(status).toBe(403);
      if (operation.method === 'POST')
        expect((await platform.call(name, { token, rawBody: '{' })).status).toBe(403);
    }));

  it('requires merchant_id from a service key and from an admin without a merchant', () =>
    eachOperation(async (name, { serviceKeys, needsMerchant }) => {
      for (const token of [...(serviceKeys ? keys() : []), platform.stack.tokens.admin]) {
        expect(seen(await call(name, token))).toEqual([422, 'merchant_id']);
        // For these operations, an admin needs no merchant, so the next call would get an error about another field.
        if (token === platform.stack.tokens.admin && needsMerchant === false) continue;
        // The scope is checked first, so the missing merchant_id is reported although other fields are wrong, too.
        const wrong = await call(name, token, { position_id: 'wrong', name: 5, limit: 'x' });
        expect(seen(wrong)).toEqual([422, 'merchant_id']);
      }
    }, forMerchants));

  it('requires a merchant_id that exists from whoever acts for the platform, unless it is about the whole platform', () =>
    eachOperation(async (name, { needsMerchant }) => {
      for (const token of [platform.stack.service_key, platform.stack.tokens.admin]) {
        // The example has an unknown id.
        const { status, body } = await call(name, token, { position_id: 'wrong', name: 5, limit: 'x' });
        const fields = needsMerchant === false ? expect.stringMatching(/^(?:name|limit)$/) : 'merchant_id';
        expect([status, body.name]).toEqual([422, fields]);
      }
    }, forPlatform));

  it('returns the same reply for an unreachable merchant as for an unknown one', () =>
    eachOperation(async (name, { serviceKeys }) => {
      const { merchant_service_key: key, other_merchant_id: other, tokens } = platform.stack;
      const ask = async (token: string, merchantId: string) => {
        const { status, text } = await call(name, token, { merchant_id: merchantId });
        return [status, text];
      };
      const unknown = [422, expect.stringContaining('"name":"merchant_id"')];
      if (serviceKeys === true) {
        const reply = await ask(key, unknownId);
        expect(reply).toEqual(unknown);
        expect(await ask(key, other)).toEqual(reply);
      }
      for (const strange of [unknownId, 'not-a-uuid'])
        expect(await ask(tokens.admin, strange)).toEqual(unknown);
      const operator = await ask(tokens.operator, unknownId);
      expect(operator[0]).toBe(403);
      expect(await ask(tokens.operator, other)).toEqual(operator);
    }));

  it('ignores merchant_id of all other callers', () =>
    eachOperation(async (name, { method }) => {
      const { tokens, other_merchant_id: other } = platform.stack;
      // All fields of a POST are invalid here, so the call stores nothing. The API checks the scope before it rejects
      // the fields.
      const wrong = Object.fromEntries(Object.keys(exampleOf(name)).map((field) => [field, {}]));
      const input = method === 'POST' ? wrong : {};
      const plain = await call(name, tokens.merchant, input);
      expect(plain.body.name).not.toBe('merchant_id');
      for (const merchantId of [other, 'garbage', ...(method === 'POST' ? [{}] : [])]) {
        const { status, body } = await call(name, tokens.merchant, { ...input, merchant_id: merchantId });
        expect([merchantId, status, comparable(body)]).toEqual([
          merchantId,
          plain.status,
          comparable(plain.body),
        ]);
      }
    }));

  it('returns 403 for a service key that it does not accept, whatever the body', () =>
    eachOperation(
      async (name, { method, serviceKeys }) => {
        for (const key of serviceKeys === 'platform' ? keys().slice(1) : keys()) {
          const bodies = [{}, { merchant_id: platform.stack.merchant_id }];
          for (const body of bodies) expect((await call(name, key, body)).status).toBe(403);
          if (method === 'POST')
            expect((await platform.call(name, { token: key, rawBody: '{' })).status).toBe(403);
        }
      },
      allOperations.filter(({ serviceKeys }) => serviceKeys !== true),
    ));
});

describe('the merchant of a call', () => {
  it('is any merchant that an admin names, and only that one', async () => {
    const { tokens, merchant_id: main, other_merchant_id: other, sub_merchant_id: sub } = platform.stack;
    expect((await read(tokens.admin, 'active', main)).status).toBe(200);
    expect((await read(tokens.admin, 'other', other)).status).toBe(200);
    expect((await read(tokens.admin, 'sub', sub.toUpperCase())).status).toBe(200);
    expect((await read(tokens.admin, 'active', other)).status).toBe(404);
    expect((await rename(tokens.admin, 'other', other)).status).toBe(200);
  });
});

/** Each cursor is sealed into another text. */
const comparable = (body: object): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'next_cursor' ? typeof value : value));
