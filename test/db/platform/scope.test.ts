import type { Operation } from '../../../api/platform/operation/define-operation';
import { eachOf } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { errorBody } from '../../harness/platform/error-body';
import { allOperations } from '../../harness/platform/operation-inputs';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
const outsiders = ['user', 'mentor', 'candidate'] as const;
const tokenOf = new Map<string, string>();
beforeAll(async () => {
  platform = await openOperations();
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
function call(name: string, token: string, more: Record<string, unknown> = {}) {
  const isGet = allOperations.some((each) => each.name === name && each.method === 'GET');
  const input = { ...exampleOf(name), ...more };
  return platform.call(name, {
    token,
    ...(isGet ? { query: input as Record<string, string> } : { body: input }),
  });
}
const keys = () => [platform.stack.service_key, platform.stack.merchant_service_key];

describe('every operation', () => {
  it('returns 403 for people without a role at a merchant', () =>
    eachOperation(async (name) => {
      for (const role of outsiders) {
        const { status, body } = await call(name, tokenOf.get(role) ?? '');
        expect([status, body]).toEqual([
          403,
          errorBody('role_not_allowed', undefined, expect.stringContaining(role)),
        ]);
      }
    }));

  it('returns 403 for merchant_selection, unless the contract names this role', () =>
    eachOperation(async (name, operation) => {
      const { status } = await call(name, platform.stack.tokens.merchant_selection);
      expect(isReadable(operation) ? [200, 404] : [403]).toContain(status);
    }));

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

  it('returns 403 for a service key that it does not accept', () =>
    eachOperation(
      async (name, { serviceKeys }) => {
        for (const key of serviceKeys === 'platform' ? keys().slice(1) : keys())
          for (const body of [{}, { merchant_id: platform.stack.merchant_id }])
            expect((await call(name, key, body)).status).toBe(403);
      },
      allOperations.filter(({ serviceKeys }) => serviceKeys !== true),
    ));
});
