import { Readable } from 'node:stream';
import { measureMs, splitSound } from '../../../activities/taking/media-thread';
import { mediaFile } from '../../harness/taking/media-file';

const storeOf = (file: Buffer) => ({
  get: async (_path: string, range = { start: 0, end: file.length }) => {
    const bytes = file.subarray(range.start, range.end);
    return { stream: Readable.from([bytes]), sizeBytes: bytes.length };
  },
});
const mediaOf = (file: Buffer) => ({ path: 'a', sizeBytes: file.length });
const gone = { get: async () => Promise.reject(new Error('the store is away')) };
const limits = { maxBytes: 1_000_000, maxSeconds: null };
const webmHead = Buffer.from('1a45dfa3874282847765626d1853806701ffffffffffffff', 'hex');
const oggPage = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(23)]);

describe('a recording', () => {
  it('is measured, and split into files', async () => {
    const file = await mediaFile('webm', 60_000, { hasPicture: true, packetBytes: 2_000 });
    expect(Math.abs(((await measureMs(storeOf(file), mediaOf(file), 60_000)) ?? 0) - 60_000)).toBeLessThan(
      150,
    );
    const sizes: number[] = [];
    const isDone = await splitSound(storeOf(file), mediaOf(file), limits, async ({ bytes }) => {
      sizes.push(bytes.length);
    });
    expect([isDone, sizes.length, Math.max(...sizes) <= 1_000_000]).toEqual([true, 2, true]);
  });

  it('that is damaged is given up, also if the parser would never end', async () => {
    const whole = await mediaFile('webm', 1_000, { hasPicture: true });
    const endless = Buffer.from(whole);
    endless[(17 * 7919) % 600] = (17 * 31) % 256;
    const damaged = [Buffer.from('To whom it may concern.'), endless.subarray(0, endless.length - 221)];
    for (const file of damaged) {
      expect((await measureMs(storeOf(file), mediaOf(file), 2_000)) ?? null).toBeNull();
      const split = splitSound(storeOf(file), mediaOf(file), limits, async () => undefined, 2_000);
      expect(await split).toBe(false);
    }
  });

  it('throws errors of the object store and of the caller', async () => {
    const file = await mediaFile('webm', 1_000);
    const fail = async () => Promise.reject(new Error('the model is away'));
    await expect(measureMs(gone, mediaOf(file), 60_000)).rejects.toThrow('the store is away');
    await expect(splitSound(gone, mediaOf(file), limits, fail)).rejects.toThrow('the store is away');
    await expect(splitSound(storeOf(file), mediaOf(file), limits, fail)).rejects.toThrow('the model is away');
  });

  it.each([
    ['wav chunks', Buffer.from('52494646ffffffff57415645', 'hex'), Buffer.from('6a756e6b00000000', 'hex')],
    ['seek heads', webmHead, Buffer.from('114d9b7480', 'hex')],
    [
      'free boxes',
      Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'),
      Buffer.from('0000000866726565', 'hex'),
    ],
    ['void elements', webmHead, Buffer.from('ec80', 'hex')],
    ['ogg pages', null, oggPage],
  ])('of nothing but empty %s gets no more time than one limit', async (_, head, filler) => {
    const begin = head ?? (await mediaFile('ogg', 200));
    const file = Buffer.concat([begin, Buffer.alloc(64 * 1_048_576, filler)]);
    expect(await measureMs(storeOf(file), mediaOf(file), 10)).toBeUndefined();
    expect(await splitSound(storeOf(file), mediaOf(file), limits, async () => undefined, 10)).toBe(false);
  });
});
