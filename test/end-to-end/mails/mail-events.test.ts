import { sign } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

type MailRow = {
  id: string;
  state: string;
  sent: boolean;
  delivered_at: Date | null;
  opened_at: Date | null;
  bounced_at: Date | null;
  bounce_reason: string | null;
};

/** Invites a person to the team. Returns the invitation mail once `isDone` is true for it. */
async function invite(email: string, isDone: (mail: MailRow) => boolean): Promise<MailRow> {
  const { status, text } = await platform.call('invite-users', {
    body: { users: [{ email, type: 'merchant' }] },
  });
  expect([status, text]).toEqual([200, expect.stringContaining('"Invited"')]);
  return waitForMail(email, isDone);
}

const waitForMail = (email: string, isDone: (mail: MailRow) => boolean): Promise<MailRow> =>
  waitFor(`the mail to ${email}`, async () => {
    const [mail] = await platform.database.rows<MailRow>(
      `select m.id, m.state, m.sent_at is not null as sent, m.delivered_at, m.opened_at, m.bounced_at, m.bounce_reason
       from mail m join profile p on p.id = m.profile_id where p.email = $1`,
      [email],
    );
    return mail && isDone(mail) && mail;
  });

/** Inserts a sent mail that the fake provider does not know, so that only the test sends events about it. */
async function putSentMail(): Promise<{ mail_id: string; email: string }> {
  const { id: profileId, email } = people.merchant;
  const [mail] = await platform.database.rows<{ id: string }>(
    `with batch as (
       insert into invitation_batch (merchant_id, environment, platform_language_code)
       values ($1, 'production', 'en') returning id
     )
     insert into mail (merchant_id, environment, batch_id, kind, profile_id, state)
     select $1, 'production', id, 'team_invitation', $2, 'sent' from batch returning id`,
    [merchants.main.id, profileId],
  );
  return { mail_id: mail?.id ?? '', email };
}

async function postEvents(...events: object[]): Promise<number> {
  const timestamp = '1790000001';
  const body = JSON.stringify(events);
  const response = await fetch(`${platform.stack.origin}/hooks/sendgrid`, {
    method: 'POST',
    headers: {
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': sign(
        'sha256',
        Buffer.from(timestamp + body),
        platform.mailEventKey,
      ).toString('base64'),
    },
    body,
  });
  return response.status;
}

describe('the events of a mail', () => {
  it('keep the times of delivery and opening', async () => {
    const mail = await invite('ann.delivered@example.com', ({ delivered_at }) => delivered_at !== null);
    expect(mail).toMatchObject({ sent: true, opened_at: null, bounced_at: null, bounce_reason: null });
    const open = { method: 'POST', body: JSON.stringify({ mail_id: mail.id }) };
    expect((await fetch(`${platform.stack.fakes_url}/mailbox/open`, open)).status).toBe(202);
    const opened = await waitForMail('ann.delivered@example.com', ({ opened_at }) => opened_at !== null);
    expect(opened.delivered_at).toEqual(mail.delivered_at);
  });

  it('keep the reason of a bounce without the address', async () => {
    const mail = await invite('bounce.bo@example.com', ({ bounced_at }) => bounced_at !== null);
    expect(mail).toMatchObject({
      sent: true,
      delivered_at: null,
      bounce_reason: '550 5.1.1 … there is no such mailbox',
    });
  });

  it('count the first time of each when they come twice, late and in another order', async () => {
    const { mail_id, email } = await putSentMail();
    const at = (timestamp: number, event: string) => ({ mail_id, timestamp, event });
    expect(await postEvents(at(1_790_000_300, 'open'), at(1_790_000_200, 'open'))).toBe(200);
    expect(await postEvents(at(1_790_000_100, 'delivered'), at(1_790_000_000, 'processed'))).toBe(200);
    expect(await postEvents(at(1_790_000_900, 'delivered'), at(1_790_000_900, 'open'))).toBe(200);
    const mail = await waitForMail(email, () => true);
    expect([mail.opened_at, mail.delivered_at]).toEqual([
      new Date(1_790_000_200_000),
      new Date(1_790_000_100_000),
    ]);
  });

  it('store words that the database cannot store as one short line', async () => {
    const { id: mail_id } = await invite('di.words@example.com', ({ delivered_at }) => delivered_at !== null);
    const reason = `552\u0000 full\r\nof <di.words@example.com>: ${'😀'.repeat(200)}`;
    expect(await postEvents({ mail_id, timestamp: 1_790_000_000, event: 'dropped', reason })).toBe(200);
    const { bounce_reason: kept } = await waitForMail('di.words@example.com', () => true);
    expect(kept).toMatch(/^552 full of … 😀+\uFFFD?$/u);
    expect(kept?.length).toBe(200);
  });

  it('are accepted and ignored for an unknown mail', async () => {
    const mail_id = '0198a000-0000-7000-8000-00000000ffff';
    expect(await postEvents({ mail_id, timestamp: 1_790_000_000, event: 'delivered' })).toBe(200);
    expect(await platform.database.rows('select from mail where id = $1', [mail_id])).toEqual([]);
  });
});
