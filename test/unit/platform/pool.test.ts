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

  it('sends only the startup parameters that PgBouncer accepts', async () => {
    const parameters = new Map<string, string>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (packet) => {
        // The length and the version take 8 bytes. Names and values follow, each with a zero byte at its end.
        const words = packet.toString('latin1', 8).split('\0');
        for (let index = 0; words[index]; index += 2)
          parameters.set(words[index] ?? '', words[index + 1] ?? '');
        socket.end(fatal);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `postgres://app@127.0.0.1:${(server.address() as AddressInfo).port}/app`;
    const pool = openPool({ url, size: 1, applicationName: 'test', onIdleError: () => undefined });
    await expect(pool.query('select')).rejects.toThrow('terminating');
    await pool.end();
    server.close();
    expect([...parameters.keys()].toSorted()).toEqual([
      'application_name',
      'client_encoding',
      'database',
      'user',
    ]);
  });
});
