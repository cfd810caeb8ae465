import { makeDirectory, openPage } from '../../harness/catalogue/catalogue-rows';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

describe('visitors of a catalogue, however many', () => {
  it('leave connections to the API, and get a 503 when too many wait', async () => {
    await makeDirectory(platform.database, 'a', {});
    const { rows } = platform.database;
    await rows('begin');
    await rows('lock table catalogue_directory in access exclusive mode');
    try {
      const visits = Array.from({ length: 80 }, () => openPage(platform, '/catalogue/a'));
      const refused = await Promise.any(
        visits.map(async (visit) => {
          const { status, headers } = await visit;
          return [status, headers.get('retry-after')];
        }),
      );
      expect(refused).toEqual([503, '5']);
      for (const _ of [1, 2, 3]) expect((await platform.call('merchant-status')).status).toBe(200);
      await rows('rollback');
      const statuses = (await Promise.all(visits)).map(({ status }) => status);
      expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([]);
      expect(statuses).toContain(200);
      expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(15);
    } finally {
      await rows('rollback');
    }
    expect((await openPage(platform, '/catalogue/a')).status).toBe(200);
  });
});
