import type { Credential } from '../../../../api/platform/http/credential';
import { proveCredential } from '../../../../api/platform/http/prove-credential';
import { rememberProven } from '../../../../api/platform/http/proven-credentials';
import { webhookEndpointDelete } from '../../../../api/webhooks/webhook-endpoint-delete';

const key = (keyHash: string): Credential => ({ kind: 'service_key', keyHash, environment: 'production' });
const refusal = (code: string) => Object.assign(new Error('refused'), { code, severity: 'ERROR' });
const databaseThat = (answer: () => Promise<undefined>) => ({ read: answer as never });

describe('rememberProven', () => {
  it('recognizes noted credentials until they are forgotten', () => {
    const proven = rememberProven();
    proven.note(key('a'), null);
    expect([proven.has(key('a')), proven.has(key('b'))]).toEqual([true, false]);
    proven.forget(key('a'));
    expect(proven.has(key('a'))).toBe(false);
  });

  it('returns the merchant of the last call that proved the credential', () => {
    const proven = rememberProven();
    expect(proven.merchantOf(key('a'))).toBeNull();
    proven.note(key('a'), 'first');
    proven.note(key('a'), 'second');
    expect(proven.merchantOf(key('a'))).toBe('second');
    proven.note(key('a'), null);
    expect([proven.has(key('a')), proven.merchantOf(key('a'))]).toEqual([true, null]);
  });

  it('distinguishes keys of different environments', () => {
    const proven = rememberProven();
    proven.note(key('a'), null);
    expect(proven.has({ kind: 'service_key', keyHash: 'a', environment: 'uat' })).toBe(false);
  });
});

describe('proveCredential', () => {
  const prove = async (code: string | undefined) => {
    const proven = rememberProven();
    const database = databaseThat(() =>
      code === undefined ? Promise.resolve(undefined) : Promise.reject(refusal(code)),
    );
    const outcome = await proveCredential({ database, proven }, key('a'), webhookEndpointDelete).then(
      () => 'passes',
      () => 'throws',
    );
    return [outcome, proven.has(key('a'))];
  };

  it.each([
    ['the scope is granted', undefined, ['passes', true]],
    // PA422 means that the database knows the credential and only the merchant is missing.
    ['the merchant is missing', 'PA422', ['passes', true]],
    ['the role is refused at the home merchant', 'PA403', ['passes', true]],
    ['the credential is unknown', 'PA401', ['throws', false]],
    ['the database is away', '57P01', ['throws', false]],
  ])('proves or rejects the credential when %s', async (_what, code, expected) => {
    expect(await prove(code)).toEqual(expected);
  });
});
