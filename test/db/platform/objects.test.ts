import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { JWK } from 'jose';
import { isObjectPath, objectPath } from '../../../db/platform/object-path';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { recordingPaths, seedRecordings } from '../../../local/seed/recordings';
import { startMemoryBucket } from '../../harness/platform/memory-bucket';
import { uuid } from './world';

describe('object store', () => {
  const origin = 'https://api.example.com';
  const merchant_id = uuid();
  const interview_result_id = uuid();
  const file = (name: string) =>
    objectPath({ merchant_id, environment: 'production', interview_result_id, attempt: 2, name });
  const video = file('answer-1.webm');
  const bytes = Buffer.from('some media');
  const stream = (sizeBytes: number, chunks = [bytes]) => ({ stream: Readable.from(chunks), sizeBytes });
  const claimsOf = (url: string) =>
    JSON.parse(
      Buffer.from(new URL(url).searchParams.get('file_token')?.split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>;

  let linkKeys: { keys: JWK[] };
  let folder: string;
  let objects: ObjectStore;
  beforeEach(async () => {
    linkKeys = await generateSigningKeys();
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'objects-')), 'store');
    objects = await createObjectStore({ kind: 'folder', folder }, linkKeys, origin);
  });
  afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

  describe('a path of the store', () => {
    it('contains merchant, environment, result, attempt and file', () => {
      expect(video).toBe(`${merchant_id}/production/${interview_result_id}/2/answer-1.webm`);
      expect(isObjectPath(video)).toBe(true);
    });

    const start = `${merchant_id}/production/${interview_result_id}`;
    const bad = [
      '',
      video.slice(1),
      `/${video}`,
      `./${video}`,
      `${video}/`,
      `${video}\n`,
      `${video}\0`,
      `${start}/2/..`,
      `${start}/2/.hidden`,
      `${start}/2/../../x.webm`,
      `${start}/2/a/b.webm`,
      `${start}/2/a%2fb.webm`,
      `${start}/2/a\\b.webm`,
      `${start}/2/ä.webm`,
      `${start}/2/a b.webm`,
      `${start}/2/${'a'.repeat(101)}`,
      `${start}/0/a.webm`,
      `${start}/-1/a.webm`,
      `${start}/1e3/a.webm`,
      `${start}//a.webm`,
      video.replace('production', 'elsewhere'),
      video.toUpperCase(),
      '../../../../../etc/passwd',
      'https://example.com/a.webm',
    ];

    it.each(bad)('is neither signed nor stored when it is %j', async (wrong) => {
      const refusal =
        'Not a path of the object store: <merchant_id>/<environment>/<interview_result_id>/<attempt>/<name>';
      expect(isObjectPath(wrong)).toBe(false);
      await expect(objects.signUrl(wrong)).rejects.toThrow(refusal);
      await expect(objects.put(wrong, bytes)).rejects.toThrow(refusal);
    });

    it('cannot be built from an invalid name or attempt', () => {
      expect(() => file('../x.webm')).toThrow(/^Not a path of the object store/);
      expect(() =>
        objectPath({ merchant_id, environment: 'demo', interview_result_id, attempt: 1.5, name: 'a.wav' }),
      ).toThrow(/^Not a path of the object store/);
    });
  });

  describe('a folder', () => {
    it('signs a link for 15 minutes and for one file', async () => {
      const before = Math.floor(Date.now() / 1000);
      const url = await objects.signUrl(video);
      const after = Math.floor(Date.now() / 1000);
      expect(url.split('?')[0]).toBe(`${origin}/files/${video}`);
      const { exp, ...claims } = claimsOf(url);
      expect(claims).toEqual({ iss: origin, aud: 'file', sub: video });
      expect(Number(exp)).toBeGreaterThanOrEqual(before + 900);
      expect(Number(exp)).toBeLessThanOrEqual(after + 900);
    });

    it('signs the link of a missing file without creating the folder', async () => {
      await objects.signUrl(video);
      expect(readdirSync(path.dirname(folder))).toEqual([]);
    });

    it('stores bytes and streams in files that only its own user can read, and replaces earlier ones', async () => {
      await objects.put(video, Buffer.from('the first'));
      await objects.put(video, stream(2 * bytes.length, [bytes, bytes]));
      expect(readFileSync(path.join(folder, video), 'utf8')).toBe('some mediasome media');
      expect(statSync(path.join(folder, video)).mode & 0o777).toBe(0o600);
      expect(statSync(path.join(folder, merchant_id)).mode & 0o777).toBe(0o700);
    });

    it.each([
      ['shorter than announced', () => stream(bytes.length + 1)],
      ['longer than announced', () => stream(bytes.length - 1)],
      [
        'cut off',
        () => ({
          sizeBytes: bytes.length,
          stream: Readable.from(
            (function* broken() {
              yield bytes;
              throw new Error('the caller hung up');
            })(),
          ),
        }),
      ],
    ])('keeps the earlier file and nothing else when a stream is %s', async (_, body) => {
      await objects.put(video, bytes);
      await expect(objects.put(video, body())).rejects.toThrow(/^The file has|^the caller hung up/);
      expect(readdirSync(path.dirname(path.join(folder, video)))).toEqual(['answer-1.webm']);
      expect(readFileSync(path.join(folder, video)).equals(bytes)).toBe(true);
    });

    it('rejects an extension that is not one of a recording or PDF', async () => {
      for (const name of ['page.html', 'noending', 'a.webm.exe', 'a.WAV'])
        await expect(objects.put(file(name), bytes)).rejects.toThrow(
          'The object store takes no file of this ending',
        );
    });

    it('opens links of an old key after a rotation, until the key is removed', async () => {
      await objects.put(video, bytes);
      const token = new URL(await objects.signUrl(video)).searchParams.get('file_token');
      const fresh = await generateSigningKeys();
      const rotated = { keys: [...fresh.keys, ...linkKeys.keys] };
      const open = async (keys: { keys: JWK[] }) =>
        (await createObjectStore({ kind: 'folder', folder }, keys, origin)).findSigned(video, token);
      expect(await open(rotated)).toEqual({ root: folder, path: video, contentType: 'video/webm' });
      expect(await open(fresh)).toBeUndefined();
    });

    it('contains the recordings of the seed, which are equal files each time', async () => {
      const digest = () =>
        Object.values(recordingPaths).map((each) =>
          createHash('sha256')
            .update(readFileSync(path.join(folder, each)))
            .digest('hex'),
        );
      await seedRecordings(objects);
      const first = digest();
      await seedRecordings(objects);
      expect(digest()).toEqual(first);
      expect(new Set(first).size).toBe(3);
      const wav = readFileSync(path.join(folder, recordingPaths.session));
      expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
      expect([wav.readUInt32LE(4) + 8, wav.readUInt32LE(40) + 44]).toEqual([wav.length, wav.length]);
      // The length of a WAV file in seconds is its bytes of sound divided by its bytes per second.
      expect(wav.readUInt32LE(40) / wav.readUInt32LE(28)).toBe(1);
    });
  });

  describe('a bucket', () => {
    type Seen = { method: string; url: URL; headers: IncomingHttpHeaders; body: Buffer };
    const seen: Seen[] = [];
    let server: Server;
    let endpoint: string;
    let answer: number;
    const saved = { ...process.env };

    beforeAll(async () => {
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'hush' });
      server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const url = new URL(request.url ?? '', endpoint);
          seen.push({
            method: request.method ?? '',
            url,
            headers: request.headers,
            body: Buffer.concat(chunks),
          });
          response.writeHead(answer, { etag: '"1"' }).end();
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    });
    beforeEach(() => {
      seen.length = 0;
      answer = 200;
    });
    afterAll(async () => {
      process.env = saved;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    const openBucket = (more: { endpoint?: string } = {}) =>
      createObjectStore(
        { kind: 's3', bucket: 'recordings', region: 'eu-central-1', endpoint: undefined, ...more },
        linkKeys,
        origin,
      );

    it('signs links itself, for 15 minutes, with the host of the bucket', async () => {
      const url = new URL(await (await openBucket()).signUrl(video));
      expect(url.origin + url.pathname).toBe(`https://recordings.s3.eu-central-1.amazonaws.com/${video}`);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': expect.stringMatching(/^AKIATEST\/\d{8}\/eu-central-1\/s3\/aws4_request$/),
        'X-Amz-Expires': '900',
        'X-Amz-SignedHeaders': 'host',
        'X-Amz-Signature': expect.stringMatching(/^[0-9a-f]{64}$/),
        'response-content-disposition': 'inline',
        'response-cache-control': 'private, no-cache',
      });
      expect(url.href).not.toContain('hush');
    });

    it('signs a path on another server without a request, with the given duration and type', async () => {
      const store = await openBucket({ endpoint });
      const url = new URL(await store.signUrl(video, { expiresInSeconds: 60, contentType: 'audio/webm' }));
      expect(seen).toEqual([]);
      expect(url.origin + url.pathname).toBe(`${endpoint}/recordings/${video}`);
      expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
      expect(url.searchParams.get('response-content-type')).toBe('audio/webm');
      const other = new URL(await store.signUrl(file('answer-2.webm'), { expiresInSeconds: 60 }));
      expect(other.searchParams.get('X-Amz-Signature')).not.toBe(url.searchParams.get('X-Amz-Signature'));
    });

    it.each([
      ['bytes', () => bytes],
      ['a stream', () => stream(bytes.length)],
    ])('stores %s at its path with its type', async (_, body) => {
      await (await openBucket({ endpoint })).put(video, body());
      const [put, ...more] = seen;
      expect(more).toEqual([]);
      expect([put?.method, put?.url.pathname, put?.body.toString()]).toEqual([
        'PUT',
        `/recordings/${video}`,
        'some media',
      ]);
      expect(put?.headers).toMatchObject({
        'content-type': 'video/webm',
        'content-length': String(bytes.length),
        authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKIATEST\//),
      });
    });

    it('reports an error of the store', async () => {
      answer = 403;
      await expect((await openBucket({ endpoint })).put(video, bytes)).rejects.toMatchObject({
        $metadata: { httpStatusCode: 403 },
      });
    });

    it('signs a link for more than a week at the API, which leads to a fresh link of the bucket', async () => {
      const store = await openBucket();
      const pdf = file('report.pdf');
      const url = new URL(await store.signUrl(pdf, { expiresInSeconds: 30 * 86_400 }));
      expect(url.origin + url.pathname).toBe(`${origin}/files/${pdf}`);
      const token = url.searchParams.get('file_token');
      const found = await store.findSigned(pdf, token);
      const target = new URL(found && 'redirectTo' in found ? found.redirectTo : '');
      expect(target.origin + target.pathname).toBe(`https://recordings.s3.eu-central-1.amazonaws.com/${pdf}`);
      expect(Object.fromEntries(target.searchParams)).toMatchObject({
        'X-Amz-Expires': '900',
        'response-content-disposition': 'attachment; filename="interview-report.pdf"',
      });
      expect(await store.findSigned(video, token)).toBeUndefined();
    });

    it('validates paths before it sends anything, and opens no link without a valid token', async () => {
      const store = await openBucket({ endpoint });
      await expect(store.signUrl('../x.webm')).rejects.toThrow(/^Not a path of the object store/);
      await expect(store.put('../x.webm', bytes)).rejects.toThrow(/^Not a path of the object store/);
      await expect(store.put(file('x.html'), bytes)).rejects.toThrow(/takes no file of this ending/);
      expect(await store.findSigned(video, 'a.b.c')).toBeUndefined();
      expect(seen).toEqual([]);
    });
  });
});

