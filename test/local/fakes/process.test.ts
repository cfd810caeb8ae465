import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import { startFakes, type Fakes } from '../../../local/fakes/server';

let fakes: Fakes;
beforeAll(async () => {
  fakes = await startFakes({ port: 0 });
});
afterAll(() => fakes.close());

describe('the process', () => {
  const children: ChildProcess[] = [];
  let folder: string;
  const start = async (port: string, more: NodeJS.ProcessEnv = {}) => {
    const env = { ...process.env, NODE_PATH: path.resolve('node_modules'), FAKES_PORT: port, ...more };
    const child = fork(path.join(folder, 'local/fakes/main.js'), { env, silent: true, execArgv: [] });
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

  beforeAll(() => {
    // The fakes are compiled here, so that the test does not depend on an earlier build.
    folder = mkdtempSync(path.join(tmpdir(), 'fakes-'));
    for (const room of ['local/fakes']) {
      mkdirSync(path.join(folder, room), { recursive: true });
      for (const file of readdirSync(room).filter((name) => name.endsWith('.ts'))) {
        const { code } = transformFileSync(path.resolve(room, file));
        writeFileSync(path.join(folder, room, file.replace(/ts$/, 'js')), code);
      }
    }
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it.each(['SIGTERM', 'SIGINT', 'disconnect'] as const)(
    'reports that it is ready, and ends on %s',
    async (end) => {
      const { child, ended, ready } = await start('0');
      expect(ready).toBe('ready');
      if (end === 'disconnect') child.disconnect();
      else child.kill(end);
      expect(await ended).toEqual({ code: 0, said: '' });
    },
  );

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
