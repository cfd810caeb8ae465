import { createServer, type Server } from 'node:net';
import { assertPortsFree, findFreePort } from '../../../local/ports';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

describe('assertPortsFree', () => {
  it('accepts free ports and leaves them free', async () => {
    const port = await findFreePort();
    await assertPortsFree([{ variable: 'PORT', port }], 0);
    await listenOn(port);
  });

  it('throws with the taken port and its variable', async () => {
    const port = await findFreePort();
    await listenOn(port);
    await expect(assertPortsFree([{ variable: 'FAKES_PORT', port }], 0)).rejects.toThrow(
      `Port ${port} is taken: set FAKES_PORT to another port, or end what listens there.`,
    );
  });

  it('waits for a port that is released soon', async () => {
    const port = await findFreePort();
    const server = await listenOn(port);
    const checked = assertPortsFree([{ variable: 'PORT', port }], 30_000);
    server.close();
    await checked;
  });

  it('throws with both variables of one port', async () => {
    const port = await findFreePort();
    await expect(
      assertPortsFree([
        { variable: 'PORT', port },
        { variable: 'METRICS_PORT', port },
      ]),
    ).rejects.toThrow(`Port ${port} is named by PORT and by METRICS_PORT: set one of them to another port.`);
  });
});
