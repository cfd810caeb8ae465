import { StringDecoder } from 'node:string_decoder';

/** The maximum number of bytes of a response body that are read. After that, the connection is closed. */
export const readBodyBytes = 65_536;
/** The maximum number of bytes of a response body that are stored, as UTF-8. */
export const keptBodyBytes = 16_384;
/**
 * The limit for stored response headers, in characters of names and values together. The first header that exceeds
 * the limit and all headers after it are left out.
 */
const keptHeaderCharacters = 8_192;

/**
 * Returns the beginning of a body as text that Postgres can store: no NUL, no partial character, at most
 * `keptBodyBytes`.
 */
export function keepBody(chunks: readonly Buffer[]): { text: string; is_cut: boolean } {
  const [first] = chunks;
  if (!first) return { text: '', is_cut: false };
  const whole = chunks.length === 1 ? first : Buffer.concat(chunks);
  const kept = whole.length > keptBodyBytes ? decodeStart(whole) : whole.toString();
  const text = kept.includes('\0') ? kept.replaceAll('\0', '\ufffd') : kept;
  // Invalid UTF-8 grows when it is decoded, because the replacement characters are longer than the bytes.
  const grown = text.length * 3 > keptBodyBytes ? Buffer.from(text) : undefined;
  if (grown && grown.length > keptBodyBytes) return { text: decodeStart(grown), is_cut: true };
  return { text, is_cut: whole.length > keptBodyBytes };
}

const decodeStart = (bytes: Buffer): string =>
  new StringDecoder('utf8').write(bytes.subarray(0, keptBodyBytes));

/** Returns the headers of a response with names in lower case. Repeated headers are joined. */
export function keepHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept: Record<string, string> = {};
  let characters = 0;
  for (const name in headers) {
    const sent = headers[name] ?? '';
    const value = typeof sent === 'string' ? sent : sent.join(', ');
    characters += name.length + value.length;
    if (characters > keptHeaderCharacters) break;
    kept[name] = value;
  }
  return kept;
}
