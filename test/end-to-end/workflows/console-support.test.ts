import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { consoleLink, openConsole } from '../../harness/identity/console';
import type { ConsoleClient, ConsolePage } from '../../harness/identity/console';
import { sharedBrowser } from '../../harness/platform/browser';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { featureCalls } from '../../harness/support/feature-calls';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let owner: ConsoleClient;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  owner = await openConsole(platform, 'merchant_owner');
});
beforeEach(async () => {
  await platform.database.rows('delete from technical_issue');
  await platform.database.rows('delete from feature_request');
});

async function put(
  table: 'technical_issue' | 'feature_request',
  row: Record<string, unknown>,
): Promise<string> {
  const values = {
    merchant_id: merchants.main.id,
    profile_id: people.merchant.id,
    description: 'The page stays empty',
    ...row,
  };
  const names = Object.keys(values);
  const [stored] = await platform.database.rows<{ id: string }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, place) => `$${place + 1}`).join(', ')})
     returning id`,
    Object.values(values),
  );
  return stored?.id ?? '';
}
const putIssue = (row: Record<string, unknown> = {}) => put('technical_issue', row);
const putFeature = (row: Record<string, unknown> = {}) =>
  put('feature_request', {
    title: 'Dark mode',
    status: 'posted',
    post_id: 'p1',
    posted_at: '2026-01-15T09:30:00Z',
    ...row,
  });
const text = ({ html }: ConsolePage) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
const [issuesOf, requestsOf] = [
  (page: ConsolePage) => text(page).split('Feature requests Posted on')[0] ?? '',
  (page: ConsolePage) => text(page).split('Feature requests Posted on')[1] ?? '',
];
const show = (query = '', client = owner) => client.get(`/console/support${query}`);

describe('the support page', () => {
  it('lists technical issues, newest first: who, what, the status, and the workflow', async () => {
    const queued = await putIssue({ attempts: 3, last_failure: 'status 503' });
    await putIssue({
      description: 'A sent one',
      status: 'sent',
      reference: '#35436',
      sent_at: '2026-01-15T09:30:00Z',
      attempts: 1,
      profile_id: people.merchant_owner.id,
    });
    await putIssue({
      description: 'Hopeless one',
      gave_up_at: '2026-01-15T09:30:00Z',
      last_failure: 'timeout',
    });
    const page = await show();
    const issues = issuesOf(page);
    expect(issues).toMatch(/Marco Rinaldi The page stays empty – Queued 3 Last error: status 503/);
    expect(issues).toMatch(/Olivia Brandt A sent one – Sent #35436 Jan 15, 2026, 09:30:00 1 /);
    expect(issues).toMatch(/Hopeless one – Failed Jan 15, 2026, 09:30:00 0 Last error: timeout/);
    expect(issues.indexOf('Hopeless')).toBeLessThan(issues.indexOf('A sent one'));
    expect(issues.indexOf('A sent one')).toBeLessThan(issues.indexOf('The page stays'));
    expect(page.html).toContain(
      `https://temporal.example.com/ui/namespaces/default/workflows/issue-report%2F${queued}`,
    );
  });

  it('links to the subject of an issue if it has a page, and else shows its id', async () => {
    const { collected_result: result } = platform.stack.ids;
    const [elsewhere] = await platform.database.rows<{ id: string }>(
      `select id from interview_result where merchant_id = $1 and environment <> 'production' limit 1`,
      [merchants.main.id],
    );
    await putIssue({ interview_id: interviewId('active'), result_id: result });
    await putIssue({ interview_id: interviewId('uat'), result_id: elsewhere?.id });
    const { html } = await show();
    expect(html).toContain(`href="/console/results?interview_id=${interviewId('active')}"`);
    expect(html).toContain(`href="/console/results/${result}"`);
    expect(html).toContain(`interview <span class="mono">${interviewId('uat')}</span>`);
    expect(html).not.toContain(`interview_id=${interviewId('uat')}`);
  });

  it('shows the first line of a long text with the rest unfolded on request, and runs no script of it', async () => {
    const script = '<script>alert(1)</script>';
    const shown = '&lt;script>alert(1)&lt;/script>';
    const id = await putIssue({ description: `First line\n\nSecond line ${script}` });
    await putFeature({ title: script, description: `${'word '.repeat(200).trim()} ${script}` });
    const { html } = await show();
    expect(html).toContain(`<details class="report" id="issue-${id}">`);
    expect(html).toMatch(/<summary>First line …<\/summary>/);
    expect(html).toContain(`Second line ${shown}`);
    expect(html).toMatch(/<summary>(word ){19}word …<\/summary>/);
    expect(html).not.toContain(script);
  });

  it('filters each list by its state, and keeps the filter of the other list', async () => {
    await putIssue({ description: 'A queued issue' });
    await putIssue({ description: 'A given-up issue', gave_up_at: '2026-01-15T09:30:00Z' });
    await putIssue({
      description: 'An issue that is sent',
      status: 'sent',
      reference: '#1',
      sent_at: '2026-01-15T09:30:00Z',
    });
    await putFeature({ title: 'A posted request' });
    const titles = ['A queued issue', 'A given-up issue', 'An issue that is sent'];
    const shownBy = async (query: string) => {
      const page = text(await show(query));
      return titles.filter((each) => page.includes(each));
    };
    expect(await shownBy('')).toEqual(titles);
    expect(await shownBy('?issues=queued')).toEqual(['A queued issue']);
    expect(await shownBy('?issues=gave_up')).toEqual(['A given-up issue']);
    expect(await shownBy('?issues=sent')).toEqual(['An issue that is sent']);
    expect(await shownBy('?issues=garbage')).toEqual(titles);
    const both = await show('?issues=sent&requests=pending');
    expect(text(both)).toContain('No feature requests in this state.');
    expect(both.html).toContain('href="/console/support?requests=pending&amp;issues=queued"');
    expect(both.html).toContain('href="/console/support?issues=sent&amp;requests=posted"');
  });

  it('pages each list separately', async () => {
    for (let place = 0; place < 21; place++) await putIssue({ description: `Issue number ${place}!` });
    await putFeature();
    const first = await show();
    expect(text(first)).toContain('1–20 of 21');
    expect(first.html).toContain('rel="next" href="/console/support?issues_offset=20"');
    const second = await show('?issues_offset=20');
    expect(issuesOf(second)).toContain('Issue number 0! ');
    expect(issuesOf(second)).not.toContain('Issue number 1! ');
    expect(text(second)).toContain('21–21 of 21');
    expect(requestsOf(second)).toContain('Dark mode');
  });

  it('shows only the merchant’s own, also to people of several merchants, and no names of strangers', async () => {
    const { admin, operator } = people;
    await putIssue({ description: 'Of another merchant', merchant_id: merchants.other.id });
    await putFeature({
      title: 'Of the sub-merchant',
      merchant_id: merchants.sub.id,
      profile_id: operator.id,
    });
    await putIssue({ description: 'Of an admin', profile_id: admin.id });
    const own = text(await show());
    expect(own).not.toMatch(/Of another merchant|Of the sub-merchant|Ada Lind/);
    expect(own).toContain('Platform admin or operator Of an admin');
    const asOperator = await openConsole(platform, 'operator');
    const sub = text(await show(`?merchant_id=${merchants.sub.id}`, asOperator));
    expect(sub).toContain('Platform admin or operator Of the sub-merchant');
    expect(sub).not.toContain('Of an admin');
    expect((await show(`?merchant_id=${merchants.other.id}`, asOperator)).status).toBe(403);
  });

  it('shows new posts in a browser without a reload, and keeps what is unfolded', async () => {
    const id = await putIssue({ description: 'First line\nSecond line' });
    const browser = await sharedBrowser();
    const page = await browser.open();
    await page.goto(await consoleLink(platform, 'merchant_owner'));
    await Promise.all([page.waitForNavigation(), page.click('main button')]);
    await page.goto(`${platform.stack.console_url}/support`);
    await page.focus(`#issue-${id} summary`);
    await page.keyboard.press('Enter');
    // The call gets a 503 if the workflow takes longer than 20 s. In that case the test repeats the call.
    await waitFor(
      'the post',
      async () => (await featureCalls(platform).ask('Posted meanwhile')).status === 200,
    );
    await page.waitForFunction(
      `document.querySelector('#requests').textContent.includes('Posted meanwhile')`,
    );
    await platform.database.rows(`update technical_issue set last_failure = 'no answer yet'`);
    await page.waitForFunction(`document.querySelector('#issues').textContent.includes('no answer yet')`);
    expect(await page.evaluate(`document.querySelector('#issue-${id}').hasAttribute('open')`)).toBe(true);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
  });
});
