import { people } from '../../../local/seed/accounts';
import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient, ConsolePage } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { completed, definitionOf } from '../../harness/reports/report-definition';

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

const jsonOf = (title: string, blocks?: unknown[]) => JSON.stringify(definitionOf(title, blocks));
/** Creates a report in the builder, and returns the address of its page. */
async function create(title: string): Promise<string> {
  const fields = { definition: jsonOf(title), intent: 'publish' };
  const page = await recruiter.post('/console/reports/new', fields);
  expect(page.status).toBe(303);
  return page.headers.get('location') ?? '';
}
/** Returns the number in the first card of a page. */
const firstNumber = ({ html }: ConsolePage) => /kpi-value">([^<]+)</.exec(html)?.[1];

describe('the list of reports', () => {
  it('has templates, which show data and become reports, and finds reports by title', async () => {
    const templates = await recruiter.get('/console/reports?scope=templates');
    const addresses = [...templates.html.matchAll(/href="(\/console\/reports\/0198a000[^"]+)"/g)];
    expect([templates.status, addresses.length]).toEqual([200, 5]);
    for (const [, address = ''] of addresses) {
      const page = await owner.get(address);
      expect([page.status, page.html]).toEqual([200, expect.stringContaining('report-grid')]);
      expect(page.html).not.toMatch(/NaN|undefined|style=|block-error/);
    }
    const template_id = addresses[0]?.[1]?.split('/').at(-1) ?? '';
    const copy = await recruiter.submit('/console/reports', { template_id });
    expect(copy.html).toContain('Report created.');
    expect(copy.html).toContain('Completed interviews by week');

    await create('Quarterly review');
    const found = await recruiter.get('/console/reports?filter_text=quarterly');
    expect(found.html).toContain('Quarterly review');
    expect(found.html).not.toContain('Hiring month');
    expect((await recruiter.get('/console/reports?filter_text=nothing-like-it')).html).toContain(
      'No reports match this search.',
    );
  });
});

describe('the page of a report', () => {
  it('takes filters from its address, and saves and resets those of the visitor', async () => {
    const address = await create('Filtered');
    await recruiter.post(`${address}/share`, { shared: 'true' });
    const all = firstNumber(await recruiter.get(address));
    expect(Number(all)).toBeGreaterThan(0);
    const custom = 'period=custom&from=2001-01-01&to=2001-01-31&interview_id=all&tests=without';
    const narrow = await recruiter.get(`${address}?${custom}`);
    expect(firstNumber(narrow)).toBe('0');
    expect(narrow.html).toContain('Jan 1 – Jan 31, 2001');
    expect(narrow.html).toMatch(/value="custom"\s+selected/);
    expect(narrow.html).toContain(`${address}/blocks/completed.csv?period=custom&amp;from=2001-01-01`);

    const fields = Object.fromEntries(new URLSearchParams(custom));
    expect((await manager.post(`${address}/filters`, { period: 'today' })).status).toBe(303);
    await recruiter.post(`${address}/filters`, fields);
    expect(firstNumber(await recruiter.get(address))).toBe('0');
    expect(firstNumber(await owner.get(address))).toBe(all);
    const reset = await recruiter.submit(`${address}/filters`);
    expect(firstNumber(reset)).toBe(all);
    expect(reset.html).toContain('Your filters were removed.');
  });

  it('is shared, read only for a hiring manager, made private, duplicated, mailed and archived', async () => {
    const address = await create('Told to the team');
    expect((await manager.get(address)).status).toBe(404);
    await recruiter.post(`${address}/share`, { shared: 'true' });
    const { status, html } = await manager.get(address);
    expect(status).toBe(200);
    for (const act of ['share', 'archive', 'duplicate']) {
      expect(html).not.toContain(`${address}/${act}`);
      expect((await manager.post(`${address}/${act}`)).status).toBe(403);
    }
    expect(html).not.toContain(`${address}/edit`);
    expect((await manager.get(`${address}/edit`)).status).toBe(404);
    expect((await manager.get('/console/reports/new')).status).toBe(403);
    await recruiter.post(`${address}/share`, { shared: 'false' });
    expect((await manager.get(address)).status).toBe(404);
    const copy = await recruiter.submit(`${address}/duplicate`);
    expect(copy.html).toContain('Told to the team (copy)');

    // A form that is sent twice adds one schedule.
    const page = await recruiter.get(address);
    const fieldIn = (text: string, name: string) =>
      new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';
    const fields = {
      form_id: fieldIn(page.html, 'form_id'),
      every: 'week',
      format: 'csv:completed',
      recipients: people.merchant_owner.id,
    };
    await recruiter.post(`${address}/mails`, fields);
    const added = await recruiter.submit(`${address}/mails`, fields);
    expect(added.html).toContain('Every week, CSV');
    expect(added.html.match(/mails\/stop/g)).toHaveLength(1);
    const stopped = await recruiter.submit(`${address}/mails/stop`, {
      schedule_id: fieldIn(added.html, 'schedule_id'),
    });
    expect(stopped.html).toContain('These mails are stopped.');
    expect(stopped.html).not.toContain('Every week, CSV');

    await recruiter.post(`${address}/archive`);
    expect((await recruiter.get(address)).html).toContain('This report is archived');
    expect((await owner.get('/console/reports?scope=all')).html).not.toContain(`${address}"`);
  });
});

