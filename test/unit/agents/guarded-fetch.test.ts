import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { createGuardedFetch } from '../../../api/agents/oauth/guarded-fetch';
import { addressRanges } from '../../../api/platform/text/webhook-url';

/** Serves this first line of a reply to every request, whatever it asks for. */
const serve = async (line: string): Promise<Server> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 ${line}\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

describe('a guarded fetch', () => {
  // Anyone can name an address to fetch, so an error outside of the promise would let anyone end the process.
  it.each(['999 None', '600 None', '101 Switching Protocols'])('rejects a reply %s', async (line) => {
    const server = await serve(line);
    const guarded = createGuardedFetch({
      allowHttp: true,
      allowedPorts: 'any',
      allowedRanges: addressRanges.parse('127.0.0.0/8'),
    });
    const { port } = server.address() as AddressInfo;
    await expect(guarded(`https://127.0.0.1:${port}/c.json`)).rejects.toThrow(TypeError);
    await new Promise((resolve) => server.close(resolve));
  });
});
