import { z } from 'zod';
import { readMessagePrices } from '../../../activities/people/messages/read-prices';
import { createMessenger } from '../../../activities/providers/twilio';
import { interviewId } from '../../../local/seed/fixed-id';
import { startMailWorker } from '../../harness/people/mail-worker';
import type { MailWorker } from '../../harness/people/mail-worker';
import { newEmails, openSending } from '../../harness/people/sending';
import { waitFor } from '../../harness/wait-for';

type Row = { state: string; error: string | null; channel: string; price: number | null };
const received = z.array(z.object({ to: z.string(), from: z.string(), status: z.string() }));

let mailing: MailWorker;
beforeAll(async () => {
  mailing = await startMailWorker();
});
const sending = openSending(() => mailing);

const messengerWith = (whatsappFrom?: string) =>
  createMessenger({
    accountSid: `AC${'0'.repeat(32)}`,
    authToken: 'test',
    baseUrl: `${mailing.url}/twilio`,
    from: '+15005550006',
    whatsappFrom,
    hookUrl: 'https://api.example/hooks/twilio',
  });
const never = new AbortController().signal;
let numbers = 0;
const newNumber = () => `+4915112${String((numbers += 1)).padStart(6, '1')}`;

/** Queues a mail of this kind to a candidate with this phone number, whose interview has this channel. */
async function queue(channel: string | null, { phone = newNumber(), kind = 'candidate_invitation' } = {}) {
  const batch = await mailing.queue(newEmails(1));
  await mailing.database.rows('update interview set candidate_notification_channel = $2 where id = $1', [
    interviewId('active'),
    channel,
  ]);
  await mailing.database.rows(
    `with changed as (update mail set kind = $2 where batch_id = $1 returning enrolment_id)
     update enrolment set phone = $3 where id in (select enrolment_id from changed)`,
    [batch, kind, phone],
  );
  return batch;
}
const rowsOf = (batch: string) =>
  mailing.database.rows<Row>(
    `select q.state, q.error, q.channel, q.price::float8 as price from message q join mail m on m.id = q.mail_id
     where m.batch_id = $1`,
    [batch],
  );
const change = (batch: string, changes: string) =>
  mailing.database.rows(
    `update message set ${changes} where mail_id in (select id from mail where batch_id = $1)`,
    [batch],
  );
const messages = async () => received.parse(await mailing.fake('/messages'));

