import { randomUUID } from 'node:crypto';
import { interviewId } from '../../../local/seed/fixed-id';
import {
  arrivals,
  connectWorkflows,
  grantInvitations,
  inviteCandidates,
  mailbox,
  mailsTo,
  waitForMails,
} from '../../harness/people/mailbox';
import { peopleCalls } from '../../harness/people/people';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let workflows: Awaited<ReturnType<typeof connectWorkflows>>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  workflows = await connectWorkflows(platform);
  await Promise.all([
    grantInvitations(platform),
    grantInvitations(platform, platform.stack.other_merchant_id),
  ]);
  await setReminders(platform.stack.merchant_id, null);
});
afterEach(() => platform.clearFaults());
afterAll(async () => {
  await workflows.close();
});

const setReminders = (merchantId: string, seconds: [number, number] | null) =>
  platform.database.rows(
    `update merchant set reminder_after = $2 * interval '1 second', final_reminder_after = $3 * interval '1 second'
     where id = $1`,
    [merchantId, ...(seconds ?? [null, null])],
  );
const newDomain = () => `${randomUUID()}.example`;
const linkIn = (text: string) => /http\S+\/interview\/take\/\S+/.exec(text)?.[0] ?? '';
const statusOf = async (link: string) => (await openLink(link)).status;

describe('a mail of an invitation', () => {
  it('names its row by our ids and category, and its row follows the events', async () => {
    const domain = newDomain();
    await inviteCandidates(platform, [`ann@${domain}`, `bounce.bo@${domain}`]);
    const [ann, bo] = await waitForMails(platform, domain, (mail) => mail.is_delivered || mail.is_bounced);
    const received = (await mailbox(platform)).find(({ to }) => to === `ann@${domain}`);
    expect(received).toMatchObject({
      categories: ['candidate_invitation', 'production'],
      custom_args: {
        mail_id: ann?.id,
        batch_id: ann?.batch_id,
        merchant_id: platform.stack.merchant_id,
        environment: 'production',
      },
    });
    expect(Object.keys(received?.custom_args ?? {})).toHaveLength(4);
    expect(ann).toMatchObject({ state: 'sent', is_delivered: true, is_opened: false, is_bounced: false });
    expect(bo).toMatchObject({ state: 'sent', is_delivered: false, is_bounced: true });
    const open = { method: 'POST', body: JSON.stringify({ mail_id: ann?.id }) };
    await fetch(`${platform.stack.fakes_url}/mailbox/open`, open);
    await waitFor('the open', async () => (await mailsTo(platform, domain))[0]?.is_opened);
  });

  it('of the team is in the requested language with the message, and its page accepts the invitation', async () => {
    const email = 'kobi@example.com';
    const { invite, mailbox: received } = peopleCalls(platform);
    const [row] = await invite([{ email, name: 'Köbi', type: 'merchant' }], {
      platform_language_code: 'de',
      message_from_recruiter: 'Grüezi <b>& willkommen</b>',
    });
    const mail = await waitFor('the mail', async () => (await received()).find(({ to }) => to === email));
    expect(mail.html).toContain('lang="de"');
    expect(mail.text).toContain('Grüezi <b>& willkommen</b>');
    expect(mail.html).toContain('Grüezi &#60;b&#62;&#38; willkommen&#60;/b&#62;');
    expect(mail.custom_args).toMatchObject({
      merchant_id: platform.stack.merchant_id,
      environment: 'production',
    });
    const url = /http\S+invitation_token=\S+/.exec(mail.text)?.[0] ?? '';
    const token = new URL(url).searchParams.get('invitation_token') ?? '';
    const accepted = await fetch(new URL('/invitation/', url), {
      method: 'POST',
      body: new URLSearchParams({ invitation_token: token }),
    });
    expect([accepted.status, await accepted.text()]).toEqual([200, expect.stringContaining('Fertig')]);
    expect(await invite([{ email }])).toMatchObject([{ result: 'Activated', profile_id: row?.profile_id }]);
  });
});

