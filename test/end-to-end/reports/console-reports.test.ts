import { people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { createReport, firstNumber } from '../../harness/reports/report-calls';

let platform: Platform;
let owner: ConsoleClient;
let recruiter: ConsoleClient;
let manager: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  [owner, recruiter, manager] = await Promise.all([
    openConsole(platform, 'merchant_owner'),
    openConsole(platform, 'merchant'),
    openConsole(platform, 'merchant_selection'),
  ]);
});

const hiringMonth = '0198a000-0000-7000-8000-00000000c001';
describe('the list of reports', () => {
  it('has templates, which become reports, and finds reports by title', async () => {
    const templates = await recruiter.get('/console/reports?scope=templates');
    expect([templates.status, templates.html]).toEqual([200, expect.stringContaining('Hiring month')]);
    const copy = await recruiter.submit('/console/reports', { template_id: hiringMonth });
    expect(copy.html).toContain('Report created.');
    expect(copy.html).toContain('Completed interviews by week');

    await createReport(recruiter, 'Quarterly review');
    const found = await recruiter.get('/console/reports?filter_text=quarterly');
    expect(found.html).toContain('Quarterly review');
    expect(found.html).not.toContain('Hiring month');
    expect((await recruiter.get('/console/reports?filter_text=nothing-like-it')).html).toContain(
      'No reports match this search.',
    );
  });
});

describe('the page of a report', () => {
  it('shows every template with its data', async () => {
    const { html } = await owner.get('/console/reports?scope=templates');
    const addresses = [...html.matchAll(/href="(\/console\/reports\/0198a000[^"]+)"/g)].map(([, to]) => to);
    expect(addresses).toHaveLength(5);
    for (const address of addresses) {
      const page = await owner.get(String(address));
      expect([page.status, page.html]).toEqual([200, expect.stringContaining('report-grid')]);
      expect(page.html).not.toMatch(/NaN|undefined|style=|block-error/);
    }
  });

  it('takes filters from its address, and saves and resets those of the visitor', async () => {
    const address = await createReport(recruiter, 'Filtered');
    const all = firstNumber(await recruiter.get(address));
    expect(Number(all)).toBeGreaterThan(0);
    const custom = 'period=custom&from=2001-01-01&to=2001-01-31&interview_id=all&tests=without';
    const narrow = await recruiter.get(`${address}?${custom}`);
    expect(firstNumber(narrow)).toBe('0');
    expect(narrow.html).toContain('Jan 1 – Jan 31, 2001');
    expect(narrow.html).toMatch(/value="custom"\s+selected/);
    expect(narrow.html).toContain(`${address}/blocks/completed.csv?period=custom&amp;from=2001-01-01`);

    const fields = Object.fromEntries(new URLSearchParams(custom));
    await recruiter.post(`${address}/filters`, fields);
    expect(firstNumber(await recruiter.get(address))).toBe('0');
    expect(firstNumber(await owner.get(address))).toBe(all);
    const reset = await recruiter.submit(`${address}/filters`);
    expect([firstNumber(reset), reset.html]).toEqual([
      all,
      expect.stringContaining('Your filters were removed.'),
    ]);
  });

  it('is shared, made private, duplicated and archived', async () => {
    const address = await createReport(recruiter, 'Told to the team');
    expect((await manager.get(address)).status).toBe(404);
    await recruiter.post(`${address}/share`, { shared: 'true' });
    expect((await manager.get(address)).status).toBe(200);
    await recruiter.post(`${address}/share`, { shared: 'false' });
    expect((await manager.get(address)).status).toBe(404);
    const copy = await recruiter.submit(`${address}/duplicate`);
    expect(copy.html).toContain('Told to the team (copy)');
    await recruiter.post(`${address}/archive`);
    expect((await recruiter.get(address)).html).toContain('This report is archived');
    expect((await owner.get('/console/reports?scope=all')).html).not.toContain(`${address}"`);
  });

  it('is read only for a hiring manager, who may save own filters', async () => {
    const address = await createReport(recruiter, 'Shared with managers');
    await recruiter.post(`${address}/share`, { shared: 'true' });
    const { html } = await manager.get(address);
    for (const act of ['edit', 'share', 'archive', 'duplicate']) {
      expect(html).not.toContain(`${address}/${act}`);
      if (act !== 'edit') expect((await manager.post(`${address}/${act}`)).status).toBe(403);
    }
    expect((await manager.get(`${address}/edit`)).status).toBe(404);
    expect((await manager.get('/console/reports/new')).status).toBe(403);
    expect((await manager.post(`${address}/filters`, { period: 'today' })).status).toBe(303);
  });
});

const formIn = (html: string) => ({ form_id: /name="form_id" value="([^"]+)"/.exec(html)?.[1] ?? '' });
const weekly = { every: 'week', format: 'csv:completed', recipients: people.merchant_owner.id };
const scheduleIn = (html: string) => ({
  schedule_id: /name="schedule_id" value="([^"]+)"/.exec(html)?.[1] ?? '',
});

describe('the mails on the page of a report', () => {
  it('are added once by a form, and stopped', async () => {
    const address = await createReport(recruiter, 'Mailed');
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
});
