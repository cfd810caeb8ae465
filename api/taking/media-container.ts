/** The files that candidates' browsers record. */
type MediaContainer = 'mp4' | 'ogg' | 'wav' | 'webm';

/** How many bytes at the beginning of a file `findContainer` reads. */
export const containerHeadBytes = 4_096;

/**
 * Brands of MP4 files with sound or video. Chromium's recorder writes `isom`, Safari's `iso5` or `mp42`. `cmfc` is
 * the brand of CMAF, the profile in which Safari records sound without a picture. Image files have other brands in
 * their first box.
 */
const mp4Brands = new Set([
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'mp41',
  'mp42',
  'avc1',
  'cmfc',
  'dash',
  'msdh',
  '3gp4',
  '3gp5',
  'M4A ',
  'M4V ',
  'qt  ',
]);
/** The bytes with which the header of each sound codec in an Ogg file begins. */
const oggCodecs = ['OpusHead', '\u0001vorbis', '\u007FFLAC', 'Speex   '];

/**
 * Returns the container of a file according to its first bytes, or undefined if it is not one of these four. The name
 * and the declared type of the file are ignored. A library would know two hundred signatures where we need four, and
 * would not check whether an Ogg file contains sound.
 */
export function findContainer(head: Buffer): MediaContainer | undefined {
  const text = head.toString('latin1', 0, containerHeadBytes);
  // https://www.rfc-editor.org/rfc/rfc8794: the EBML header, whose DocType (id 0x4282) is `webm`.
  if (text.startsWith('\u001AE\u00DF\u00A3') && /B\u0082.webm/s.test(text.slice(0, 64))) return 'webm';
  if (isMp4(head, text)) return 'mp4';
  if (text.startsWith('OggS\0') && oggCodecs.some((codec) => text.includes(codec))) return 'ogg';
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE' ? 'wav' : undefined;
}

/** Returns true for an MP4 file. By ISO/IEC 14496-12, its first box has a length, the type `ftyp` and a brand. */
function isMp4(head: Buffer, text: string): boolean {
  if (text.slice(4, 8) !== 'ftyp' || !mp4Brands.has(text.slice(8, 12))) return false;
  const length = head.readUInt32BE(0);
  return length >= 16 && length <= 4_096 && length % 4 === 0;
}

/** Describes in words what kind of file this seems to be, for the error that rejects the file. */
export function describeFileType(head: Buffer): string {
  const container = findContainer(head);
  if (container !== undefined) return `a ${container} file`;
  // A multi-byte character at the end may be cut off.
  const text = head.toString('utf8').replace(/\uFFFD{1,3}$/, '');
  const isText = !/\p{Cc}|\uFFFD/u.test(text.replaceAll(/[\t\n\f\r]/g, ''));
  return isText ? 'a text file' : 'a file of an unknown type';
}
