import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { seedRecordings, recordingPaths } from '../../../local/seed/recordings';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let objects: ObjectStore;
const { session } = recordingPaths;

beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
  const folder = { kind: 'folder' as const, folder: platform.objectsFolder };
  objects = await createObjectStore(folder, keys, platform.stack.origin);
  await seedRecordings(objects);
});

describe('GET /files while the store is unavailable', () => {
  it('signs URLs, returns 503 without a path, and returns files again when the store is back', async () => {
    const url = await objects.signUrl(session);
    const away = `${platform.objectsFolder}.away`;
    renameSync(platform.objectsFolder, away);
    try {
      const signed = await objects.signUrl(session);
      for (const each of [url, signed]) {
        const reply = await fetch(each);
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await reply.json()).toEqual(errorBody('service_unavailable'));
      }
      symlinkSync(platform.objectsFolder, platform.objectsFolder);
      expect((await fetch(url)).status).toBe(503);
      rmSync(platform.objectsFolder);
      writeFileSync(platform.objectsFolder, 'no folder');
      expect((await fetch(url)).status).toBe(404);
    } finally {
      rmSync(platform.objectsFolder, { force: true });
      renameSync(away, platform.objectsFolder);
    }
    expect((await fetch(url)).status).toBe(200);
  });

  it('logs no URL and no token', async () => {
    const url = await objects.signUrl(session);
    await fetch(url, { headers: { 'x-request-id': 'files-in-no-log' } });
    const log = await waitFor('the line of that', async () => {
      const text = platform.readLog();
      return text.includes('files-in-no-log') && text;
    });
    expect(log).toContain('failed to read the object store');
    expect(log).not.toContain('file_token');
    expect(log).not.toContain(new URL(url).searchParams.get('file_token'));
    expect(log).not.toContain('session.wav');
  });
});
