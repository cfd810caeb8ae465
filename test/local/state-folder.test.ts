import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { endLeftovers, isRunning, readRecord, recordProcess } from '../../local/leftovers';
import { takeLock } from '../../local/lock';
import { readProcess } from '../../local/process-table';
import { ensureSigningKeys, readSecrets } from '../../local/secrets';
import { findClosedFolder, openStateFolder, removeData, writePrivateJson } from '../../local/state-folder';

let root: string;
beforeEach(() => {
  root = path.join(mkdtempSync(path.join(tmpdir(), 'state-')), 'state');
});
afterEach(() => rmSync(path.dirname(root), { recursive: true, force: true }));

const mode = (file: string) => statSync(file).mode & 0o777;

describe('openStateFolder', () => {
  it('makes a folder nobody else can read', () => {
    const folder = openStateFolder(root);
    expect(mode(folder.root)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    expect(mode(path.dirname(folder.logFile('api')))).toBe(0o700);
  });

  it('leaves the mode of a folder that was there', () => {
    mkdirSync(root);
    chmodSync(root, 0o755);
    openStateFolder(root);
    expect(mode(root)).toBe(0o755);
  });

  it('names the variable when it cannot be made', () => {
    expect(() => openStateFolder('/dev/null/state')).toThrow(
      '/dev/null/state cannot be used (ENOTDIR): set LOCAL_DIR to a folder this user may write.',
    );
  });
});

describe('removeData', () => {
  it('takes the data and leaves the secrets', () => {
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

describe('findClosedFolder', () => {
  it('finds the folder an account may not pass', () => {
    mkdirSync(path.join(root, 'inner'), { recursive: true });
    const { uid, gid } = statSync(root);
    chmodSync(path.dirname(root), 0o711);
    chmodSync(root, 0o700);
    const target = path.join(root, 'inner/postgres');
    expect(findClosedFolder(target, uid, gid)).toBeUndefined();
    expect(findClosedFolder(target, uid + 1, gid + 1)).toBe(root);
    chmodSync(root, 0o710);
    expect(findClosedFolder(target, uid + 1, gid)).toBeUndefined();
  });
});

describe('readSecrets', () => {
  it('makes them once, for this user alone', () => {
    const { secretsFile } = openStateFolder(root);
    const first = readSecrets(secretsFile);
    expect(mode(secretsFile)).toBe(0o600);
    expect(readSecrets(secretsFile)).toEqual(first);
    const [name, key = ''] = first.sealing_keys.split(':');
    expect(name).toBe('k1');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
  });

  it('says so when the file is damaged', () => {
    const { secretsFile } = openStateFolder(root);
    writePrivateJson(secretsFile, { sealing_keys: 'none' });
    expect(() => readSecrets(secretsFile)).toThrow(`${secretsFile} is damaged: remove it and begin anew`);
  });
});

describe('ensureSigningKeys', () => {
  it('makes one private P-256 key, once', async () => {
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

describe('takeLock', () => {
  it('refuses a second start while the first one runs', async () => {
    const { lock } = openStateFolder(root);
    const held = await takeLock(lock);
    await expect(takeLock(lock)).rejects.toThrow(
      `npm start already runs with ${root} (process ${process.pid}): end it, or set LOCAL_DIR to another folder.`,
    );
    held.release();
    (await takeLock(lock)).release();
  });

  it('waits for one that is ending', async () => {
    const { lock } = openStateFolder(root);
    const held = await takeLock(lock);
    held.markEnding();
    const next = takeLock(lock);
    held.release();
    (await next).release();
  });

  it.each([
    ['is gone', { pid: 2 ** 30, startedAt: '1', ending: false }],
    ['is another program with the same number', { pid: process.pid, startedAt: 'long ago', ending: false }],
  ])('takes over from a start that %s', async (_, content) => {
    const { lock } = openStateFolder(root);
    writeFileSync(lock, JSON.stringify(content));
    (await takeLock(lock)).release();
  });

  it('takes over from a start that was killed before it had written its number', async () => {
    const { lock } = openStateFolder(root);
    writeFileSync(lock, '');
    (await takeLock(lock)).release();
  });
});

describe('endLeftovers', () => {
  it('ends what was noted and is still itself, and nothing else', async () => {
    const { run } = openStateFolder(root);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    const noted = path.join(run, 'worker');
    recordProcess(noted, child.pid ?? 0);
    const record = readRecord(noted);
    expect(record && isRunning(record)).toBe(true);
    writeFileSync(path.join(run, 'api'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    writeFileSync(path.join(run, 'temporal'), 'half a no');
    await endLeftovers(run);
    expect(await ended).toBe('SIGTERM');
    expect(readProcess(process.pid)).toBeDefined();
    expect(existsSync(noted)).toBe(false);
  });
});
