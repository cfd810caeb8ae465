import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { listenForNotifications } from '../../../db/platform/listen';
import { atEnd } from '../../harness/at-end';
import { inTime } from '../../harness/wait-for';

/** `AuthenticationOk` and `ReadyForQuery`. */
const accepted = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I');

it('stops when it is told to, also if Postgres accepts the connection and then hangs', async () => {
  let hang = () => {};
  const hangs = new Promise<void>((resolve) => (hang = resolve));
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', () => socket.write(accepted));
    socket.on('data', (sent) => sent.includes('listen') && hang());
    atEnd(() => socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const stop = new AbortController();
  const listening = listenForNotifications({
    url: `postgres://login:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`,
    applicationName: 'test',
    channels: { recording_stored: () => undefined },
    onError: () => undefined,
    signal: stop.signal,
  });
  await inTime('LISTEN', hangs);
  stop.abort();
  await expect(inTime('the end', listening)).resolves.toBeUndefined();
});
