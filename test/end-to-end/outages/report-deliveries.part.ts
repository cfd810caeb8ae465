import { people } from '../../../local/seed/accounts';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { openDeliveries } from '../../harness/reports/deliveries';
import { waitFor } from '../../harness/wait-for';
import { outagePlatform } from './outage-platform';

let platform: Platform;
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

describe('a scheduled report whose worker is killed while it mails', () => {
  it('arrives once at each recipient', async () => {
    const report = await reports.create('Killed');
    const recipients = [people.merchant.id, people.merchant_owner.id, people.merchant_selection.id];
    const id = await reports.schedule(report, { recipients });
    await reports.until(id, 'running');
    // The first mail is sent. The provider delays its response to the second mail, and the worker is killed
    // meanwhile.
    await platform.fault({ provider: 'sendgrid', delay_ms: 1 });
    await platform.fault({ provider: 'sendgrid', ...held, status: 503 });
    const handle = await reports.trigger(id);
    await waitFor('the first mail', async () => {
      const sent = await platform.database.rows(`select from report_mail where state = 'sent'`);
      return sent.length === 1;
    });
    await platform.worker?.kill();
    await platform.clearFaults();
    await platform.startWorker();
    await handle.result();
    const arrived = (await reports.mailed('Killed')).map(({ to }) => to);
    expect(arrived.toSorted()).toEqual(
      [people.merchant, people.merchant_owner, people.merchant_selection]
        .map(({ email }) => email)
        .toSorted(),
    );
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent', message: 'Mailed to 3 people.' });
  });
});
