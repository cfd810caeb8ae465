import { people } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openDeliveries } from '../../harness/reports/deliveries';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let reports: Awaited<ReturnType<typeof openDeliveries>>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  reports = await openDeliveries(platform);
});
afterEach(() => platform.clearFaults());
afterAll(() => reports.close());

const set = (person: { id: string }, column: string, value: unknown) =>
  platform.database.rows(`update profile set ${column} = $2 where id = $1`, [person.id, value]);
const scheduled = async (title: string, changes: object = {}) => {
  const report = await reports.create(title);
  const id = await reports.schedule(report, changes);
  await reports.until(id, 'running');
  return { report, id };
};
const fileOf = ({
  attachments: [file],
}: {
  attachments: { filename: string; type: string; content: string }[];
}) => ({
  facts: [file?.filename, file?.type],
  content: Buffer.from(file?.content ?? '', 'base64'),
});

describe('a scheduled report', () => {
  it('is a Temporal Schedule of Mondays at 07:00 that pauses with its creator’s rights and ends when turned off', async () => {
    await platform.database.rows(`update merchant set time_zone = 'Europe/Paris' where id = $1`, [
      platform.stack.merchant_id,
    ]);
    const { report, id } = await scheduled('Spec');
    const { spec, policies, action, typedSearchAttributes } = await reports.handleOf(id).describe();
    expect([spec.calendars?.[0]?.dayOfWeek, spec.calendars?.[0]?.hour, spec.timezone]).toMatchObject([
      [{ start: 'MONDAY' }],
      [{ start: 7 }],
      'Europe/Paris',
    ]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 86_400_000 });
    expect(action).toMatchObject({ workflowType: 'reportDelivery', args: [{ schedule_id: id }] });
    expect(typedSearchAttributes.getAll().map(({ value }) => value)).toEqual(
      expect.arrayContaining([platform.stack.merchant_id, 'production']),
    );
    await set(people.merchant, 'role', 'merchant_selection');
    await reports.until(id, 'paused');
    await (await reports.trigger(id)).result();
    expect(await reports.mailed('Spec')).toEqual([]);
    await set(people.merchant, 'role', 'merchant');
    await reports.until(id, 'running');
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'paused' });
    expect((await reports.post('report-schedule', { id: report, every: 'off' })).status).toBe(200);
    await reports.until(id, 'none');
  });

  it('is mailed once to each recipient in their language, with the rows that its creator sees, and shows what bounced', async () => {
    const { merchant, merchant_owner: owner } = people;
    const bouncing = 'bounce.report@example.com';
    await set(owner, 'platform_language_code', 'de');
    await set(owner, 'email', bouncing);
    const { report, id } = await scheduled('Hiring', { recipients: [merchant.id, owner.id] });
    await (await reports.trigger(id)).result();
    const run = await waitFor('the events', async () => {
      const last = await reports.lastRun(report);
      return last !== null && last.delivered + last.bounced === 2 && last;
    });
    await set(owner, 'email', owner.email);
    expect(run).toMatchObject({ outcome: 'sent', delivered: 1, bounced: 1 });
    expect(run.message).toMatch(/^Mailed to 2 people\. 1 mail did not arrive: 550 /);
    expect(run.message).not.toContain(bouncing);
    const mails = await reports.mailed('Hiring');
    expect(mails.map(({ to }) => to).toSorted()).toEqual([bouncing, merchant.email]);
    const { text: csv } = await platform.call('report-export', {
      token: reports.token,
      query: { id: report, block_id: 'departments' },
    });
    for (const mail of mails) {
      expect(fileOf(mail).facts).toEqual(['Hiring.csv', 'text/csv']);
      expect(fileOf(mail).content.toString()).toBe(`\uFEFF${csv}`);
      expect([mail.categories, mail.custom_args['environment']]).toEqual([
        ['report', 'production'],
        'production',
      ]);
    }
    const textTo = (address: string) => mails.find(({ to }) => to === address)?.text;
    expect(textTo(bouncing)).toContain('Im Anhang finden Sie den Bericht');
    expect(textTo(bouncing)).toContain('weil jemand bei');
    expect(textTo(merchant.email)).toContain(`${platform.stack.console_url}/reports/${report}`);
    expect(textTo(merchant.email)).toContain('because you scheduled this report');
    expect(await platform.database.rows('select from report_delivery where file is not null')).toEqual([]);
  });

  it('is mailed as a PDF with all blocks, and not to people who have left the team', async () => {
    const { merchant, merchant_selection: leaver } = people;
    const recipients = [merchant.id, leaver.id];
    const { report, id } = await scheduled('Document', { format: 'pdf', block_id: null, recipients });
    await set(leaver, 'home_disabled_at', new Date());
    await (await reports.trigger(id)).result();
    await set(leaver, 'home_disabled_at', null);
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent', message: 'Mailed to 1 person.' });
    const mails = await reports.mailed('Document');
    expect(mails.map(({ to }) => to)).toEqual([merchant.email]);
    const { facts, content } = fileOf(mails[0] ?? { attachments: [] });
    expect(facts).toEqual(['Document.pdf', 'application/pdf']);
    expect(content.toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
  });

  it('is retried while the mail provider fails, and fails if its block is gone, and says so', async () => {
    const { report, id } = await scheduled('Trouble');
    await platform.fault({ provider: 'sendgrid', status: 503, times: 1_000 });
    const handle = await reports.trigger(id);
    const run = await waitFor('a failure', async () => {
      const last = await reports.lastRun(report);
      return last?.message.includes('trying again') && last;
    });
    expect(run.outcome).toBe('sending');
    await waitFor('its status', async () => {
      const { typedSearchAttributes } = await handle.describe();
      return typedSearchAttributes.getAll().some(({ value }) => value === 'in_trouble');
    });
    await platform.clearFaults();
    await handle.result();
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent' });

    const kpi = { id: 'other', type: 'kpi', dataset: 'interview_results', measures: ['completed'] };
    const definition = { schema: 'platform.report/v1', title: 'Trouble', blocks: [kpi] };
    await reports.post('report-update', { id: report, version: 1, definition });
    await expect((await reports.trigger(id)).result()).rejects.toThrow('Workflow execution failed');
    expect(await reports.lastRun(report)).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('block'),
    });
    expect(await reports.mailed('Trouble')).toHaveLength(1);
  });
});
