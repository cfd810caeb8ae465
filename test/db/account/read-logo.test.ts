import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { maxLogoBytes, readLogo } from '../../../api/account/read-logo';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#1a56c4' } }).withExif({
    IFD0: { Artist: 'Ann Lee' },
  });

/** Returns a chunk of a PNG file, without a correct checksum. */
const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};
const bomb = () => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(60_000, 0);
  header.writeUInt32BE(60_000, 4);
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(10_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const folder = mkdtempSync(path.join(tmpdir(), 'read-logo-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Returns the path of a script that runs in place of the one that decodes pictures. */
const script = (source: string): string => {
  const file = path.join(folder, 'child.js');
  writeFileSync(file, source);
  return file;
};

describe('readLogo', () => {
  it('returns a small PNG without metadata for a PNG, JPEG or WebP picture', async () => {
    for (const file of [
      await picture(2_000, 1_000).png().toBuffer(),
      await picture(2_000, 1_000).jpeg().toBuffer(),
      await picture(2_000, 1_000).webp().toBuffer(),
    ]) {
      const logo = await readLogo(file);
      expect(await sharp(logo).metadata()).toMatchObject({ format: 'png', width: 256, height: 128 });
      expect(logo.includes('Ann Lee')).toBe(false);
    }
    const small = await readLogo(await picture(100, 20).png().toBuffer());
    expect(await sharp(small).metadata()).toMatchObject({ width: 100, height: 20 });
  });

  it.each<[string, () => Buffer | Promise<Buffer>, string]>([
    [
      'an SVG with a script',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'PNG, JPEG or WebP',
    ],
    ['a text', () => Buffer.from('no picture'), 'PNG, JPEG or WebP'],
    ['a GIF', () => picture(10, 10).gif().toBuffer(), 'PNG, JPEG or WebP'],
    [
      'a file that only begins like a picture',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]),
      'cannot be read',
    ],
    [
      'half of a picture',
      async () => (await picture(300, 300).jpeg().toBuffer()).subarray(0, 700),
      'cannot be read',
    ],
    ['a small file with too many pixels', bomb, 'cannot be read'],
    ['a file above the limit', () => Buffer.alloc(maxLogoBytes + 1), 'at most 512 KB'],
  ])('rejects %s', async (_what, file, sentence) => {
    await expect(readLogo(await file())).rejects.toMatchObject({
      status: 422,
      errors: [{ name: 'logo', code: 'invalid_value', error: expect.stringContaining(sentence) }],
    });
  });

  it('rejects a picture whose process dies, and reads the next one', async () => {
    const png = await picture(100, 20).png().toBuffer();
    await expect(readLogo(png, script(`process.kill(process.pid, 'SIGSEGV')`))).rejects.toMatchObject({
      status: 422,
      field: 'logo',
    });
    expect(await sharp(await readLogo(png)).metadata()).toMatchObject({ width: 100 });
  });

  it('starts at most two processes at once, which do not know the environment', async () => {
    const png = await picture(100, 20).png().toBuffer();
    process.env['SECRET'] = 'a secret';
    const names = script('process.stdout.write(JSON.stringify(process.env))');
    const [first, , third] = await Promise.allSettled([1, 2, 3].map(() => readLogo(png, names)));
    delete process.env['SECRET'];
    const shown = first?.status === 'fulfilled' ? String(first.value) : 'no reply';
    expect(shown).toMatch(/^\{(?!.*SECRET)/);
    expect(third).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  });
});
