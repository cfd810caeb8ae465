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

const change = (text: string, values: unknown[] = []) => platform.database.rows(text, values);
const scheduled = async (title: string, changes: object = {}) => {
  const report = await reports.create(title);
  const id = await reports.schedule(report, changes);
  await reports.until(id, 'running');
  return { report, id };
};

describe('a scheduled report', () => {
  it('is a Temporal Schedule that runs on Mondays at 07:00 in the time zone of the merchant', async () => {
    await change(`update merchant set time_zone = 'Europe/Paris' where id = $1`, [
      platform.stack.merchant_id,
    ]);
    const { id } = await scheduled('Spec');
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
  });

  it('is mailed once to each recipient in their language, with the rows that its creator sees', async () => {
    await change(`update profile set platform_language_code = 'de' where id = $1`, [
      people.merchant_owner.id,
    ]);
    const recipients = [people.merchant.id, people.merchant_owner.id];
    const { report, id } = await scheduled('Hiring', { recipients });
    const handle = await reports.trigger(id);
    await handle.result();
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent', message: 'Mailed to 2 people.' });
    const mails = await reports.mailed('Hiring');
    expect(mails.map(({ to }) => to).toSorted()).toEqual([
      people.merchant.email,
      people.merchant_owner.email,
    ]);
    const { text: csv } = await platform.call('report-export', {
      token: reports.token,
      query: { id: report, block_id: 'departments' },
    });
    for (const { attachments, categories, custom_args } of mails) {
      expect(attachments.map(({ filename, type }) => [filename, type])).toEqual([['Hiring.csv', 'text/csv']]);
      expect(Buffer.from(attachments[0]?.content ?? '', 'base64').toString()).toBe(`\uFEFF${csv}`);
      expect([categories, custom_args['environment']]).toEqual([['report', 'production'], 'production']);
    }
    const textTo = (person: { email: string }) => mails.find(({ to }) => to === person.email)?.text;
    expect(textTo(people.merchant_owner)).toContain('Im Anhang finden Sie den Bericht');
    expect(textTo(people.merchant)).toContain(`${platform.stack.console_url}/reports/${report}`);
    expect(textTo(people.merchant)).toContain('because you scheduled this report');
    expect(textTo(people.merchant_owner)).toContain('weil jemand bei');
    expect(await change('select from report_delivery where file is not null')).toEqual([]);
  });

  it('shows what the mail provider reports about its mails', async () => {
    const bouncing = 'bounce.report@example.com';
    const { email, id: person } = people.merchant_owner;
    const recipients = [people.merchant.id, person];
    const { report, id } = await scheduled('Returned', { recipients });
    await change('update profile set email = $2 where id = $1', [person, bouncing]);
    try {
      await (await reports.trigger(id)).result();
      const run = await waitFor('the events', async () => {
        const last = await reports.lastRun(report);
        return last !== null && last.delivered + last.bounced === 2 && last;
      });
      expect(run).toMatchObject({ delivered: 1, bounced: 1 });
      expect(run.message).toMatch(/^Mailed to 2 people\. 1 mail did not arrive: 550 /);
      expect(run.message).not.toContain(bouncing);
    } finally {
      await change('update profile set email = $2 where id = $1', [person, email]);
    }
  });

  it('is mailed as a PDF with all blocks', async () => {
    const { report, id } = await scheduled('Document', { format: 'pdf', block_id: null });
    await (await reports.trigger(id)).result();
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent' });
    const [mail] = await reports.mailed('Document');
    const [file] = mail?.attachments ?? [];
    expect([file?.filename, file?.type]).toEqual(['Document.pdf', 'application/pdf']);
    expect(Buffer.from(file?.content ?? '', 'base64').toString('latin1')).toMatch(/^%PDF-[^]*%%EOF\s*$/);
  });

  it('is retried while the mail provider fails, and says so', async () => {
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
    expect(await reports.mailed('Trouble')).toHaveLength(1);
  });

  it('is not mailed to people who have left the team', async () => {
    const recipients = [people.merchant.id, people.merchant_selection.id];
    const { report, id } = await scheduled('Leavers', { recipients });
    const person = [people.merchant_selection.id];
    await change('update profile set home_disabled_at = now() where id = $1', person);
    await (await reports.trigger(id)).result();
    await change('update profile set home_disabled_at = null where id = $1', person);
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'sent', message: 'Mailed to 1 person.' });
    expect((await reports.mailed('Leavers')).map(({ to }) => to)).toEqual([people.merchant.email]);
  });

  it('fails with a sentence if its block is gone', async () => {
    const { report, id } = await scheduled('Gone');
    const kpi = { id: 'other', type: 'kpi', dataset: 'interview_results', measures: ['completed'] };
    const definition = { schema: 'platform.report/v1', title: 'Gone', blocks: [kpi] };
    await reports.post('report-update', { id: report, version: 1, definition });
    await expect((await reports.trigger(id)).result()).rejects.toThrow('Workflow execution failed');
    const last = await reports.lastRun(report);
    expect([last?.outcome, last?.message]).toEqual(['failed', expect.stringContaining('block')]);
    expect(await reports.mailed('Gone')).toEqual([]);
  });
});

describe('the schedule of a report', () => {
  it('pauses while its creator may not edit the report, and mails nothing', async () => {
    const { report, id } = await scheduled('Demoted');
    const setRole = (role: string) =>
      change('update profile set role = $2 where id = $1', [people.merchant.id, role]);
    await setRole('merchant_selection');
    await reports.until(id, 'paused');
    await (await reports.trigger(id)).result();
    expect(await reports.mailed('Demoted')).toEqual([]);
    await setRole('merchant');
    await reports.until(id, 'running');
    expect(await reports.lastRun(report)).toMatchObject({ outcome: 'paused' });
  });

  it('ends when it is turned off', async () => {
    const { report, id } = await scheduled('Ended');
    expect((await reports.post('report-schedule', { id: report, every: 'off' })).status).toBe(200);
    await reports.until(id, 'none');
  });
});
