import { markSpeech, markVideo } from '../../../activities/platform/mark-generated';
import { composeSpeech, findSpokenText } from '../../../local/fakes/speech-file';
import { composeVideo } from '../../../local/fakes/video-file';

/** Returns the descriptions and values of the frames `TXXX` in an ID3 tag, and what follows the tag. */
function readTag(file: Buffer): { frames: string[]; sound: Buffer } {
  const size = (at: number) => [...file.subarray(at, at + 4)].reduce((sum, byte) => sum * 128 + byte, 0);
  const end = 10 + size(6);
  const frames: string[] = [];
  for (let at = 10; at < end; at += 10 + size(at + 4))
    frames.push(file.toString('utf8', at + 11, at + 10 + size(at + 4)).replaceAll('\0', '='));
  return { frames, sound: file.subarray(end) };
}

describe('markSpeech', () => {
  const spoken = composeSpeech('What did you build?');
  const { sound } = readTag(spoken);

  it.each([
    ['with a tag', spoken, 2],
    ['without a tag', sound, 1],
  ])('adds the mark to a file %s and keeps the sound', (_case, file, frames) => {
    const tag = readTag(markSpeech(file));
    expect(tag.frames).toHaveLength(frames);
    expect(tag.frames[0]).toBe('ai_generated=true');
    expect(tag.sound).toEqual(sound);
  });

  it('puts a tag of its own before one of another layout', () => {
    const old = Buffer.concat([Buffer.from('ID3\u0002\0\0\0\0\0\0', 'latin1'), sound]);
    expect(readTag(markSpeech(old))).toEqual({ frames: ['ai_generated=true'], sound: old });
  });
});

describe('markVideo', () => {
  const video = composeVideo('What did you build?');
  const box = (size: number, type: string, bytes: number) => {
    const made = Buffer.alloc(bytes);
    made.writeUInt32BE(size);
    made.write(type, 4);
    return made;
  };

  it('appends the mark and changes nothing else', () => {
    const marked = markVideo(video) ?? Buffer.alloc(0);
    expect(marked.subarray(0, video.length)).toEqual(video);
    expect(marked.readUInt32BE(video.length)).toBe(marked.length - video.length);
    expect(marked.toString('utf8', video.length)).toContain('digitalsourcetype/trainedAlgorithmicMedia');
    expect(findSpokenText(marked)).toBe('What did you build?');
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', composeVideo('', 'text')],
    ['a file without a picture', composeVideo('', 'sound')],
    ['a file that was cut off', composeVideo('', 'cut')],
    ['bytes after the last box', Buffer.concat([video, Buffer.alloc(5)])],
    ['a box that ends with the file', Buffer.concat([video, box(0, 'mdat', 16)])],
    ['a box that is longer than the file', Buffer.concat([video, box(500, 'mdat', 16)])],
    ['a box that is shorter than its header', Buffer.concat([video, box(4, 'mdat', 16)])],
    ['a very long box', Buffer.concat([video, box(1, 'mdat', 16).fill(255, 8)])],
    ['a file of boxes only', Buffer.concat(Array.from({ length: 30_000 }, () => box(8, 'free', 8)))],
  ])('refuses %s', (_case, file) => {
    expect(markVideo(file)).toBeUndefined();
  });
});
