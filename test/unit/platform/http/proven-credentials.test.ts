import type { OperationDeps } from '../../../../api/deps';
import { callerAccess } from '../../../../api/platform/http/access';
import type { Credential } from '../../../../api/platform/http/credential';
import { createProvenCredentials } from '../../../../api/platform/http/proven-credentials';
import { webhookEndpointDelete } from '../../../../api/webhooks/webhook-endpoint-delete';
import { limitsWithoutDatabase } from '../../../harness/platform/limits';

const key = (keyHash: string): Credential => ({ kind: 'service_key', keyHash, environment: 'production' });
const refusal = (code: string) => Object.assign(new Error('refused'), { code, severity: 'ERROR' });

describe('createProvenCredentials', () => {
  it('recognizes noted credentials until they are forgotten', () => {
    const proven = createProvenCredentials();
    proven.note(key('a'), null);
    expect([proven.has(key('a')), proven.has(key('b'))]).toEqual([true, false]);
    proven.forget(key('a'));
    expect(proven.has(key('a'))).toBe(false);
  });

  it('returns the merchant of the last call that proved the credential', () => {
    const proven = createProvenCredentials();
    expect(proven.merchantOf(key('a'))).toBeNull();
    proven.note(key('a'), 'first');
    proven.note(key('a'), 'second');
    expect(proven.merchantOf(key('a'))).toBe('second');
    proven.note(key('a'), null);
    expect([proven.has(key('a')), proven.merchantOf(key('a'))]).toEqual([true, null]);
  });

  it('distinguishes keys of different environments', () => {
    const proven = createProvenCredentials();
    proven.note(key('a'), null);
    expect(proven.has({ kind: 'service_key', keyHash: 'a', environment: 'uat' })).toBe(false);
  });
});

describe('callerAccess', () => {
  const prove = (code: string | undefined) => {
    const read = () => (code === undefined ? Promise.resolve() : Promise.reject(refusal(code)));
    const access = callerAccess(
      { database: { read }, proven: createProvenCredentials() } as unknown as OperationDeps,
      webhookEndpointDelete,
      limitsWithoutDatabase()('call', 0),
    );
    const caller = access.toCaller(key('a'), { databaseMs: 0, merchantId: null, callerId: null });
    return access.prove(key('a'), caller).then(
      () => 'passes',
      () => 'throws',
    );
  };

  it.each([
    ['the scope is granted', undefined, 'passes'],
    // PA422 means that the database knows the credential and only the merchant is missing.
    ['the merchant is missing', 'PA422', 'passes'],
    ['the role is refused at the home merchant', 'PA403', 'passes'],
    ['the credential is unknown', 'PA401', 'throws'],
    ['the database is away', '57P01', 'throws'],
  ])('proves or rejects the credential when %s', async (_what, code, expected) => {
    expect(await prove(code)).toEqual(expected);
  });
});
