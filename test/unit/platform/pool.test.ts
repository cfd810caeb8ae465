import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';

/** Returns a message of the Postgres protocol: its type, its length and its content. */
function message(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}
const signedIn = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const fatal = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'));

describe('openPool', () => {
  it('gives an error to the caller if a connection breaks in the moment in which it opens', async () => {
    // The server accepts each connection and ends it in the same packet.
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([signedIn, ready, fatal])));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `postgres://app@127.0.0.1:${(server.address() as AddressInfo).port}/app`;
    const pool = openPool({ url, size: 1, applicationName: 'test', onIdleError: () => undefined });
    const reading = openDatabase(pool).queryAsWorker({ text: 'select', values: [] });
    await expect(reading).rejects.toThrow(/connection/i);
    await pool.end();
    server.close();
  });
});
