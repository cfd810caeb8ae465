import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { positionIds } from '../../../local/seed/fixed-id';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { createReport, firstNumber } from '../../harness/reports/console-builder';
import { waitFor } from '../../harness/wait-for';

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

  it('has a tab of all reports for owners only, and no private ones of others', async () => {
    await createReport(recruiter, 'Private numbers');
    expect((await owner.get('/console/reports?scope=all')).html).toContain('Private numbers');
    const { html } = await manager.get('/console/reports');
    expect(html).not.toContain('scope=all');
    expect(html).not.toContain('Private numbers');
    expect((await recruiter.get('/console/reports?scope=nonsense')).status).toBe(422);
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

  it.each([
    ['period=custom&from=2026-02-30&to=2026-03-01', 'from-error'],
    ['period=someday', 'period-error'],
    ['period=today&interview_id=nonsense', 'interview_id-error'],
  ])('shows the error of %s at its field', async (query, id) => {
    const page = await recruiter.get(`${await createReport(recruiter, 'Wrong filters')}?${query}`);
    expect([page.status, page.html]).toEqual([422, expect.stringContaining(`id="${id}"`)]);
  });

  it('filters by position, and says what its numbers mean', async () => {
    const address = await createReport(recruiter, 'By position');
    const { html } = await recruiter.get(`${address}?period=all_time&position_id=${positionIds.main}`);
    expect(html).toContain(`value="${positionIds.main}" selected`);
    expect(html).toContain(`position_id=${positionIds.main}`);
    expect(firstNumber({ html })).toBe('0');
    expect(html).toContain('Attempts that were completed, also those that ended early.');
  });

  it('ends its query when the visitor leaves', async () => {
    const address = await createReport(recruiter, 'Slow');
    const lock = new Client({ connectionString: platform.database.adminUrl });
    await lock.connect();
    const waiting = () =>
      platform.database.rows(
        `select from pg_stat_activity
         where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'`,
      );
    try {
      // The inserted row invalidates the cached result of the report. Otherwise the page would show the cached rows
      // and not wait for the lock.
      await platform.database.rows('insert into report_change (merchant_id) values ($1)', [
        platform.stack.merchant_id,
      ]);
      await lock.query('begin; lock table report_attempt in access exclusive mode');
      const leave = new AbortController();
      const cookie = [...recruiter.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const page = fetch(new URL(address, platform.stack.origin), {
        headers: { cookie },
        signal: leave.signal,
      });
      await waitFor('the query to wait', async () => (await waiting()).length > 0);
      leave.abort();
      await expect(page).rejects.toThrow('aborted');
      await waitFor('the query to end', async () => (await waiting()).length === 0);
    } finally {
      await lock.end();
    }
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

  it('returns a 404 for reports of others and unknown ids', async () => {
    const other = await openConsole(platform, 'other_merchant_owner');
    const address = await createReport(recruiter, 'Ours');
    for (const path of [address, `${address}/edit`, `${address}/blocks/completed.csv`])
      expect((await other.get(path)).status).toBe(404);
    for (const act of ['archive', 'share', 'duplicate', 'filters'])
      expect((await other.post(`${address}/${act}`, { shared: 'true' })).status).toBe(404);
    expect((await recruiter.get(`/console/reports/${randomUUID()}`)).status).toBe(404);
  });

  it('shows the sentence of an account without custom reports', async () => {
    const setReports = (isOn: boolean) =>
      platform.database.rows('update merchant set reports_enabled = $1 where id = $2', [
        isOn,
        platform.stack.merchant_id,
      ]);
    await setReports(false);
    try {
      for (const path of ['/console/reports', `/console/reports/${hiringMonth}`]) {
        const page = await recruiter.get(path);
        expect([page.status, page.html]).toEqual([
          403,
          expect.stringContaining('Custom reports are not enabled for this account.'),
        ]);
      }
    } finally {
      await setReports(true);
    }
  });
});

describe('the CSV of a block', () => {
  it('has a byte order mark, and no text that is a formula', async () => {
    await platform.database.rows(
      `update interview set name = '=HYPERLINK("https://evil.example")' where id =
         (select interview_id from report_attempt where merchant_id = $1 and environment = 'production' and not is_test limit 1)`,
      [platform.stack.merchant_id],
    );
    const table = {
      id: 'names',
      type: 'table',
      dataset: 'interview_results',
      dimensions: ['interview_name'],
      measures: ['started'],
      limit: 500,
    };
    const address = await createReport(recruiter, 'Export', [
      table,
      { id: 'note', type: 'text', content_md: 'Note' },
    ]);
    const file = await recruiter.get(`${address}/blocks/names.csv`);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toBe('attachment; filename=Export-names.csv');
    expect(file.html).toContain(`"'=HYPERLINK(""https://evil.example"")",`);
    expect(file.html.split('\r\n').length).toBeGreaterThan(2);
    expect((await recruiter.get(`${address}/blocks/note.csv`)).status).toBe(404);
    expect((await recruiter.get(`${address}/blocks/other.csv`)).status).toBe(404);
  });
});
