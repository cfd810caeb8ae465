import { boardUnavailable, featureCalls } from '../../harness/feature-calls';
import { waitFor } from '../../harness/wait-for';
import { held } from '../../harness/platform';
import { sharedPlatform } from '../../harness/shared-platform';
import type { Platform } from '../../harness/platform';

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
  it.each([
    ['answers 500 twice', { status: 500, times: 2 }],
    ['answers 429 and asks to wait', { status: 429, headers: { 'retry-after': '1' } }],
    ['sends broken JSON twice', { malformed: true, times: 2 }],
    ['closes the connection twice', { reset: true, times: 2 }],
    ['hangs for a while', { delay_ms: 30_000 }],
    ['loses an answer', { accept: true, reset: true }],
    ['breaks an answer', { accept: true, malformed: true }],
    ['fails after it was done', { accept: true, status: 502 }],
  ])('%s: posted all the same, once', async (situation, asked) => {
    await fault(asked);
    expect((await features.ask(situation)).status).toBe(200);
    await expectPostedOnce(situation);
  });

  it('takes 6 seconds to create it, longer than a look may take: waited for, one post', async () => {
    await features.faultAtCreation({ delay_ms: 6_000 });
    expect((await features.ask('A slow one')).status).toBe(200);
    await expectPostedOnce('A slow one');
  });

  it.each([
    ['answers 500 only', { status: 500, times: 1_000 }],
    ['answers 429 and asks to wait for a minute', { status: 429, headers: { 'retry-after': '60' } }],
    ['refuses the key', { status: 401 }],
    ['sends broken JSON only', { malformed: true, times: 1_000 }],
    ['closes every connection', { reset: true, times: 1_000 }],
    ['hangs', { delay_ms: 60_000, times: 1_000 }],
  ])('%s: 503, nothing stored', async (situation, asked) => {
    await fault(asked);
    await expectUnavailable(features.ask(situation), situation);
    expect(await features.postsTitled(situation)).toEqual([]);
  });

  it('is away for five calls: none is counted, five more are posted', async () => {
    await fault({ status: 401, times: 5 });
    for (let call = 0; call < 5; call++) await expectUnavailable(features.ask('Uncounted'), 'Uncounted');
    for (let call = 1; call <= 5; call++)
      expect((await features.ask(`Counted, no. ${call}`)).status).toBe(200);
    expect((await features.ask('Counted, no. 6')).status).toBe(429);
  });

  it('has it although the call was 503: the next one of that title finds it, one post', async () => {
    await fault({ accept: true, status: 401 });
    await expectUnavailable(features.ask('Asked for again'), 'Asked for again');
    expect(await features.postsTitled('Asked for again')).toHaveLength(1);
    const headers = { 'idempotency-key': 'asked again' };
    expect((await features.ask('Asked for again', { headers })).status).toBe(200);
    await expectPostedOnce('Asked for again');
  });

  it('fails a call with an Idempotency-Key: the key is free, the same call succeeds', async () => {
    const headers = { 'idempotency-key': 'failed first' };
    await fault({ status: 401 });
    await expectUnavailable(features.ask('With a key', { headers }), 'With a key');
    expect((await features.ask('With a key', { headers })).status).toBe(200);
    await expectPostedOnce('With a key');
  });
});

describe('merchant-feature-request when', () => {
  it('the worker is killed between post and record: another one finds the post and records it', async () => {
    await fault({ accept: true, delay_ms: 60_000 });
    const asking = features.ask('A killed worker');
    await waitFor('the post', async () => (await features.postsTitled('A killed worker')).length === 1);
    await platform.worker?.kill();
    await platform.startWorker();
    // On a machine on which a worker takes longer to start than the call has time, its caller asks again.
    if ((await asking).status !== 200) expect((await features.ask('A killed worker')).status).toBe(200);
    await expectPostedOnce('A killed worker');
  });

  it('the API is killed meanwhile: the workflow ends by itself, and the same call finds it done', async () => {
    await features.faultAtCreation(held);
    const call = { headers: { 'idempotency-key': 'api killed' } };
    const asking = features.ask('A killed API', call);
    asking.catch(() => undefined);
    await waitFor('the board being asked', async () => (await platform.faultsLeft()) < held.times);
    await platform.api.kill();
    await expect(asking).rejects.toThrow('fetch failed');
    await platform.clearFaults();
    await waitFor(
      'the post',
      async () => (await features.rowsTitled('A killed API'))[0]?.status === 'posted',
    );
    await platform.startApi();
    // Its lease is over.
    await platform.database.rows(`update idempotency_key set lease_until = now() where key = 'api killed'`);
    const again = await features.ask('A killed API', call);
    expect(again.status).toBe(200);
    await expectPostedOnce('A killed API');
    expect(again.body['id']).toBe((await features.rowsTitled('A killed API'))[0]?.id);
  });
});
