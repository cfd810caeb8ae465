import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { atEndOfTest } from '../../harness/at-end';
import { eachRow } from '../../harness/each-row';
import { grantInvitations } from '../../harness/people/mailbox';
import { cloneWithSteps, peopleCalls } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { openLink } from '../../harness/taking/open-link';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let interview: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  await grantInvitations(platform);
  interview = await cloneWithSteps(platform.database, { candidate_notification_channel: 'all' });
});
afterEach(() => platform.clearFaults());

const received = z.array(z.object({ to: z.string(), from: z.string(), body: z.string() }));
const listed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      kind: z.string().nullable(),
      mail_status: z.string().nullable(),
      message_channel: z.string().nullable(),
      message_status: z.string().nullable(),
      message_error: z.string().nullable(),
      message_cost: z.unknown(),
    }),
  ),
});
/** Returns a new valid mobile number that ends in these digits. */
const newNumber = (end = '00000') => `+49151${++numbers}${end}`;
let numbers = 100;
const messagesTo = async (number: string) =>
  received.parse(await platform.fake('/messages')).filter(({ to }) => to === number);

/** Invites a candidate for each number, and returns the domain of their addresses. */
async function invite(phones: string[], more: { interview_id?: string; token?: string } = {}) {
  const { interview_id = interview, token } = more;
  const domain = `${randomUUID()}.example`;
  const users = phones.map((phone, place) => ({
    email: `p${place}@${domain}`,
    type: 'candidate',
    interview_id,
    phone,
  }));
  const rows = await peopleCalls(platform).invite(users, {}, token === undefined ? {} : { token });
  expect(rows).toEqual(users.map(() => expect.objectContaining({ result: 'Invited' })));
  return domain;
}
const entriesOf = async (domain: string, token?: string) => {
  const { body } = await platform.call('merchant-invitation-list', {
    query: { filter_text: domain },
    ...(token === undefined ? {} : { token }),
  });
  return listed.parse(body).data;
};
/** Waits until the messages to a domain have these states, and returns the entries of the list. */
const waitForStates = (domain: string, states: string[], token?: string) =>
  waitFor(`the messages to ${domain}`, async () => {
    const entries = await entriesOf(domain, token);
    const found = entries.map(({ message_status }) => String(message_status)).toSorted();
    return found.join() === states.toSorted().join() && entries;
  });