describe('object store reads', () => {
  type Place = { objects: ObjectStore; close: () => Promise<void> | void };

  const inFolder = async (): Promise<Place & { folder: string }> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'objects-'));
    const objects = await createObjectStore(
      { kind: 'folder', folder },
      await generateSigningKeys(),
      'https://api.example.com',
    );
    return { objects, folder, close: () => rmSync(folder, { recursive: true }) };
  };

  const inBucket = async (): Promise<Place & Awaited<ReturnType<typeof startMemoryBucket>>> => {
    const bucket = await startMemoryBucket('recordings');
    const location = { kind: 's3', bucket: 'recordings', region: 'eu-central-1' } as const;
    const objects = await createObjectStore(
      { ...location, endpoint: bucket.endpoint },
      await generateSigningKeys(),
      'https://api.example.com',
    );
    return { ...bucket, objects, close: bucket.stop };
  };

  const saved = { ...process.env };
  beforeAll(() => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'AKIATEST', AWS_SECRET_ACCESS_KEY: 'hush' });
  });
  afterAll(() => {
    process.env = saved;
  });

  const merchant_id = uuid();
  const file = (name: string, attempt = 1, interview_result_id = result) =>
    objectPath({ merchant_id, environment: 'production', interview_result_id, attempt, name });
  const result = uuid();

  describe.each([
    ['a folder', inFolder],
    ['a bucket', inBucket],
  ])('%s', (_, open) => {
    let place: Place;
    beforeEach(async () => {
      place = await open();
    });
    afterEach(() => place.close());

    const put = (...paths: string[]) =>
      Promise.all(paths.map((each) => place.objects.put(each, Buffer.from(each))));
    const read = async (each: string) => {
      const opened = await place.objects.get(each);
      return opened && { text: (await buffer(opened.stream)).toString(), sizeBytes: opened.sizeBytes };
    };
    const left = async (...paths: string[]) => {
      const found = await Promise.all(paths.map(read));
      return paths.filter((__, index) => found[index] !== undefined);
    };

    it('returns the bytes and the size of a file, and undefined for a missing one', async () => {
      const [one, other] = [file('a.webm'), file('b.webm')];
      await put(one);
      expect(await read(one)).toEqual({ text: one, sizeBytes: one.length });
      expect(await read(other)).toBeUndefined();
    });

    it('returns a range of a file', async () => {
      const one = file('a.webm');
      await put(one);
      const opened = await place.objects.get(one, { start: 3, end: 10 });
      if (!opened) throw new Error('the file is missing');
      expect([(await buffer(opened.stream)).toString(), opened.sizeBytes]).toEqual([one.slice(3, 10), 7]);
      expect(await place.objects.get(file('b.webm'), { start: 0, end: 1 })).toBeUndefined();
    });

    it('copies a file as a stream', async () => {
      const [one, other] = [file('a.part'), file('b.webm')];
      await put(one);
      const opened = await place.objects.get(one);
      if (!opened) throw new Error('the file is missing');
      await place.objects.put(other, opened);
      expect(await read(other)).toEqual({ text: one, sizeBytes: one.length });
    });

    it('deletes a file, also twice', async () => {
      const [one, other] = [file('a.webm'), file('b.webm')];
      await put(one, other);
      await place.objects.delete(one);
      await place.objects.delete(one);
      expect(await left(one, other)).toEqual([other]);
    });

    it.each([
      ['some files of an attempt', 'a-', ['b.webm', 'attempt 2', 'other result']],
      ['an attempt', '', ['attempt 2', 'other result']],
    ])('deletes %s by a prefix, also twice', async (__, prefix, kept) => {
      const named = {
        'a-1': file('a-1.part'),
        'a-2': file('a-2.part'),
        'a-3': file('a-3.part'),
        'b.webm': file('b.webm'),
        'attempt 2': file('a-1.part', 2),
        'other result': file('a-1.part', 1, uuid()),
      };
      await put(...Object.values(named));
      const start = named['a-1'].slice(0, -'a-1.part'.length);
      await place.objects.deletePrefix(start + prefix);
      await place.objects.deletePrefix(start + prefix);
      expect(await left(...Object.values(named))).toEqual(
        kept.map((each) => named[each as keyof typeof named]),
      );
    });

    it('deletes all attempts of a result by its prefix', async () => {
      const [one, second, other] = [file('a.webm'), file('a.webm', 2), file('a.webm', 1, uuid())];
      await put(one, second, other);
      await place.objects.deletePrefix(`${merchant_id}/production/${result}/`);
      expect(await left(one, second, other)).toEqual([other]);
    });

    it('deletes nothing for a prefix without files', async () => {
      await expect(
        place.objects.deletePrefix(`${merchant_id}/production/${uuid()}/1/a`),
      ).resolves.toBeUndefined();
    });

    it.each([
      '',
      '/',
      merchant_id,
      `${merchant_id}/`,
      `${merchant_id}/production/`,
      `${merchant_id}/production/${result}`,
      `${merchant_id}/production/${result}/../`,
      `${merchant_id}/production/${result}/1/..`,
      `${merchant_id}/production/${result}/1/../2/`,
      `${merchant_id}/production/${result}/1/.hidden`,
      `${merchant_id}/production/${result}/0/`,
    ])('rejects the prefix %j', async (prefix) => {
      await expect(place.objects.deletePrefix(prefix)).rejects.toThrow(/^Not a prefix of the object store/);
    });

    it.each(['../x.webm', '', `${merchant_id}/production/${result}/1/`])(
      'neither reads nor deletes the path %j',
      async (wrong) => {
        await expect(place.objects.get(wrong)).rejects.toThrow(/^Not a path of the object store/);
        await expect(place.objects.delete(wrong)).rejects.toThrow(/^Not a path of the object store/);
      },
    );
  });

  it('removes what a killed process left in the folder of an attempt', async () => {
    const { objects, folder, close } = await inFolder();
    await objects.put(file('a.webm'), Buffer.from('a'));
    const inside = path.join(folder, path.dirname(file('a.webm')));
    writeFileSync(path.join(inside, '.half-written'), 'half');
    await objects.deletePrefix(`${path.dirname(file('a.webm'))}/`);
    expect(() => writeFileSync(path.join(inside, 'b'), '')).toThrow(/ENOENT/);
    await close();
  });

  it('reports an error of a bucket, and deletes the rest when it is called again', async () => {
    const bucket = await inBucket();
    await bucket.objects.put(file('a.webm'), Buffer.from('a'));
    bucket.failures.add('DELETE').add('GET');
    await expect(bucket.objects.delete(file('a.webm'))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 503 },
    });
    await expect(bucket.objects.get(file('a.webm'))).rejects.toMatchObject({
      $metadata: { httpStatusCode: 503 },
    });
    bucket.failures.clear();
    await bucket.objects.deletePrefix(`${merchant_id}/production/${result}/`);
    expect([...bucket.files.keys()]).toEqual([]);
    await bucket.close();
  });
});
