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

describe('a recording', () => {
  it('is measured, and split into files', async () => {
    const file = await mediaFile('webm', 60_000, { hasPicture: true, packetBytes: 2_000 });
    expect(Math.abs(((await measureMs(storeOf(file), mediaOf(file))) ?? 0) - 60_000)).toBeLessThan(150);
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
      expect(await measureMs(storeOf(file), mediaOf(file), 2_000)).toBeNull();
      const split = splitSound(storeOf(file), mediaOf(file), limits, async () => undefined, 2_000);
      expect(await split).toBe(false);
    }
  });

  it('throws errors of the object store and of the caller', async () => {
    const file = await mediaFile('webm', 1_000);
    const fail = async () => Promise.reject(new Error('the model is away'));
    await expect(measureMs(gone, mediaOf(file))).rejects.toThrow('the store is away');
    await expect(splitSound(gone, mediaOf(file), limits, fail)).rejects.toThrow('the store is away');
    await expect(splitSound(storeOf(file), mediaOf(file), limits, fail)).rejects.toThrow('the model is away');
  });
});
