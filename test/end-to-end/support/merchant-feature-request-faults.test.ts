import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { boardUnavailable, featureCalls } from '../../harness/support/feature-calls';

let platform: Platform;
let features: ReturnType<typeof featureCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  features = featureCalls(platform);
});
beforeEach(() => features.forget());
afterEach(() => platform.clearFaults());

const fault = (asked: Record<string, unknown>) => platform.fault({ provider: 'board', ...asked });
async function expectPostedOnce(title: string) {
  const posts = await features.postsTitled(title);
  const rows = await features.rowsTitled(title);
  expect(posts).toHaveLength(1);
  expect(rows).toEqual([expect.objectContaining({ status: 'posted', post_id: posts[0]?.id })]);
}
async function expectUnavailable(asking: ReturnType<typeof features.ask>, title: string) {
  const refused = await asking;
  expect([refused.status, refused.body]).toEqual([503, boardUnavailable]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await features.rowsTitled(title)).toEqual([]);
}

describe('merchant-feature-request when the board', () => {
  // Other errors of the board are tested in test/activities/support/feature-requests.test.ts.
  it.each([
    ['responds with 500 twice', { status: 500, times: 2 }],
    ['posts but loses its response', { accept: true, reset: true }],
  ])('%s: is posted once all the same', async (situation, asked) => {
    await fault(asked);
    expect((await features.ask(situation)).status).toBe(200);
    await expectPostedOnce(situation);
  });

  it.each([
    ['responds with 500 only', { status: 500, times: 1_000 }],
    ['rejects the key', { status: 401 }],
  ])('%s: returns 503 and stores nothing', async (situation, asked) => {
    await fault(asked);
    await expectUnavailable(features.ask(situation), situation);
    expect(await features.postsTitled(situation)).toEqual([]);
  });

  it('is unavailable for five calls: counts none of them, and posts five more', async () => {
    await fault({ status: 401, times: 5 });
    for (let call = 0; call < 5; call++) await expectUnavailable(features.ask('Uncounted'), 'Uncounted');
    for (let call = 1; call <= 5; call++)
      expect((await features.ask(`Counted, no. ${call}`)).status).toBe(200);
    expect((await features.ask('Counted, no. 6')).status).toBe(429);
  });

  it('has posted although the call was a 503: finds the post in the next call of that title', async () => {
    await fault({ accept: true, status: 401 });
    await expectUnavailable(features.ask('Asked for again'), 'Asked for again');
    expect(await features.postsTitled('Asked for again')).toHaveLength(1);
    const headers = { 'idempotency-key': 'asked again' };
    expect((await features.ask('Asked for again', { headers })).status).toBe(200);
    await expectPostedOnce('Asked for again');
  });

  it('fails a call with an Idempotency-Key: releases the key, and the same call succeeds', async () => {
    const headers = { 'idempotency-key': 'failed first' };
    await fault({ status: 401 });
    await expectUnavailable(features.ask('With a key', { headers }), 'With a key');
    expect((await features.ask('With a key', { headers })).status).toBe(200);
    await expectPostedOnce('With a key');
  });
});
