import { generateKeyPairSync, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { createSendgridHook } from '../../../api/people/sendgrid-events';
import { recordMailEvents } from '../../../db/people/mails';
import type { Database } from '../../../db/platform/database';
import { eachRow } from '../../harness/each-row';
import { serve } from '../../harness/platform/serve';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
/** The statements that the hook has run. */
const run: unknown[] = [];
const write: Database['write'] = async (_caller, work) =>
  work({ count: async (statement: unknown) => run.push(statement) } as never);
const app = express();
app.post('/', createSendgridHook({ database: { write }, verificationKey: publicKey }));
let origin: string;
beforeAll(async () => {
  origin = await serve(app);
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
async function post(body: string | Buffer, headers: Record<string, string> = {}) {
  const timestamp = '1790000001';
  const signed = Buffer.concat([Buffer.from(timestamp), Buffer.from(body)]);
  const response = await fetch(origin, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': sign('sha256', signed, privateKey).toString('base64'),
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  });
  return { status: response.status, body: await response.json() };
}
const postEvents = (...events: unknown[]) => post(JSON.stringify(events));

describe('/hooks/sendgrid, a signed call', () => {
  it('is accepted with any events', () =>
    eachRow(
      [
        ['no event at all', []],
        [
          'an event of another kind',
          [
            { ...event, event: 'click' },
            { ...event, event: 'deferred' },
          ],
        ],
        [
          'events named like parts of objects',
          [
            { ...event, event: 'constructor' },
            { ...event, event: '__proto__' },
          ],
        ],
        ['a mail that is not ours', [{ ...event, mail_id: undefined }]],
        [
          'a mail id of another form',
          [
            { ...event, mail_id: 'x' },
            { ...event, mail_id: 5 },
          ],
        ],
        ['no event but other values', [null, 5, 'x', [], {}]],
        ['no time', [{ ...event, timestamp: undefined }]],
        ['an impossible time', [-1, 1e300, '1790000000'].map((each) => ({ ...event, timestamp: each }))],
        ['a reason of another form', [{ ...event, event: 'bounce', reason: { a: 1 } }]],
        [
          'a reason with NUL and half a character',
          [{ ...event, event: 'bounce', reason: '5\u0000.1\uD800' }],
        ],
        ['a very long reason', [{ ...event, event: 'bounce', reason: 'a@b '.repeat(100_000) }]],
        [
          'everything at once',
          ['processed', 'open', 'dropped', 'bounce'].map((name) => ({ ...event, event: name })),
        ],
      ],
      async (_what, events) => {
        expect(await postEvents(...events)).toMatchObject({ status: 200, body: {} });
      },
    ));

  it('gets a 422 for a body that is no list of events', () =>
    eachRow(['', 'x', '{', '{}', 'null', '"x"', `${JSON.stringify([event])},`], async (body) => {
      expect(await post(body)).toMatchObject({
        status: 422,
        body: { error: 'The body must be a JSON array of events.' },
      });
    }));

  it('is accepted up to 1 MiB', async () => {
    const pad = (length: number) => JSON.stringify([event]).padEnd(length, ' ');
    expect((await post(pad(1_048_576))).status).toBe(200);
    expect(await post(pad(1_048_577))).toMatchObject({
      status: 413,
      body: { error: 'The body must be at most 1 MiB.' },
    });
    const bomb = gzipSync(pad(2_000_000));
    expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
  });
});

it('stores what a mail server says as one short line without addresses', async () => {
  const reason = `552\u0000 full\r\nof <di.words@example.com>: ${'😀'.repeat(200)}`;
  const { mail_id } = event;
  run.length = 0;
  await postEvents({ mail_id, timestamp: 1_790_000_000, event: 'dropped', reason });
  const stored = `552 full of … ${'😀'.repeat(200)}`.slice(0, 200).toWellFormed();
  const at = new Date(1_790_000_000_000).toISOString();
  expect(run[0]).toEqual(recordMailEvents([{ mail_id, event: 'bounced', at, reason: stored }]));
});
