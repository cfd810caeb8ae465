import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { errorReply } from '../../../../api/platform/http/error-reply';
import { createHttpServer } from '../../../../api/platform/http/http-server';
import { onlyMethod } from '../../../../api/platform/http/only-method';
import { sendRaw } from '../../../harness/platform/raw-http';

describe('onlyMethod', () => {
  it('replies 405 to other methods, TRACE among them, and repeats nothing of the request', async () => {
    const app = express();
    app.all('/thing', onlyMethod('GET'), (_request, response) => void response.json({}));
    app.use(errorReply);
    const { server, stop } = createHttpServer(app);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const ask = (method: string) =>
      sendRaw(
        `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        `${method} /thing HTTP/1.1\r\nhost: x\r\nauthorization: Bearer secret\r\nconnection: close\r\n\r\n`,
      );
    for (const method of ['TRACE', 'DELETE', 'PATCH', 'POST']) {
      const { status, headers, body } = await ask(method);
      expect([method, status, headers['allow']]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
      expect(body).not.toContain('secret');
      expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed' });
    }
    expect([(await ask('GET')).status, (await ask('OPTIONS')).status]).toEqual([200, 200]);
    await stop(1_000);
  });
});
