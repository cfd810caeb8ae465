import { z } from 'zod';
import type { Operations } from '../platform/operations';
import type { Platform } from '../platform/platform';
import { waitFor } from '../wait-for';

const mails = z.array(
  z.object({
    to: z.string(),
    html: z.string(),
    text: z.string(),
    categories: z.array(z.string()),
    custom_args: z.record(z.string(), z.string()),
  }),
);
type ReceivedMail = z.infer<typeof mails>[number];

/** Returns the mails that the provider has accepted, oldest first. */
export const mailbox = async (platform: Platform): Promise<ReceivedMail[]> =>
  mails.parse(await platform.fake('/mailbox'));

type MailState = {
  id: string;
  batch_id: string;
  kind: string;
  state: string;
  attempts: number;
  email: string;
  is_delivered: boolean;
  is_opened: boolean;
  is_bounced: boolean;
};

/** Returns the mails to addresses at this domain, with their states in the database. */
export const mailsTo = (platform: Platform, domain: string): Promise<MailState[]> =>
  platform.database.rows<MailState>(
    `select m.id, m.batch_id, m.kind, m.state, m.attempts, p.email, m.delivered_at is not null as is_delivered,
       m.opened_at is not null as is_opened, m.bounced_at is not null as is_bounced
     from mail m join profile p on p.id = m.profile_id where split_part(p.email, '@', 2) = $1 order by m.id`,
    [domain],
  );

/** Waits until `isDone` is true for every mail to a domain, and returns these mails. */
export const waitForMails = (
  platform: Platform,
  domain: string,
  isDone: (mail: MailState) => boolean,
): Promise<MailState[]> =>
  waitFor(`the mails to ${domain}`, async () => {
    const found = await mailsTo(platform, domain);
    return found.length > 0 && found.every(isDone) && found;
  });

/** Returns how many times the provider has accepted each mail, by the id of the mail. */
export async function arrivals(platform: Platform): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { custom_args: args } of await mailbox(platform)) {
    const id = args['mail_id'] ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Invites candidates to the active interview. Throws if one of them is rejected. */
export async function inviteCandidates(
  platform: Platform,
  emails: string[],
  more: { interview_id?: string; token?: string } = {},
): Promise<void> {
  const { interview_id = platform.stack.ids.active_interview, token } = more;
  const reply = await platform.call('invite-users', {
    body: { users: emails.map((email) => ({ email, type: 'candidate', interview_id })), force_invite: true },
    ...(token === undefined ? {} : { token }),
  });
  const rows: unknown = JSON.parse(reply.text);
  expect(reply.status).toBe(200);
  expect(rows).toEqual(emails.map(() => expect.objectContaining({ result: 'Invited' })));
}

/** Grants the merchant more invitations than any test needs. */
export const grantInvitations = (platform: Operations) =>
  platform.database.rows(`select app.post_credits($1, 'extra', 'grant', 100000, null, null)`, [
    platform.stack.merchant_id,
  ]);
