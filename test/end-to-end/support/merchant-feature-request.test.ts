import { people } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { featureCalls, boardUnavailable } from '../../harness/support/feature-calls';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

let features: ReturnType<typeof featureCalls>;
beforeAll(async () => {
  features = featureCalls(platform);
});
beforeEach(() => features.forget());
afterEach(() => platform.clearFaults());

describe('merchant-feature-request', () => {
  it('posts the trimmed request under the caller’s name, and says so', async () => {
    const reply = await features.ask(
      'Dark mode',
      {},
      { title: '  Dark mode ', description: ' For late hours. \n' },
    );
    expect(reply.status).toBe(200);
    const [row] = await features.rowsTitled('Dark mode');
    expect(reply.body).toEqual({ id: row?.id, status: 'posted' });
    expect(row).toMatchObject({ status: 'posted', merchant_id: platform.stack.merchant_id });
    expect(await features.postsTitled('Dark mode')).toEqual([
      {
        id: row?.post_id,
        author_email: people.merchant_owner.email,
        title: 'Dark mode',
        details: 'For late hours.',
      },
    ]);
    expect(JSON.stringify(await platform.fake('/posts'))).not.toMatch(/northwind talent/i);
  });
});

describe('the board fails', () => {
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
    it('posts but loses its response: is posted once all the same', async () => {
      await fault({ accept: true, reset: true });
      expect((await features.ask('A lost response')).status).toBe(200);
      await expectPostedOnce('A lost response');
    });

    it('is unavailable for five calls: counts none of them, and posts five more', async () => {
      await fault({ status: 401, times: 5 });
      for (let call = 0; call < 5; call++) await expectUnavailable(features.ask('Uncounted'), 'Uncounted');
      expect(await features.postsTitled('Uncounted')).toEqual([]);
      for (let call = 1; call <= 5; call++)
        expect((await features.ask(`Counted, no. ${call}`)).status).toBe(200);
      expect((await features.ask('Counted, no. 6')).status).toBe(429);
    });
  });
});
