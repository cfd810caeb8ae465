import { describeFileType, findContainer } from '../../../api/taking/media-container';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const webm = hex('1a45dfa3 9f 42868101 42f78101 42f28104 42f38108 428284 7765626d 42878104 42858102');

describe('findContainer', () => {
  it.each([
    ['webm', webm],
    ['mp4', Buffer.concat([hex('00000018'), Buffer.from('ftypiso5\0\0\x02\0iso5')])],
    ['mp4', Buffer.concat([hex('00000020'), Buffer.from('ftypM4A \0\0\0\0')])],
    // The first boxes of files that the MediaRecorders of Chromium and Safari write.
    ['mp4', Buffer.concat([hex('00000020'), Buffer.from('ftypisom\0\0\x02\0isomiso2avc1mp41')])],
    ['mp4', Buffer.concat([hex('0000001c'), Buffer.from('ftypiso5\0\0\0\x01isomiso5hlsf')])],
    ['mp4', Buffer.concat([hex('00000018'), Buffer.from('ftypmp42\0\0\0\x01mp42isom')])],
    ['mp4', Buffer.concat([hex('0000001c'), Buffer.from('ftypcmfc\0\0\0\x01isomiso5cmfc')])],
    ['mp4', Buffer.concat([hex('00000014'), Buffer.from('ftypqt  \0\0\x02\0qt  ')])],
    ['mp4', Buffer.concat([hex('00001000'), Buffer.from('ftypmp41')])],
    ['ogg', Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('OpusHead')])],
    ['wav', Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('WAVEfmt ')])],
  ])('recognizes %s', (container, head) => {
    expect(findContainer(head)).toBe(container);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('ftyp OggS RIFF WAVE webm')],
    ['Matroska', Buffer.concat([hex('1a45dfa3 93 4282 88'), Buffer.from('matroska')])],
    ['an EBML header alone', hex('1a45dfa3')],
    ['HEIC', Buffer.concat([hex('00000018'), Buffer.from('ftypheic')])],
    ['AVIF', Buffer.concat([hex('00000018'), Buffer.from('ftypavif')])],
    ['a page with a box in it', Buffer.from('<!--ftypHTML--><script>')],
    ['a page with a brand in it', Buffer.from('<!--ftypisom--><script>')],
    ['a length that is too small', Buffer.concat([hex('0000000c'), Buffer.from('ftypisom')])],
    ['a length that is too large', Buffer.concat([hex('00001004'), Buffer.from('ftypisom')])],
    ['a length that is no multiple of 4', Buffer.concat([hex('00000019'), Buffer.from('ftypisom')])],
    ['an unknown brand', Buffer.concat([hex('00000018'), Buffer.from('ftypHTML')])],
    ['a box that is cut off', Buffer.concat([hex('00000018'), Buffer.from('ftypiso')])],
    [
      'Ogg without sound',
      Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(22), Buffer.from('\x80theora')]),
    ],
    ['AVI', Buffer.concat([Buffer.from('RIFF'), hex('24000000'), Buffer.from('AVI LIST')])],
    ['the end of a file', webm.subarray(4)],
  ])('rejects %s', (_, head) => {
    expect(findContainer(head)).toBeUndefined();
  });
});

describe('describeFileType', () => {
  it.each([
    ['a webm file', webm],
    ['a text file', Buffer.from('Grüße, 你好\n\ttext')],
    ['a file of an unknown type', hex('7f454c46020101000000000000000000')],
    ['a file of an unknown type', hex('ffd8ffe000104a464946')],
  ])('says %s', (words, head) => {
    expect(describeFileType(head)).toBe(words);
  });
});
