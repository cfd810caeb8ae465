import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { errorReply } from '../../../api/platform/http/error-reply';
import { atEnd } from '../at-end';

/** Serves an app with the API's error replies in this process, until the test file ends. Returns its origin. */
export async function serve(app: Express): Promise<string> {
  app.use(errorReply);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
