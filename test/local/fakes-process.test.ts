import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startFakes, type Fakes } from '../../local/fakes/server';

let fakes: Fakes;
beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
});
afterAll(() => fakes.close());

describe('the process', () => {
  const children: ChildProcess[] = [];
  const start = async (port: string, more: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, FAKES_PORT: port, ...more };
    const child = fork(path.resolve('dist/local/fakes/main.js'), { env, silent: true, execArgv: [] });
    children.push(child);
    const { stderr } = child;
    let said = '';
    stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    // The test waits for `exit`, because `close` is not emitted after a disconnect.
    const ended = Promise.all([once(child, 'exit'), stderr && once(stderr, 'end')]).then(([[code]]) => ({
      code,
      said,
    }));
    return {
      child,
      ended,
      ready: await Promise.race([once(child, 'message').then(([text]) => text), ended]),
    };
  };

  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('reports that it is ready, and ends on a signal or a disconnect', async () => {
    for (const end of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
      const { child, ended, ready } = await start('0');
      expect(ready).toBe('ready');
      if (end === 'disconnect') child.disconnect();
      else child.kill(end);
      expect([end, await ended]).toEqual([end, { code: 0, said: '' }]);
    }
  });

  it('ends with one sentence when the port is used or invalid, or the signing key is invalid', async () => {
    const taken = await start(String(fakes.port));
    expect(await taken.ended).toEqual({
      code: 1,
      said: `Port ${fakes.port} is taken: set FAKES_PORT to a free one.\n`,
    });
    const wrong = await start('many');
    expect(await wrong.ended).toEqual({
      code: 1,
      said: 'FAKES_PORT must be a port number from 0 to 65535.\n',
    });
    const unsigned = await start('0', {
      SENDGRID_EVENTS_URL: 'http://x.test',
      SENDGRID_EVENT_SIGNING_KEY: 'x',
    });
    expect(await unsigned.ended).toEqual({
      code: 1,
      said: 'SENDGRID_EVENT_SIGNING_KEY must be a P-256 private key, base64 of PKCS #8 in DER.\n',
    });
  });
});
