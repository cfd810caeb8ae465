import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { commandLineOf, takePidFile } from '../../../local/pid-file';
import { ensureSigningKeys, readSecrets } from '../../../local/secrets';
import { openStateFolder, removeData, writePrivateJson } from '../../../local/state-folder';

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'state-')), 'state');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

const mode = (file: string) => statSync(file).mode & 0o777;

describe('openStateFolder', () => {
  it('creates a folder that nobody else can read', () => {
    const folder = openStateFolder(root);
    expect(mode(folder.root)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    expect(mode(path.dirname(folder.logFile('api')))).toBe(0o700);
  });

  it('names the variable when it cannot be created', () => {
    expect(() => openStateFolder('/dev/null/state')).toThrow(
      '/dev/null/state cannot be used (ENOTDIR): set LOCAL_DIR to a folder this user may write.',
    );
  });
});

describe('removeData', () => {
  it('removes the data and leaves the secrets', () => {
    const folder = openStateFolder(root);
    const secrets = readSecrets(folder.secretsFile);
    for (const data of [folder.postgres, folder.objects]) mkdirSync(data);
    for (const file of [folder.temporalDb, `${folder.temporalDb}-wal`, folder.stackFile])
      writeFileSync(file, '');
    removeData(folder);
    for (const file of [
      folder.postgres,
      folder.objects,
      folder.temporalDb,
      `${folder.temporalDb}-wal`,
      folder.stackFile,
    ])
      expect(existsSync(file)).toBe(false);
    expect(readSecrets(folder.secretsFile)).toEqual(secrets);
  });
});

describe('readSecrets', () => {
  it('creates them once, for this user only', () => {
    const { secretsFile } = openStateFolder(root);
    const first = readSecrets(secretsFile);
    expect(mode(secretsFile)).toBe(0o600);
    expect(readSecrets(secretsFile)).toEqual(first);
    const [name, key = ''] = first.sealing_keys.split(':');
    expect(name).toBe('k1');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
  });

  it('reports a damaged file', () => {
    const { secretsFile } = openStateFolder(root);
    writePrivateJson(secretsFile, { sealing_keys: 'none' });
    expect(() => readSecrets(secretsFile)).toThrow(`${secretsFile} is damaged: remove it and start`);
  });
});

describe('ensureSigningKeys', () => {
  it('creates one private P-256 key, once', async () => {
    const { signingKeysFile } = openStateFolder(root);
    await ensureSigningKeys(signingKeysFile);
    const content = readFileSync(signingKeysFile, 'utf8');
    expect(mode(signingKeysFile)).toBe(0o600);
    const jwk = z.object({
      kty: z.literal('EC'),
      crv: z.literal('P-256'),
      d: z.string(),
      kid: z.string().min(1),
    });
    expect(z.object({ keys: z.array(jwk).length(1) }).safeParse(JSON.parse(content)).success).toBe(true);
    await ensureSigningKeys(signingKeysFile);
    expect(readFileSync(signingKeysFile, 'utf8')).toBe(content);
  });
});

describe('takePidFile', () => {
  const quick = { endingMs: 100, orphansMs: 100 };
  const own = () => ({ pid: process.pid, command: commandLineOf(process.pid) });

  it('rejects a second start while the first one runs', async () => {
    const { pidFile } = openStateFolder(root);
    const held = await takePidFile(pidFile);
    await expect(takePidFile(pidFile, quick)).rejects.toThrow(
      `npm start already runs with ${root} (process ${process.pid}): end it, or set LOCAL_DIR to another folder.`,
    );
    held.remove();
    (await takePidFile(pidFile)).remove();
  });

  it.each([
    ['is no longer running', [{ pid: 2 ** 30, command: 'node' }]],
    ['has ended and whose process id another program has', [{ ...own(), command: 'another' }]],
    ['was killed while it wrote the file', 'half a'],
  ])('replaces the file of a start that %s', async (_, content) => {
    const { pidFile } = openStateFolder(root);
    writeFileSync(pidFile, JSON.stringify(content));
    await takePidFile(pidFile);
    expect(JSON.parse(readFileSync(pidFile, 'utf8'))).toEqual([own()]);
    expect(mode(pidFile)).toBe(0o600);
  });

  it('ends the processes that a killed start left running, and no other process', async () => {
    const { pidFile } = openStateFolder(root);
    const left = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { detached: true });
    const ended = new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)));
    const first = await takePidFile(pidFile);
    first.add(left.pid ?? 0);
    const [, child] = JSON.parse(readFileSync(pidFile, 'utf8')) as unknown[];
    const killed = { pid: 2 ** 30, command: 'node' };
    writeFileSync(pidFile, JSON.stringify([killed, child, { ...own(), command: 'another' }]));
    await takePidFile(pidFile, quick);
    expect(await ended).toBe('SIGKILL');
  });
});
