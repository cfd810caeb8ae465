import { openConsole } from '../../harness/identity/console';
import type { ConsoleClient } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { completed, createReport, definitionOf, firstNumber } from '../../harness/reports/report-calls';

let platform: Platform;
let recruiter: ConsoleClient;
let manager: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  [recruiter, manager] = await Promise.all([
    openConsole(platform, 'merchant'),
    openConsole(platform, 'merchant_selection'),
  ]);
});

describe('the builder', () => {
  it('shows every problem with a button that repairs it, and keeps the text', async () => {
    const wrong = JSON.stringify(definitionOf('Wrong', [{ ...completed, measures: ['complet'] }]));
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

  it('saves a draft, publishes it, and rejects an older version', async () => {
    const address = await createReport(recruiter, 'Draft story');
    expect((await recruiter.get(`${address}/edit`)).html).toContain('name="version" value="1"');
    const draft = await recruiter.submit(`${address}/edit`, {
      version: '1',
      definition: JSON.stringify(definitionOf('Second title')),
      intent: 'draft',
    });
    expect(draft.html).toContain('Draft saved.');
    expect(draft.html).toContain('Second title');
    expect((await recruiter.get(address)).html).toContain('<h1>Draft story</h1>');
    expect((await recruiter.get(`${address}?draft=1`)).html).toContain('<h1>Second title</h1>');
    const stale = {
      version: '1',
      definition: JSON.stringify(definitionOf('Third title')),
      intent: 'publish',
    };
    const refused = await recruiter.post(`${address}/edit`, stale);
    expect([refused.status, refused.html]).toEqual([409, expect.stringContaining('version 2 now')]);
    await recruiter.post(`${address}/edit`, { ...stale, version: '2' });
    expect((await recruiter.get(address)).html).toContain('<h1>Third title</h1>');
    expect(address).toMatch(/\/[\da-f-]{36}$/);
  });

  it('opens and restores an earlier version', async () => {
    const address = await createReport(recruiter, 'First title');
    const second = {
      version: '1',
      definition: JSON.stringify(definitionOf('Second title')),
      intent: 'publish',
    };
    await recruiter.post(`${address}/edit`, second);
    const { html } = await recruiter.get(`${address}/edit?version=1`);
    expect(html).toContain('This is version 1.');
    expect(html).toContain('First title');
    expect(html).toContain('Marco Rinaldi');
    const restored = await recruiter.submit(`${address}/restore`, { restored: '1', version: '2' });
    expect(restored.html).toContain('Version 1 is published again.');
    expect(restored.html).toContain('<h1>First title</h1>');
    expect((await recruiter.get(`${address}/edit`)).html).toContain('name="version" value="3"');

    const stale = await recruiter.post(`${address}/restore`, { restored: '2', version: '2' });
    expect([stale.status, stale.html]).toEqual([409, expect.stringContaining('version 3 now')]);
    expect((await recruiter.post(`${address}/restore`, { restored: '9', version: '3' })).status).toBe(404);
    expect((await recruiter.get(`${address}/edit?version=x`)).status).toBe(404);
    const other = await openConsole(platform, 'other_merchant_owner');
    expect((await other.post(`${address}/restore`, { restored: '1', version: '3' })).status).toBe(404);
    expect((await manager.post(`${address}/restore`, { restored: '1', version: '3' })).status).toBe(403);
  });
});
