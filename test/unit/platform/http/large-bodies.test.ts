import type { Credential } from '../../../../api/platform/http/credential';
import { bodyLaneOf, readInTurn } from '../../../../api/platform/http/large-bodies';

const person = (sessionId: string, merchantId: string) =>
  ({ kind: 'user_session', sessionId, merchantId }) as Credential & { kind: 'user_session' };
const key: Credential = { kind: 'service_key', keyHash: 'hash', environment: 'production' };
const large = { 'content-length': '65537' };

/**
 * Returns `begin`, which waits for a turn to read a body. When the read starts, its name is added to `begun`, and a
 * function that ends the read is added to `ends`.
 */
const open = () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (
    name: string,
    credential: Credential,
    headers: Record<string, string> = large,
    provenMerchant: string | null = 'merchantId' in credential ? credential.merchantId : null,
  ) =>
    readInTurn({ headers }, bodyLaneOf(credential, provenMerchant), () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  return { begun, ends, begin };
};

describe('the bodies of requests', () => {
  it('are read two at a time for each merchant and key if they are large or of unknown length', async () => {
    const { begun, ends, begin } = open();
    const all = [
      begin('a1', person('s1', 'a')),
      begin('a2', person('s2', 'a'), {}),
      begin('a3', person('s3', 'a')),
      begin('small', person('s3', 'a'), { 'content-length': '65536' }),
      begin('b1', person('s4', 'b')),
      begin('key1', key),
    ];
    expect(begun).toEqual(['a1', 'a2', 'small', 'b1', 'key1']);
    ends[0]?.();
    await all[0];
    expect(begun.at(-1)).toBe('a3');
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('are counted for the merchant that has let the session in, and not for the one in its token', async () => {
    const { begun, ends, begin } = open();
    const all = [
      begin('withdrawn', person('s1', 'a'), large, null),
      begin('withdrawn too', person('s1', 'a'), large, null),
      begin('third', person('s1', 'a'), large, null),
      begin('guest of b', person('s2', 'a'), large, 'b'),
      begin('a1', person('s3', 'a')),
      begin('a2', person('s4', 'a')),
      begin('b2', person('s5', 'b')),
      begin('b3', person('s6', 'b')),
    ];
    expect(begun).toEqual(['withdrawn', 'withdrawn too', 'guest of b', 'a1', 'a2', 'b2']);
    for (const _ of all) {
      for (const end of ends) end();
      await new Promise(setImmediate);
    }
    await Promise.all(all);
    expect(begun).toHaveLength(all.length);
  });

  it('get a 503 at once if 50 of the merchant wait', async () => {
    const { ends, begin } = open();
    const all = Array.from({ length: 52 }, (_, index) => begin('one', person(`s${index}`, 'a')));
    await expect(begin('refused', person('last', 'a'))).rejects.toMatchObject({
      status: 503,
      code: 'overloaded',
    });
    const done = Promise.all(all);
    for (const _ of all) {
      for (const end of ends) end();
      await new Promise(setImmediate);
    }
    await done;
  });
});
