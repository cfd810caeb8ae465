/** The address of a video is the whole text of an instructional video, and has at most this many characters. */
const maxAddress = 2_000;

/**
 * Returns the address of a video if the text is nothing but the https address of an mp4 or webm file
 * (docs/taking.md#instructional-video).
 */
export function videoAddress(text: string): URL | null {
  if (text.length > maxAddress || !/^https:\/\/\S+$/i.test(text) || !URL.canParse(text)) return null;
  const address = new URL(text);
  return /\.(?:mp4|webm)$/i.test(address.pathname) && address.username === '' ? address : null;
}
