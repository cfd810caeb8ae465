import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { SignJWT } from 'jose';
import { createStoredFileEndpoint } from '../../../api/results/files';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys, openKeySet } from '../../../db/platform/tokens';
import { seedRecordings, recordingPaths } from '../../../local/seed/recordings';
import { errorBody } from '../../harness/platform/error-body';
import { sendRaw } from '../../harness/platform/raw-http';
import { serve } from '../../harness/platform/serve';

let origin: string;
let folder: string;
let keys: Awaited<ReturnType<typeof generateSigningKeys>>;
let objects: ObjectStore;
let bytes: Buffer;
const { session, firstAnswer } = recordingPaths;
const folderOf = (file: string) => path.dirname(file);
const storedAt = (objectPath: string) => path.join(folder, objectPath);
const openStore = (signedWith = keys, at = origin) =>
  createObjectStore({ kind: 'folder', folder }, signedWith, at);

beforeAll(async () => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'files-')), 'objects');
  keys = await generateSigningKeys();
  const app = express();
  app.use('/files', (request, response, next) => {
    request.log = { error: () => undefined } as never;
    response.setHeader('x-request-id', 'a-call-of-the-tests');
    return createStoredFileEndpoint({ objects })(request, response, next);
  });
  origin = await serve(app);
  objects = await openStore();
  await seedRecordings(objects);
  bytes = readFileSync(storedAt(session));
});
afterAll(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

const gone = errorBody('not_found');
const tokenOf = (url: string) => new URL(url).searchParams.get('file_token') ?? '';

async function read(url: string, init: RequestInit = {}) {
  const response = await fetch(url, init);
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

/** Requests the path exactly as written. `fetch` would normalize it. */
const readRaw = async (target: string) => {
  const request = `GET ${target} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\n\r\n`;
  const { status, body } = await sendRaw(origin, request);
  return { status, body: body.startsWith('{') ? (JSON.parse(body) as unknown) : body };
};

describe('GET /files with a signed URL', () => {
  it('returns the type of the name, or the one that was signed', async () => {
    for (const [name, contentType, answered] of [
      ['a.weba', undefined, 'audio/webm'],
      ['a.webm', undefined, 'video/webm'],
      ['a.mp4', undefined, 'video/mp4'],
      ['b.webm', 'audio/webm', 'audio/webm'],
    ] as const) {
      const stored = `${folderOf(session)}/${name}`;
      await objects.put(stored, Buffer.from('media'));
      const url = await objects.signUrl(stored, contentType === undefined ? {} : { contentType });
      expect([name, (await read(url)).headers.get('content-type')]).toEqual([name, answered]);
    }
  });

  it('returns the part of a range with 206', async () => {
    const url = await objects.signUrl(session);
    for (const [range, from, to] of [
      ['bytes=0-', 0, undefined],
      ['bytes=100-199', 100, 200],
      ['bytes=-10', -10, undefined],
    ] as const) {
      const { status, headers, body } = await read(url, { headers: { range } });
      expect([range, status, body.equals(bytes.subarray(from, to))]).toEqual([range, 206, true]);
      const start = from < 0 ? bytes.length + from : from;
      expect(headers.get('content-range')).toBe(`bytes ${start}-${(to ?? bytes.length) - 1}/${bytes.length}`);
    }
  });

  it('returns 416 and the length of the file for a range after its end', async () => {
    const { status, headers, body } = await read(await objects.signUrl(session), {
      headers: { range: 'bytes=99999999-' },
    });
    expect(status).toBe(416);
    expect(headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(JSON.parse(body.toString())).toEqual(errorBody('range_not_satisfiable', 'Range'));
  });

  it('returns 304 for an unchanged file, and a changed file in full', async () => {
    const url = await objects.signUrl(session);
    const since = (await read(url)).headers.get('last-modified') ?? '';
    expect(
      (await read(url, { headers: { 'if-modified-since': since, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304);
    const { status, body } = await read(url, {
      headers: { 'if-unmodified-since': new Date(0).toUTCString() },
    });
    expect([status, JSON.parse(body.toString())]).toEqual([412, errorBody('precondition_failed')]);
  });
});

describe('GET /files with another URL', () => {
  const other = (url: string) => url.replace(session, firstAnswer);
  const withToken = (token: string) => `${origin}/files/${session}?file_token=${token}`;
  /** Signs a token with the keys of the deployment. `change` changes the claims of a valid token. */
  const tokenWith = async (change: (token: SignJWT) => SignJWT) => {
    const signing = await openKeySet(keys, 'LINK_SIGNING_KEYS');
    const token = new SignJWT({}).setIssuer(origin).setAudience('file').setSubject(session);
    return signing.sign(change(token.setExpirationTime('15m')));
  };

  const refused: [string, () => Promise<string>][] = [
    ['a link that has expired', () => objects.signUrl(session, { expiresInSeconds: -10 })],
    ['a link of another file', async () => other(await objects.signUrl(session))],
    ['a file that is not there', () => objects.signUrl(`${folderOf(session)}/nothing.wav`)],
    ['no token', async () => `${origin}/files/${session}`],
    ['an empty token', async () => withToken('')],
    ['two tokens', async () => `${await objects.signUrl(session)}&file_token=x`],
    [
      'an altered signature',
      async () => {
        const [head, claims, signature = ''] = tokenOf(await objects.signUrl(session)).split('.');
        const first = signature.startsWith('A') ? 'B' : 'A';
        return withToken(`${head}.${claims}.${first}${signature.slice(1)}`);
      },
    ],
    [
      'an altered expiry',
      async () => {
        const [head, , signature] = tokenOf(await objects.signUrl(session)).split('.');
        const claims = { iss: origin, aud: 'file', sub: session, exp: 4_000_000_000 };
        return withToken(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`);
      },
    ],
    [
      'a token without a signature',
      async () => {
        const claims = tokenOf(await objects.signUrl(session)).split('.')[1];
        return withToken(`${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`);
      },
    ],
    ['another audience', async () => withToken(await tokenWith((token) => token.setAudience('interview')))],
    ['another issuer', async () => withToken(await tokenWith((token) => token.setIssuer('http://other')))],
    ['no expiry', async () => withToken(await tokenWith(() => neverEnding()))],
    ['keys that are not ours', async () => (await openStore(await generateSigningKeys())).signUrl(session)],
    [
      'a candidate’s link',
      async () => {
        const links = await createLinkTokens(keys, 'http://portal.test');
        const url = await links.accountUrl({
          profileId: session.slice(0, 36),
          merchantId: session.slice(0, 36),
          generation: 0,
        });
        return withToken(new URL(url).searchParams.get('invitation_token') ?? '');
      },
    ],
    ['a folder', async () => withToken(await tokenWith((token) => token.setSubject('')))],
  ];
  const neverEnding = () => new SignJWT({}).setIssuer(origin).setAudience('file').setSubject(session);

  it('returns the same 404 whatever is wrong with it', async () => {
    expect((await read(withToken(await tokenWith((token) => token)))).status).toBe(200);
    for (const [what, url] of refused) {
      const { status, headers, body } = await read(await url());
      expect([what, status, JSON.parse(body.toString())]).toEqual([what, 404, gone]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('treats another spelling of the path as another path', async () => {
    const { search } = new URL(await objects.signUrl(session));
    const [merchant = '', ...rest] = session.split('/');
    const spellings = [
      `/files//${session}`,
      `/files/./${session}`,
      `/files/x/../${session}`,
      `/files/${session}/`,
      `/files/${session}%00`,
      `/files/${session}%00.txt`,
      `/files/${session.replace('session', '%73ession')}`,
      `/files/${merchant}%2f${rest.join('/')}`,
      `/files/${merchant}%5c${rest.join('%5c')}`,
      `/files/${merchant}\\${rest.join('\\')}`,
      `/files/${session.toUpperCase()}`,
      `/files/${storedAt(session)}`,
      '/files/%zz',
      '/files/',
      '/files',
    ];
    for (const spelling of spellings)
      expect([spelling, await readRaw(spelling + search)]).toEqual([spelling, { status: 404, body: gone }]);
    expect((await readRaw(`/files/${session}${search}`)).status).toBe(200);
  });

  it('returns 404 for a signed path that leads out of the folder', async () => {
    writeFileSync(`${folder}.secret`, 'secret');
    const escapes = [
      `../${path.basename(folder)}.secret`,
      `..%2f${path.basename(folder)}.secret`,
      `..%252f${path.basename(folder)}.secret`,
      `..\\${path.basename(folder)}.secret`,
      `/etc/passwd`,
      `${folderOf(session)}/../../../../../../../../etc/passwd`,
      `C:\\windows\\win.ini`,
    ];
    for (const escape of escapes) {
      const token = await tokenWith((jwt) => jwt.setSubject(escape));
      expect([escape, await readRaw(`/files/${escape}?file_token=${token}`)]).toEqual([
        escape,
        { status: 404, body: gone },
      ]);
    }
  });

  it('returns 404 for links, folders, pipes and drafts in the store', async () => {
    const beside = (name: string) => storedAt(`${folderOf(session)}/${name}`);
    writeFileSync(`${folder}.secret`, 'secret');
    symlinkSync(`${folder}.secret`, beside('link.wav'));
    symlinkSync(storedAt(session), beside('inner-link.wav'));
    symlinkSync('loop.wav', beside('loop.wav'));
    mkdirSync(beside('folder.wav'));
    execFileSync('mkfifo', [beside('pipe.wav')]);
    writeFileSync(beside('.draft.wav'), 'draft');
    const outside = `${session.slice(0, 37)}uat`;
    mkdirSync(`${folder}.outside/${session.split('/')[2]}/1`, { recursive: true });
    writeFileSync(`${folder}.outside/${session.split('/')[2]}/1/session.wav`, 'secret');
    symlinkSync(`${folder}.outside`, storedAt(outside));
    const urls = await Promise.all([
      ...['link.wav', 'inner-link.wav', 'loop.wav', 'folder.wav', 'pipe.wav'].map((name) =>
        objects.signUrl(`${folderOf(session)}/${name}`),
      ),
      objects.signUrl(session.replace('/production/', '/uat/')),
      tokenWith((token) => token.setSubject(`${folderOf(session)}/.draft.wav`)).then(
        (token) => `${origin}/files/${folderOf(session)}/.draft.wav?file_token=${token}`,
      ),
    ]);
    for (const url of urls) {
      const { status, body } = await read(url);
      expect([url, status, JSON.parse(body.toString())]).toEqual([url, 404, gone]);
    }
  });
});

describe('GET /files while the store is unavailable', () => {
  it('signs URLs, returns 503 without a path, and returns files again when the store is back', async () => {
    const url = await objects.signUrl(session);
    const away = `${folder}.away`;
    renameSync(folder, away);
    try {
      const signed = await objects.signUrl(session);
      for (const each of [url, signed]) {
        const reply = await fetch(each);
        expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
        expect(await reply.json()).toEqual(errorBody('service_unavailable'));
      }
      symlinkSync(folder, folder);
      expect((await fetch(url)).status).toBe(503);
      rmSync(folder);
      writeFileSync(folder, 'no folder');
      expect((await fetch(url)).status).toBe(404);
    } finally {
      rmSync(folder, { force: true });
      renameSync(away, folder);
    }
    expect((await fetch(url)).status).toBe(200);
  });
});
