import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { createLimits } from '../../../../api/platform/http/rate-limit';
import type { Limit } from '../../../../api/platform/http/rate-limit';
import { clientNetwork } from '../../../../api/platform/text/ip-address';
import { limitsWithoutDatabase } from '../../../harness/platform/limits';

const newResponse = () => new ServerResponse({ method: 'GET' } as IncomingMessage) as unknown as Response;
const take = (limit: Limit, key = 'a', points = 1) => limit.take(key, newResponse(), points);
const refused = { code: 'rate_limited', retryAfterSeconds: expect.any(Number) };

describe('a limit without a database', () => {
  it('counts each key by itself in this process, and refunds points once', async () => {
    const limit = limitsWithoutDatabase()('any', 3);
    const refund = await take(limit);
    await Promise.all([take(limit), take(limit)]);
    await expect(take(limit)).rejects.toMatchObject(refused);
    await take(limit, 'b', 3);
    refund();
    refund();
    await take(limit);
    await expect(take(limit)).rejects.toMatchObject(refused);
  });

  it('continues with the points that were left when the database went away', async () => {
    const grants = [{ granted: 1, remaining: 2, ends_in_ms: 60_000 }];
    const write = async () => {
      const grant = grants.pop();
      if (!grant) throw new Error('Postgres is away');
      return [grant] as never;
    };
    const limit = createLimits({ write }, { warn: () => undefined })('any', 10);
    for (let count = 1; count <= 3; count++) await take(limit);
    await expect(take(limit)).rejects.toMatchObject(refused);
  });

  it('sends where the key stands', async () => {
    const limit = limitsWithoutDatabase()('any', 5);
    const response = newResponse();
    await limit.take('a', response, 2);
    const { 'ratelimit-reset': reset, ...others } = response.getHeaders();
    expect(others).toEqual({
      'ratelimit-policy': '5;w=60',
      'ratelimit-limit': '5',
      'ratelimit-remaining': '3',
    });
    expect(Number(reset)).toBeLessThanOrEqual(60);
  });
});

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.4', '::ffff:203.0.113.4', '203.0.113.5'],
    ['2001:db8:0:1::1', '2001:DB8:0:1:ffff::2', '2001:db8:0:2::1'],
    ['fe80::1%eth0', 'fe80::2', 'fe80:0:0:1::1'],
  ])('is the same for %s and %s, and another one for %s', (one, same, other) => {
    expect(clientNetwork(same)).toBe(clientNetwork(one));
    expect(clientNetwork(other)).not.toBe(clientNetwork(one));
  });
});
