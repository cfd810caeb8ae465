import { videoAddress } from '../../../api/taking/video-address';

describe('videoAddress', () => {
  it.each([
    ['https://videos.example/intro.mp4', 'https://videos.example/intro.mp4'],
    ['https://videos.example:8443/a/Intro.WEBM?v=2#t=3', 'https://videos.example:8443/a/Intro.WEBM?v=2#t=3'],
    [' HTTPS://videos.example/intro.mp4\n', 'https://videos.example/intro.mp4'],
    ['https://a;script-src/intro.mp4', null],
    ['https://*.example/intro.mp4', null],
    ['https://:secret@videos.example/intro.mp4', null],
    ['Watch https://videos.example/intro.mp4', null],
    ['http://videos.example/intro.mp4', null],
    ['https://videos.example/intro.mov', null],
    ['https://videos.example/watch?file=intro.mp4', null],
    ['https://me@videos.example/intro.mp4', null],
    ['https://[', null],
    [`https://videos.example/${'a'.repeat(2_000)}.mp4`, null],
  ])('of %s is %s', (text, address) => {
    expect(videoAddress(text)?.href ?? null).toBe(address);
  });
});
