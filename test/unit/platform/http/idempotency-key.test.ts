import express from 'express';
import { readIdempotencyKey } from '../../../../api/platform/http/idempotency';
import { eachRow } from '../../../harness/each-row';
import { sendRaw } from '../../../harness/platform/raw-http';
import { serve } from '../../../harness/platform/serve';

let origin: string;
beforeAll(async () => {
  const app = express();
  app.get('/', (request, response) => void response.json(readIdempotencyKey(request) ?? null));
  origin = await serve(app);
});
const send = async (...keys: string[]) => {
  const headers = keys.map((key) => `Idempotency-Key: ${key}\r\n`).join('');
  const bytes = `GET / HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
  const { status, body } = await sendRaw(origin, Buffer.from(bytes, 'latin1'));
  return [status, JSON.parse(body) as unknown];
};

describe('Idempotency-Key', () => {
  it('has 1 to 255 printable characters', () =>
    eachRow(['', 'a'.repeat(256), 'sch\u00f6n', 'a\tb'], async (key) => {
      expect(await send(key)).toMatchObject([422, { name: 'Idempotency-Key', code: 'invalid_format' }]);
    }));

  it('is sent once, where a comma belongs to it', async () => {
    expect(await send()).toEqual([200, null]);
    expect(await send('a, b')).toEqual([200, 'a, b']);
    expect(await send('a', 'b')).toMatchObject([422, { name: 'Idempotency-Key', code: 'invalid_value' }]);
  });
});