describe('the mail provider', () => {
  it('accepts mails but its replies get lost: its events report the mails as sent, and none is sent twice', async () => {
    const domain = newDomain();
    // The provider delays its responses, so that its events arrive before the worker tries to send the mails again.
    await platform.fault({ provider: 'sendgrid', accept: true, ...held, times: 3, reset: true });
    await inviteCandidates(
      platform,
      [1, 2, 3, 4, 5].map((place) => `p${place}@${domain}`),
    );
    const [first] = await waitForMails(platform, domain, (mail) => mail.is_delivered);
    await platform.clearFaults();
    await workflows.of(first?.batch_id ?? '').result();
    const arrived = await arrivals(platform);
    const mails = await mailsTo(platform, domain);
    expect(mails.map(({ id, state }) => [state, arrived.get(id)])).toEqual(mails.map(() => ['sent', 1]));
  });
});

describe('reminders', () => {
  it('go to candidates who can still begin and have not, and all links of a candidate open and end together', async () => {
    const domain = newDomain();
    const { rows } = platform.database;
    const at = (name: string) => `${name}@${domain}`;
    const interviews = { archived: interviewId('screening'), over: interviewId('second') };
    // The reminders are turned off while the workflow of the batch waits.
    await setReminders(platform.stack.other_merchant_id, [12, 13]);
    await inviteCandidates(platform, [at('off')], {
      interview_id: interviewId('other'),
      token: platform.stack.tokens.other_merchant_owner,
    });
    const [off] = await waitForMails(platform, domain, (mail) => mail.is_delivered);
    await waitFor('the workflow to wait', async () => {
      const { searchAttributes } = await workflows.of(off?.batch_id ?? '').describe();
      return searchAttributes['FlowStatus']?.[0] === 'waiting';
    });
    await setReminders(platform.stack.other_merchant_id, null);

    // The provider accepts the mails but delays its responses, so that no batch starts to wait for its reminders
    // before the test is ready. The two reminders are 20 seconds apart, because a worker can stall in between.
    await setReminders(platform.stack.merchant_id, [1, 21]);
    await platform.fault({ provider: 'sendgrid', accept: true, ...held });
    await inviteCandidates(platform, ['plain', 'begun', 'anew', 'bounce'].map(at));
    await inviteCandidates(platform, [at('archived')], { interview_id: interviews.archived });
    await inviteCandidates(platform, [at('over')], { interview_id: interviews.over });
    const registered = await platform.call('job-interview-register-users', {
      body: {
        interview_id: platform.stack.ids.active_interview,
        users: [{ email: at('linked') }],
        send_email: true,
      },
    });
    await waitForMails(platform, domain, (mail) => mail.is_delivered || mail.is_bounced);
    await inviteCandidates(platform, [at('anew')]);
    await rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status)
       select merchant_id, environment, interview_id, id, 'started' from enrolment where email = $1`,
      [at('begun')],
    );
    await rows(`update interview set status = 'archived' where id = $1`, [interviews.archived]);
    await rows(`update interview set interview_available_till = '2001-01-01' where id = $1`, [
      interviews.over,
    ]);
    await waitForMails(platform, domain, (mail) => mail.is_delivered || mail.is_bounced);
    await platform.clearFaults();

    const batches = new Set((await mailsTo(platform, domain)).map(({ batch_id }) => batch_id));
    await Promise.all([...batches].map((batch) => workflows.of(batch).result()));
    const got = new Map<string, string[]>();
    for (const { email, kind, state } of await mailsTo(platform, domain)) {
      const name = email.split('@')[0] ?? '';
      got.set(name, [...(got.get(name) ?? []), `${kind} ${state}`]);
    }
    const invited = 'candidate_invitation sent';
    const reminded = ['reminder sent', 'final_reminder sent'];
    expect(Object.fromEntries(got)).toEqual({
      plain: [invited, ...reminded],
      linked: [invited, ...reminded],
      // This candidate was invited in two batches. Only the second batch sends the reminders.
      anew: [invited, invited, ...reminded],
      begun: [invited],
      bounce: [invited],
      archived: [invited],
      over: [invited],
      off: [invited],
    });

    const [person] = JSON.parse(registered.text) as { interview_url: string }[];
    const mailed = (await mailbox(platform)).filter(({ to }) => to === at('linked'));
    expect(mailed.map(({ categories }) => categories[0])).toEqual([
      'candidate_invitation',
      'reminder',
      'final_reminder',
    ]);
    const links = [person?.interview_url ?? '', ...mailed.map(({ text }) => linkIn(text))];
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 200, 200]);
    await rows('update enrolment set link_generation = link_generation + 1 where email = $1', [at('linked')]);
    expect(await Promise.all(links.map(statusOf))).toEqual([410, 410, 410, 410]);
  });
});