describe('the builder', () => {
  it('shows every problem with a button that repairs it, and keeps the text', async () => {
    const wrong = jsonOf('Wrong', [{ ...completed, measures: ['complet'] }]);
    const page = await recruiter.post('/console/reports/new', { definition: wrong, intent: 'publish' });
    expect(page.status).toBe(422);
    expect(page.html).toContain('<code>blocks[0].measures[0]</code>');
    expect(page.html).toContain('complet&quot;');
    const [, button = ''] =
      /name="repair" value="([^"]+)"[^>]*>\s*Replace it with &quot;completed/.exec(page.html) ?? [];
    const repaired = await recruiter.post('/console/reports/new', {
      definition: wrong,
      repair: button.replaceAll('&quot;', '"'),
    });
    expect([repaired.status, firstNumber(repaired)]).toEqual([200, expect.stringMatching(/\d/)]);
    expect(repaired.html).toContain('&quot;completed&quot;');
    const broken = await recruiter.post('/console/reports/new', {
      definition: '{\n"a": }',
      intent: 'preview',
    });
    expect([broken.status, broken.html]).toEqual([
      422,
      expect.stringContaining('unexpected &quot;}&quot; in line 2.'),
    ]);
  });

  it('saves a draft, publishes it, rejects an older version and restores an earlier one', async () => {
    const address = await create('First title');
    const save = (version: string, intent: string, title: string) =>
      recruiter.submit(`${address}/edit`, { version, intent, definition: jsonOf(title) });
    const draft = await save('1', 'draft', 'Second title');
    expect(draft.html).toContain('Draft saved.');
    expect(draft.html).toContain('Second title');
    expect((await recruiter.get(address)).html).toContain('<h1>First title</h1>');
    expect((await recruiter.get(`${address}?draft=1`)).html).toContain('<h1>Second title</h1>');
    const refused = await save('1', 'publish', 'Third title');
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('version 2 now')]);
    expect((await save('2', 'publish', 'Third title')).html).toContain('<h1>Third title</h1>');

    const { html } = await recruiter.get(`${address}/edit?version=1`);
    expect(html).toContain('This is version 1.');
    expect(html).toContain('First title');
    expect(html).toContain('Marco Rinaldi');
    const restored = await recruiter.submit(`${address}/restore`, { restored: '1', version: '3' });
    expect(restored.html).toContain('Version 1 is published again.');
    expect(restored.html).toContain('<h1>First title</h1>');
    expect((await recruiter.get(`${address}/edit`)).html).toContain('name="version" value="4"');

    const other = await openConsole(platform, 'other_merchant_owner');
    for (const [visitor, version, status] of [
      [recruiter, { restored: '2', version: '3' }, 409],
      [recruiter, { restored: '9', version: '4' }, 404],
      [other, { restored: '1', version: '4' }, 404],
      [manager, { restored: '1', version: '4' }, 403],
    ] as const)
      expect((await visitor.post(`${address}/restore`, version)).status).toBe(status);
    expect((await recruiter.get(`${address}/edit?version=x`)).status).toBe(404);
  });
});
