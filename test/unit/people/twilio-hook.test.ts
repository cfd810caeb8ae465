import { createHmac, randomUUID } from 'node:crypto';
import express from 'express';
import { createTwilioHook } from '../../../api/people/twilio-hook';
import { eachRow } from '../../harness/each-row';
import { serve } from '../../harness/platform/serve';

const authToken = 'a token';
let origin: string;
beforeAll(async () => {
  const app = express();
  app.post('/', (request, response, next) =>
    createTwilioHook({
      database: {
        write: () => {
          throw new Error('It recorded something.');
        },
      },
      authToken,
      publicOrigin: origin,
    })(request, response, next),
  );
  origin = await serve(app);
});

describe('/hooks/twilio', () => {
  const report = { MessageSid: 'SM1', MessageStatus: 'failed', ErrorCode: '30008' };

  it('accepts what it does not know, and records nothing', () =>
    eachRow<[Record<string, string>, string]>(
      [
        [{}, ''],
        [report, '?mail_id=x'],
        [{ ...report, MessageStatus: 'constructor' }, `?mail_id=${randomUUID()}`],
        [{ From: 'nobody', Body: 'STOP' }, ''],
        [{ From: '+4915112345678', Body: 'Who is this?' }, ''],
      ],
      async (fields, query) => {
        const url = `${origin}/${query}`;
        const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
        const signature = createHmac('sha1', authToken)
          .update(url + sorted.flat().join(''))
          .digest('base64');
        const headers = { 'x-twilio-signature': signature };
        const reply = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) });
        expect([reply.status, await reply.text()]).toEqual([200, '<Response/>']);
      },
    ));
});
