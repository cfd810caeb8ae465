import { copySound, measureMedia } from '../../../activities/taking/media';
import type { SoundFile, SoundLimits } from '../../../activities/taking/media';
import { mediaFile } from '../../harness/taking/media-file';
import type { MediaKind } from '../../harness/taking/media-file';

const mediaOf = (file: Uint8Array) => ({
  sizeBytes: file.length,
  read: async (start: number, end: number) => file.subarray(start, end),
});
const measure = async (file: Uint8Array) => (await measureMedia(mediaOf(file))).lengthMs;
const split = async (file: Buffer, limits: Partial<SoundLimits> = {}) => {
  const files: SoundFile[] = [];
  await copySound(
    mediaOf(file),
    { maxBytes: 1_000_000, maxSeconds: null, ...limits },
    async (each) => void files.push(each),
  );
  return files;
};

describe('measureMedia', () => {
  it.each<[MediaKind, number]>([
    ['webm', 12_300],
    ['mp4', 12_300],
    ['ogg', 12_300],
    ['wav', 12_300],
  ])('returns the length of a recording without a length in its header: %s', async (kind, lengthMs) => {
    const ms = await measure(await mediaFile(kind, lengthMs));
    expect(Math.abs((ms ?? 0) - lengthMs)).toBeLessThan(150);
  });

  it('measures a recording with a picture', async () => {
    const picture = await measureMedia(mediaOf(await mediaFile('webm', 5_000, { hasPicture: true })));
    expect(Math.abs((picture.lengthMs ?? 0) - 5_000)).toBeLessThan(150);
    const sound = await measureMedia(mediaOf(await mediaFile('webm', 5_000)));
    expect([picture.isSoundOnly, sound.isSoundOnly]).toEqual([false, true]);
  });

  it('throws for a file that is no recording, and returns null for one without packets', async () => {
    await expect(measure(Buffer.from('To whom it may concern.'))).rejects.toThrow('unsupported');
    expect(await measure((await mediaFile('webm', 1_000)).subarray(0, 60))).toBeNull();
  });
});

describe('copySound', () => {
  it.each<[MediaKind, string]>([
    ['webm', 'sound.webm'],
    ['mp4', 'sound.m4a'],
    ['ogg', 'sound.webm'],
    ['wav', 'sound.wav'],
  ])('copies the sound of a recording: %s', async (kind, name) => {
    const files = await split(await mediaFile(kind, 5_000, { text: 'I built it.' }));
    expect(files.map((file) => file.name)).toEqual([name]);
    const [{ bytes } = { bytes: Buffer.alloc(0) }] = files;
    expect(Buffer.from(bytes).includes('fake-transcript:I built it.')).toBe(true);
    expect(Math.abs(((await measure(bytes)) ?? 0) - 5_000)).toBeLessThan(150);
  });

  it('leaves out the picture', async () => {
    const whole = await mediaFile('webm', 5_000, { hasPicture: true });
    const files = await split(whole);
    expect([whole.length > 1_000_000, (files[0]?.bytes.length ?? 0) < 20_000]).toEqual([true, true]);
  });

  it('splits sound that is longer than the limit into files that follow one another', async () => {
    const files = await split(await mediaFile('webm', 60_000, { packetBytes: 2_000 }), {
      maxBytes: 500_000,
    });
    expect(files.length).toBeGreaterThan(2);
    let total = 0;
    for (const { bytes } of files) {
      expect(bytes.length).toBeLessThanOrEqual(500_000);
      total += (await measure(bytes)) ?? 0;
    }
    expect(Math.abs(total - 60_000)).toBeLessThan(500);
  });

  it('leaves out what comes after the limit of seconds', async () => {
    const files = await split(await mediaFile('webm', 60_000), { maxSeconds: 20 });
    expect(Math.abs(((await measure(files[0]?.bytes ?? Buffer.alloc(0))) ?? 0) - 20_000)).toBeLessThan(150);
  });
});
