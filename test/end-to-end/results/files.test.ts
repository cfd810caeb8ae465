import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import type { JWK } from 'jose';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { seedRecordings, recordingPaths } from '../../../local/seed/recordings';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let objects: ObjectStore;
let bytes: Buffer;
const { session } = recordingPaths;
const storedAt = (objectPath: string) => path.join(platform.objectsFolder, objectPath);
const linkKeys = () => JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
const openStore = (keys = linkKeys(), origin = platform.stack.origin) =>
  createObjectStore({ kind: 'folder', folder: platform.objectsFolder }, keys, origin);

beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  objects = await openStore();
  await seedRecordings(objects);
  bytes = readFileSync(storedAt(session));
});

async function read(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

describe('GET /files with a signed URL', () => {
  it('returns the file, its type, and headers that say how a page may use it', async () => {
    const { status, headers, body } = await read(await objects.signUrl(session));
    expect(status).toBe(200);
    expect(body.equals(bytes)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(bytes.length),
      'content-disposition': 'inline',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox allow-same-origin$/),
      'cross-origin-resource-policy': 'cross-origin',
      'x-robots-tag': 'noindex',
    });
  });

  it('exists on the API’s host only', async () => {
    const { search } = new URL(await objects.signUrl(session));
    const { status, body } = await read(`${platform.stack.portal_url}/files/${session}${search}`);
    expect(status).toBe(404);
    expect(body.includes('RIFF')).toBe(false);
  });
});

describe('GET /files while the store is unavailable', () => {
  it('logs no URL and no token', async () => {
    const url = await objects.signUrl(session);
    const away = `${platform.objectsFolder}.away`;
    renameSync(platform.objectsFolder, away);
    expect((await fetch(url, { headers: { 'x-request-id': 'files-in-no-log' } })).status).toBe(503);
    renameSync(away, platform.objectsFolder);
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
