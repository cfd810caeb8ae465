import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { objectPath } from '../../../db/platform/object-path';
import { createObjectStore } from '../../../db/platform/object-store';
import type { ObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { startMemoryBucket } from '../../harness/platform/memory-bucket';
import { uuid } from './world';

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