describe('a message', () => {
  it('accompanies the mail with a short link to the same interview, and is delivered', async () => {
    const number = newNumber();
    const domain = await invite([number]);
    const [entry] = await waitForStates(domain, ['delivered']);
    expect(entry).toMatchObject({
      kind: 'candidate_invitation',
      message_channel: 'sms',
      message_error: null,
      message_cost: null,
    });
    const [message] = await messagesTo(number);
    expect(message?.from).toBe('+15005550006');
    const [sentence, link = '', stop] = (message?.body ?? '').split('\n');
    expect([sentence, stop]).toEqual([
      expect.stringContaining('invites you to an online interview'),
      'Reply STOP to opt out',
    ]);
    const response = await fetch(link, { redirect: 'manual' });
    const target = response.headers.get('location') ?? '';
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store']);
    expect(target).toContain(`/interview/take/${interview}/?interview_token=`);
    expect((await openLink(target)).status).toBe(200);
    expect((await fetch(`${link}x`, { redirect: 'manual' })).status).toBe(404);
    // The link ends with those of the mail.
    await platform.database.rows('update enrolment set link_generation = 2 where email like $1', [
      `%@${domain}`,
    ]);
    const ended = await fetch(link, { redirect: 'manual' });
    expect((await openLink(ended.headers.get('location') ?? '')).status).not.toBe(200);
  });

  it('that does not arrive says why', () =>
    eachRow<[string, string, string]>(
      [
        [newNumber('30003'), 'undelivered', 'The phone is switched off or out of reach.'],
        [newNumber('30001'), 'failed', 'The message provider reported the error 30001.'],
      ],
      async (number, state, error) => {
        const [entry] = await waitForStates(await invite([number]), [state]);
        expect(entry?.message_error).toBe(error);
      },
    ));

  it('is sent once if the reply is lost', async () => {
    const [lost, nowhere] = [newNumber(), newNumber()];
    // The provider takes the message and the connection breaks. Its report says that the message was sent.
    await platform.fault({ provider: 'twilio', accept: true, reset: true });
    await waitForStates(await invite([lost]), ['delivered']);
    expect(await messagesTo(lost)).toHaveLength(1);

    await platform.fault({ provider: 'twilio', reset: true });
    const [entry] = await waitForStates(await invite([nowhere]), ['failed']);
    expect(entry?.message_error).toContain('not known whether');
    expect(await messagesTo(nowhere)).toEqual([]);
  });

  it('goes to a number at most three times in 24 hours', async () => {
    const number = newNumber();
    const states = ['delivered', 'delivered', 'delivered', 'failed'];
    const entries = await waitForStates(await invite([number, number, number, number]), states);
    expect(entries.map(({ message_error }) => message_error)).toContain(
      'This number got 3 messages in the last 24 hours.',
    );
    expect(await messagesTo(number)).toHaveLength(3);
  });

  it('goes to no number that answered STOP, until it answers START', async () => {
    const number = newNumber();
    const hasOptedOut = async () =>
      (await platform.database.rows('select from message_opt_out where number = $1', [number])).length > 0;
    const answer = async (body: string) => {
      const init = { method: 'POST', body: JSON.stringify({ from: number, body }) };
      expect((await fetch(`${platform.stack.fakes_url}/messages/reply`, init)).status).toBe(202);
    };
    await waitForStates(await invite([number]), ['delivered']);
    await answer(' stop ');
    await waitFor('the STOP', hasOptedOut);
    const [entry] = await waitForStates(await invite([number]), ['failed']);
    expect(entry).toMatchObject({ message_error: expect.stringContaining('answered STOP') });
    expect(entry?.mail_status).not.toBe('failed');
    await answer('Yes');
    expect(await hasOptedOut()).toBe(true);
    await answer('START');
    await waitFor('the START', async () => !(await hasOptedOut()));
    await waitForStates(await invite([number]), ['delivered']);
    expect(await messagesTo(number)).toHaveLength(2);
  });

  it('accompanies only the mails that the interview names', async () => {
    const remindersOnly = await cloneWithSteps(platform.database, {
      candidate_notification_channel: 'reminders',
    });
    await platform.database.rows(
      `update merchant set reminder_after = interval '0', final_reminder_after = null where id = $1`,
      [platform.stack.merchant_id],
    );
    // The other tests expect one message for each invitation.
    atEndOfTest(() =>
      platform.database.rows('update merchant set reminder_after = null where id = $1', [
        platform.stack.merchant_id,
      ]),
    );
    const domain = await invite([newNumber()], { interview_id: remindersOnly });
    const entries = await waitFor('the reminder', async () => {
      const found = await entriesOf(domain);
      return found.some(({ message_status }) => message_status === 'delivered') && found;
    });
    expect(entries.map(({ kind, message_channel }) => [kind, message_channel])).toEqual([
      ['reminder', 'sms'],
      ['candidate_invitation', null],
    ]);
  });
});

describe('/hooks/twilio', () => {
  const post = async (fields: Record<string, string>, { query = '', token = platform.messageToken } = {}) => {
    const url = `${platform.stack.origin}/hooks/twilio${query}`;
    const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const signature = createHmac('sha1', token)
      .update(url + sorted.flat().join(''))
      .digest('base64');
    const body = new URLSearchParams(fields);
    const response = await fetch(url, { method: 'POST', headers: { 'x-twilio-signature': signature }, body });
    return { status: response.status, text: await response.text() };
  };
  const report = { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30008' };

  it('returns 401 without a valid signature, and changes nothing', async () => {
    const domain = await invite([newNumber()]);
    const [entry] = await waitForStates(domain, ['delivered']);
    const query = `?mail_id=${entry?.id}`;
    const forged = await post(report, { query, token: 'another' });
    expect([forged.status, JSON.parse(forged.text)]).toEqual([401, errorBody('signature_invalid')]);
    const url = `${platform.stack.origin}/hooks/twilio${query}`;
    for (const signature of ['', 'AAAA', '!!', 'A'.repeat(5_000)]) {
      const init = { method: 'POST', headers: { 'x-twilio-signature': signature }, body: 'a=b' };
      expect((await fetch(url, init)).status).toBe(401);
    }
    // A late report of an earlier state does not change the last one.
    expect(await post({ ...report, MessageStatus: 'sent' }, { query })).toEqual({
      status: 200,
      text: '<Response/>',
    });
    expect((await entriesOf(domain))[0]?.message_status).toBe('delivered');
  });
});
