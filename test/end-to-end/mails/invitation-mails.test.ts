import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { people } from '../../../local/seed/accounts';
import { invitationBatchId } from '../../../workflows/ids';
import { createClient } from '../../harness/identity/console';
import {
  grantInvitations,
  inviteCandidates,
  mailbox,
  mailsTo,
  waitForMails,
} from '../../harness/people/mailbox';
import { peopleCalls, cloneInterview, openUrl } from '../../harness/people/people';
import { connectTemporal } from '../../harness/platform/patient-client';
import { held } from '../../harness/platform/platform';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = peopleCalls(platform);
});

let temporal: Client;
beforeAll(async () => {
  temporal = await connectTemporal();
  await grantInvitations(platform);
  await setReminder(null);
});
afterEach(() => platform.clearFaults());

/** Waits until the workflow that mails a batch has ended. */
const batchEnd = (batchId: string) => temporal.workflow.getHandle(invitationBatchId(batchId)).result();

/** Sets when the merchant reminds candidates, without a final reminder. Null turns reminders off. */
const setReminder = (after: string | null) =>
  platform.database.rows(
    'update merchant set reminder_after = $2::interval, final_reminder_after = null where id = $1',
    [platform.stack.merchant_id, after],
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
    const [row] = await calls.invite([{ email, name: 'Köbi', type: 'merchant' }], {
      platform_language_code: 'de',
      message_from_recruiter: 'Grüezi <b>& willkommen</b>',
    });
    const mail = await waitFor('the mail', async () =>
      (await mailbox(platform)).find(({ to }) => to === email),
    );
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
    expect(await calls.invite([{ email }])).toMatchObject([
      { result: 'Activated', profile_id: row?.profile_id },
    ]);
  });
});

describe('a reminder', () => {
  it('goes to candidates who have not begun, and all links of a candidate open and end together', async () => {
    const domain = newDomain();
    const at = (name: string) => `${name}@${domain}`;
    // The provider accepts the mails but delays its responses, so that no batch starts to wait for its reminders
    // before the test is ready.
    await platform.fault({ provider: 'sendgrid', accept: true, ...held });
    await setReminder('1 second');
    await inviteCandidates(platform, [at('plain'), at('begun')]);
    const registered = await platform.call('job-interview-register-users', {
      body: {
        interview_id: platform.stack.ids.active_interview,
        users: [{ email: at('linked') }],
        send_email: true,
      },
    });
    await waitForMails(platform, domain, (mail) => mail.is_delivered);
    await platform.database.rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status)
       select merchant_id, environment, interview_id, id, 'started' from enrolment where email = $1`,
      [at('begun')],
    );
    await platform.clearFaults();

    const batches = new Set((await mailsTo(platform, domain)).map(({ batch_id }) => batch_id));
    await Promise.all([...batches].map(batchEnd));
    const got = (await mailsTo(platform, domain)).map(
      ({ email, kind, state }) => `${email} ${kind} ${state}`,
    );
    expect(got.toSorted()).toEqual(
      [
        `${at('begun')} candidate_invitation sent`,
        `${at('linked')} candidate_invitation sent`,
        `${at('linked')} reminder sent`,
        `${at('plain')} candidate_invitation sent`,
        `${at('plain')} reminder sent`,
      ].toSorted(),
    );

    const [person] = JSON.parse(registered.text) as { interview_url: string }[];
    const mailed = (await mailbox(platform)).filter(({ to }) => to === at('linked'));
    const links = [person?.interview_url ?? '', ...mailed.map(({ text }) => linkIn(text))];
    expect(await Promise.all(links.map(statusOf))).toEqual([200, 200, 200]);
    await platform.database.rows(
      'update enrolment set link_generation = link_generation + 1 where email = $1',
      [at('linked')],
    );
    expect(await Promise.all(links.map(statusOf))).toEqual([410, 410, 410]);
  });
});

describe('the mail of a sign-in', () => {
  it('arrives while the provider delays every invitation', async () => {
    const domain = 'many.example';
    await platform.fault({ provider: 'sendgrid', category: 'candidate_invitation', ...held });
    for (let batch = 0; batch < 4; batch++)
      await inviteCandidates(
        platform,
        Array.from({ length: 50 }, (_, place) => `p${batch}-${place}@${domain}`),
      );
    await waitFor('invitations that are held', async () => (await platform.faultsLeft()) <= held.times - 40);
    const { email } = people.merchant;
    await createClient(platform.stack.origin).send('/console/sign-in', { email, environment: 'production' });
    await waitFor('the mail', async () =>
      (await mailbox(platform)).some(({ to, categories }) => to === email && categories.includes('sign_in')),
    );
    expect((await mailsTo(platform, domain)).filter(({ state }) => state === 'sent')).toEqual([]);
  });
});

describe('job-interview-register-users, send_email', () => {
  const clone = (changes: Record<string, unknown> = {}) => cloneInterview(platform.database, changes);
  const sent = async () => Number((await calls.status())['invitations_sent']);
  const mailsTo = async (email: string) => (await mailbox(platform)).filter(({ to }) => to === email);

  it('sends with true a mail in the interview’s language with the same link, and one invitation of the budget', async () => {
    const id = await clone({ platform_language_code: 'de', name: 'Stelle' });
    const before = await sent();
    const rows = await calls.register(
      [{ email: 'mail@example.com' }, { email: 'wrong' }, { email: 'MAIL@example.com', name: 'Änne' }],
      { interview_id: id, send_email: true, hide_menu: true },
    );
    expect(await sent()).toBe(before + 1);
    const [mail] = await waitFor('the mail', async () => {
      const mails = await mailsTo('MAIL@example.com');
      return mails.length > 0 && mails;
    });
    expect(mail?.html).toContain('lang="de"');
    const url = /http\S+interview_token=\S+/.exec(mail?.text ?? '')?.[0];
    const [mine, mailed] = [openUrl(rows[0]?.interview_url), openUrl(url)];
    expect({ ...mailed, claims: { ...mailed.claims, exp: 0 } }).toEqual({
      ...mine,
      claims: { ...mine.claims, exp: 0 },
    });
    expect(mailed.query).toEqual({ view_hm: 'true' });
    const [profile] = await platform.database.rows(
      `select platform_language_code from profile where email_key = 'mail@example.com'`,
    );
    expect(profile).toEqual({ platform_language_code: 'de' });
  });
});
