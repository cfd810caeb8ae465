import { people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let recruiter: ConsoleClient;
let owner: ConsoleClient;
let manager: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  [recruiter, owner, manager] = await Promise.all([
    openConsole(platform, 'merchant'),
    openConsole(platform, 'merchant_owner'),
    openConsole(platform, 'merchant_selection'),
  ]);
});

const create = async (): Promise<string> => {
  const block = {
    id: 'completed',
    type: 'kpi',
    title: 'All',
    dataset: 'interview_results',
    measures: ['completed'],
  };
  const page = await recruiter.post('/console/reports/new', {
    definition: JSON.stringify({ schema: 'platform.report/v1', title: 'Mailed', blocks: [block] }),
    intent: 'publish',
  });
  expect(page.status).toBe(303);
  return page.headers.get('location') ?? '';
};
const formIn = (html: string) => ({ form_id: /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '' });
const weekly = { every: 'week', format: 'csv:completed', recipients: people.merchant_owner.id };
const scheduleIn = (html: string) => ({
  schedule_id: /name="schedule_id" value="([^"]+)"/.exec(html)?.[1] ?? '',
});

describe('the mails on the page of a report', () => {
  it('are added once by a form, and stopped', async () => {
    const address = await create();
    const { html } = await recruiter.get(address);
    expect(html).toContain(people.merchant_owner.name);
    const fields = { ...formIn(html), ...weekly };
    await recruiter.post(`${address}/mails`, fields);
    const added = await recruiter.submit(`${address}/mails`, fields);
    expect(added.html).toContain('Every week, CSV');
    expect(added.html.match(/mails\/stop/g)).toHaveLength(1);
    const stopped = await recruiter.submit(`${address}/mails/stop`, scheduleIn(added.html));
    expect(stopped.html).toContain('These mails are stopped.');
    expect(stopped.html).not.toContain('Every week, CSV');
  });

  it('say what is missing in the form, and keep what was chosen', async () => {
    const address = await create();
    const { html } = await recruiter.get(address);
    const fields = { ...formIn(html), every: 'month', format: 'csv:completed' };
    const page = await recruiter.post(`${address}/mails`, fields);
    expect([page.status, page.html]).toEqual([422, expect.stringContaining('recipients-error')]);
    expect(page.html).toMatch(/<option [^>]*value="month"[^>]* selected/);
    expect(page.html).toMatch(/<option [^>]*value="csv:completed"[^>]* selected/);
  });

  it('are not stopped by the form that adds them', async () => {
    const address = await create();
    const { html } = await recruiter.get(address);
    await recruiter.post(`${address}/mails`, { ...formIn(html), ...weekly });
    const off = { ...formIn((await recruiter.get(address)).html), ...weekly, every: 'off' };
    const page = await recruiter.post(`${address}/mails`, off);
    expect([page.status, page.html]).toEqual([422, expect.stringContaining('Every week, CSV')]);
    expect(page.html).toContain('Schedule must be one of: week, month.');
  });

  it('say why they are paused, and go on with the rights of somebody else', async () => {
    const address = await create();
    await recruiter.post(`${address}/mails`, { ...formIn((await recruiter.get(address)).html), ...weekly });
    const setDisabled = (at: string) =>
      platform.database.rows(`update profile set home_disabled_at = ${at} where id = $1`, [
        people.merchant.id,
      ]);
    await setDisabled('now()');
    const paused = await owner.get(address);
    expect(paused.html).toContain(`${people.merchant.name} can no longer sign in to this account.`);
    const taken = await owner.submit(`${address}/mails/take`, scheduleIn(paused.html));
    await setDisabled('null');
    expect(taken.html).toContain(`As ${people.merchant_owner.name} sees it`);
    expect(taken.html).not.toContain('Paused');
  });

  it('are not shown to hiring managers', async () => {
    const address = await create();
    await recruiter.post(`${address}/share`, { shared: 'true' });
    const { status, html } = await manager.get(address);
    expect([status, html.includes('Mail this report')]).toEqual([200, false]);
  });
});
