/** The address of a video is the whole text of an instructional video, and has at most this many characters. */
const maxAddress = 2_000;

/** Names only: any other character that a host may have, such as `;` or `*`, would be part of the content security policy. */
const hostName = /^[a-z0-9.-]+$/;

/**
 * Returns the address of a video if the text is nothing but the https address of an mp4 or webm file
 * (docs/taking.md#instructional-video).
 */
export function videoAddress(text: string): URL | null {
  if (text.length > maxAddress) return null;
  const trimmed = text.trim();
  if (!/^https:\/\/\S+$/i.test(trimmed) || !URL.canParse(trimmed)) return null;
  const address = new URL(trimmed);
  const isVideo = /\.(?:mp4|webm)$/i.test(address.pathname) && hostName.test(address.hostname);
  return isVideo && address.username === '' && address.password === '' ? address : null;
}

/** Returns the address of the video in which a turn is spoken. `address` is that of the videos of the page. */
export const questionVideoAddress = (address: string, turnId: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ turn_id: turnId }).toString()}`;
