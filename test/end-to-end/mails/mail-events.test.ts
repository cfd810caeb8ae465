import { generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const event = {
  email: 'ann@example.com',
  timestamp: 1_790_000_000,
  event: 'delivered',
  mail_id: '0198a000-0000-7000-8000-000000000001',
  sg_event_id: 'e1',
  sg_message_id: 'm1',
  category: ['candidate_invitation'],
};
const timestamp = '1790000001';
const signatureOf = (signed: string | Buffer, key: KeyObject = platform.mailEventKey) =>
  sign('sha256', Buffer.concat([Buffer.from(timestamp), Buffer.from(signed)]), key).toString('base64');
const headersOf = (signature: string): Record<string, string> => ({
  'content-type': 'application/json',
  'x-twilio-email-event-webhook-timestamp': timestamp,
  'x-twilio-email-event-webhook-signature': signature,
});
const post = async (body: string | Buffer, headers = headersOf(signatureOf(body))) => {
  const response = await fetch(`${platform.stack.origin}/hooks/sendgrid`, { method: 'POST', headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
};
const postEvents = (...events: unknown[]) => post(JSON.stringify(events));
const statusOf = async (...events: unknown[]) => (await postEvents(...events)).status;

describe('/hooks/sendgrid, a call that SendGrid did not sign', () => {
  const body = JSON.stringify([event]);

  it('gets a 401', () =>
    eachRow<[string, () => ReturnType<typeof post>]>(
      [
        ['an altered body', () => post(body.replace('delivered', 'bounce'), headersOf(signatureOf(body)))],
        ['a space more', () => post(`${body} `, headersOf(signatureOf(body)))],
        [
          'another timestamp',
          () =>
            post(body, {
              ...headersOf(signatureOf(body)),
              'x-twilio-email-event-webhook-timestamp': '1790000002',
            }),
        ],
        [
          'another key',
          () =>
            post(
              body,
              headersOf(signatureOf(body, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)),
            ),
        ],
        ['a signature that is none', () => post(body, headersOf('AAAA'))],
        ['an empty signature', () => post(body, headersOf(''))],
        ['a signature that is no base64', () => post(body, headersOf('!!'))],
        ['no header', () => post(body, {})],
        ['no header and no body', () => post('', {})],
        ['a bearer token', () => post(body, { authorization: `Bearer ${platform.stack.tokens.admin}` })],
      ],
      async (_what, call) => {
        expect(await call()).toMatchObject({ status: 401, body: errorBody('signature_invalid') });
      },
    ));
});

type MailRow = { delivered_at: Date | null; opened_at: Date | null; bounce_reason: string | null };
const readMail = async (id: string): Promise<MailRow | undefined> =>
  (await platform.database.rows<MailRow>('select * from mail where id = $1', [id]))[0];

/** Inserts a sent mail that the fake provider does not know, so that only the test sends events about it. */
async function putSentMail(): Promise<string> {
  const [mail] = await platform.database.rows<{ id: string }>(
    `with batch as (
       insert into invitation_batch (merchant_id, environment, platform_language_code)
       values ($1, 'production', 'en') returning id
     )
     insert into mail (merchant_id, environment, batch_id, kind, profile_id, state)
     select $1, 'production', id, 'team_invitation', $2, 'sent' from batch returning id`,
    [merchants.main.id, people.merchant.id],
  );
  return mail?.id ?? '';
}

describe('the events of a mail', () => {
  it('count the first time of each when they come twice, late and in another order', async () => {
    const mail_id = await putSentMail();
    const at = (timestamp: number, event: string) => ({ mail_id, timestamp, event });
    expect(await statusOf(at(1_790_000_300, 'open'), at(1_790_000_200, 'open'))).toBe(200);
    expect(await statusOf(at(1_790_000_100, 'delivered'), at(1_790_000_000, 'processed'))).toBe(200);
    expect(await statusOf(at(1_790_000_900, 'delivered'), at(1_790_000_900, 'open'))).toBe(200);
    const mail = await readMail(mail_id);
    expect([mail?.opened_at, mail?.delivered_at]).toEqual([
      new Date(1_790_000_200_000),
      new Date(1_790_000_100_000),
    ]);
  });
});