describe('sendMails with a message provider', () => {
  it('sends messages in addition to the mails that the channel names', async () => {
    const activities = mailing.activitiesWith({ messenger: messengerWith() });
    const kinds = ['candidate_invitation', 'next_step_invitation', 'retry_invitation', 'submit_reminder'];
    const accompanied: Record<string, string[]> = { null: [], last_reminder: [], reminders: [], all: [] };
    for (const channel of [null, 'last_reminder', 'reminders', 'all'])
      // The other mails would be withdrawn, because the reminders' batch has no invitation.
      for (const kind of kinds) {
        const batch = await queue(channel, { kind });
        await sending.send(batch, activities);
        if ((await rowsOf(batch)).length > 0) accompanied[String(channel)]?.push(kind);
      }
    const planned = kinds.filter((kind) => kind !== 'submit_reminder');
    expect(accompanied).toEqual({ null: [], last_reminder: [], reminders: [], all: planned });
  });

  it('does not send again what a worker that died may have sent', async () => {
    const activities = mailing.activitiesWith({ messenger: messengerWith() });
    const batch = await queue('all');
    await mailing.fault({ provider: 'twilio', status: 429 });
    expect(await sending.send(batch, activities)).toMatchObject({ sent: 1, failed: 1, unsent: 1 });
    await change(batch, `state = 'sending'`);
    expect(await sending.send(batch, activities)).toMatchObject({ sent: 0, failed: 0, unsent: 0 });
    expect(await rowsOf(batch)).toMatchObject([{ state: 'failed', error: 'unknown_outcome' }]);
    expect(await messages()).toEqual([]);
  });

  it('sends nothing to a candidate whose links have ended, or without a valid number', async () => {
    const activities = mailing.activitiesWith({ messenger: messengerWith() });
    const ended = await queue('all');
    await mailing.fault({ provider: 'twilio', status: 503 });
    await sending.send(ended, activities);
    await mailing.database.rows(
      'update enrolment set link_generation = 2 where id in (select enrolment_id from mail where batch_id = $1)',
      [ended],
    );
    const wrong = await queue('all', { phone: '0170 1234567' });
    for (const [batch, error] of [
      [ended, 'withdrawn'],
      [wrong, 'invalid_number'],
    ] as const) {
      expect(await sending.send(batch, activities)).toMatchObject({ failed: 0, unsent: 0 });
      expect(await rowsOf(batch)).toMatchObject([{ state: 'failed', error }]);
    }
    expect(await messages()).toEqual([]);
  });

  it('sends at most 20 messages of a merchant in 24 hours outside production', async () => {
    const activities = mailing.activitiesWith({ messenger: messengerWith() });
    await mailing.database.rows(
      `insert into message (mail_id, merchant_id, environment, enrolment_id, interview_id, link_generation, channel, state, sent_at)
       select m.id, m.merchant_id, 'development', e.id, e.interview_id, 1, 'sms', 'sent', now()
       from mail m join enrolment e on e.id = m.enrolment_id where m.batch_id = $1`,
      [await mailing.queue(newEmails(20))],
    );
    const outside = await queue('all');
    await mailing.fault({ provider: 'twilio', status: 429 });
    await sending.send(outside, activities);
    await change(outside, `environment = 'development'`);
    await sending.send(outside, activities);
    expect(await rowsOf(outside)).toMatchObject([{ state: 'failed', error: 'test_limit' }]);
    const inProduction = await queue('all');
    await mailing.fault({ provider: 'twilio', status: 429 });
    for (const failed of [1, 0])
      expect(await sending.send(inProduction, activities)).toMatchObject({ failed });
    expect(await rowsOf(inProduction)).toMatchObject([{ state: 'sent' }]);
  });

  it('gives up messages with the mails', async () => {
    const activities = mailing.activitiesWith({ messenger: messengerWith() });
    const batch = await queue('all');
    await mailing.fault({ provider: 'twilio', status: 401 });
    expect(await sending.send(batch, activities)).toMatchObject({ failed: 1, unsent: 1 });
    await sending.environment().run(activities.giveUpMails, { batch_id: batch });
    expect(await rowsOf(batch)).toMatchObject([{ state: 'failed', error: 'gave_up' }]);
    sending.told.splice(0);
  });
});

describe('readMessagePrices', () => {
  it('records what a message cost, and its state if a report was lost', async () => {
    // The fake knows no address of our hook, so it reports nothing.
    const messenger = messengerWith('+15005550007');
    const phone = newNumber();
    const batch = await queue('all', { phone });
    await sending.send(batch, mailing.activitiesWith({ messenger }));
    expect(await rowsOf(batch)).toMatchObject([{ state: 'sent', channel: 'whatsapp', price: null }]);
    await waitFor('the delivery', async () =>
      (await messages()).some(
        ({ to, from, status }) =>
          to === `whatsapp:${phone}` && from === 'whatsapp:+15005550007' && status === 'delivered',
      ),
    );
    // A message is asked about only after a minute, and once an hour.
    await readMessagePrices(mailing.worker, messenger, never);
    expect(await rowsOf(batch)).toMatchObject([{ state: 'sent', price: null }]);
    await change(batch, `sent_at = now() - interval '2 minutes'`);
    await mailing.fault({ provider: 'twilio', status: 503 });
    await readMessagePrices(mailing.worker, messenger, never);
    await readMessagePrices(mailing.worker, messenger, never);
    expect(await rowsOf(batch)).toMatchObject([{ state: 'sent', price: null }]);
    await change(batch, `checked_at = now() - interval '2 hours'`);
    await readMessagePrices(mailing.worker, messenger, never);
    expect(await rowsOf(batch)).toMatchObject([{ state: 'delivered', price: 0.0075 }]);
  });
});
