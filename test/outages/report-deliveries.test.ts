import type { OwnPlatform } from '../harness/platform/start-platform';
import { openDeliveries } from '../harness/reports/deliveries';
import { waitFor } from '../harness/wait-for';
import { outagePlatform } from './outage-platform';

let platform: OwnPlatform;
let door: Awaited<ReturnType<typeof outagePlatform>>['door'];
let reports: Awaited<ReturnType<typeof openDeliveries>>;
beforeAll(async () => {
  ({ platform, door } = await outagePlatform());
  reports = await openDeliveries(platform);
});
afterAll(() => reports.close());

describe('report-schedule while Temporal is away', () => {
  it('stores what is asked, and Temporal has it when it is back', async () => {
    const report = await reports.create('Away');
    const stopped = await reports.schedule(report);
    await reports.until(stopped, 'running');
    await door.close();
    const added = await reports.schedule(report, { every: 'month' });
    expect(
      (await reports.post('report-schedule', { id: report, every: 'off', schedule_id: stopped })).status,
    ).toBe(200);
    await waitFor('an attempt', async () => {
      const rows = await platform.database.rows(
        `select from workflow_start where workflow_type = 'reportDelivery' and attempts > 0`,
      );
      return rows.length > 0;
    });
    await door.open();
    await reports.until(added, 'running');
    await reports.until(stopped, 'none');
  });
});
