import type { Operation } from '../../../api/platform/operation/define-operation';
import { eachOf } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

/*
 * Tests what is checked before the fields of a call. Who may call which operation about which merchant is tested in
 * test/db/platform/scope.test.ts.
 */

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

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
function call(name: string, token: string, more: Record<string, unknown> = {}) {
  const isGet = allOperations.some((each) => each.name === name && each.method === 'GET');
  const input = { ...exampleOf(name), ...more };
  return platform.call(name, {
    token,
    ...(isGet ? { query: input as Record<string, string> } : { body: input }),
  });
}
const seen = ({ status, body }: Reply) => [status, body.name];
const keys = () => [platform.stack.service_key, platform.stack.merchant_service_key];
const forPlatform = allOperations.filter(({ serviceKeys }) => serviceKeys === 'platform');
const forMerchants = allOperations.filter(({ serviceKeys }) => serviceKeys !== 'platform');

describe('every operation', () => {
  it('returns 403 to callers without a right to it before it reads the body', async () => {
    const { service_key, merchant_service_key, tokens } = platform.stack;
    const outsider = (await signIn(platform, 'user')).access_token;
    const changes = allOperations.filter(({ method }) => method === 'POST');
    await eachOf(changes, async ({ name, roles, serviceKeys }) => {
      const callers = [outsider];
      if (!roles.includes('merchant_selection')) callers.push(tokens.merchant_selection);
      if (!serviceKeys) callers.push(service_key);
      if (serviceKeys !== true) callers.push(merchant_service_key);
      for (const token of callers) {
        const { status, headers } = await platform.call(name, { token, rawBody: '{' });
        expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
      }
    });
  });

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
});

/** Each cursor is sealed into another text. */
const comparable = (body: object): unknown =>
  JSON.parse(JSON.stringify(body), (key, value: unknown) => (key === 'next_cursor' ? typeof value : value));
