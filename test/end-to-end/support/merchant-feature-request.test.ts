import { people } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { featureCalls } from '../../harness/support/feature-calls';

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
