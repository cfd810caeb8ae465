import sharp from 'sharp';
import { ApiError } from '../platform/operation/api-error';

/** The size limit of an uploaded picture, in bytes. */
export const maxLogoBytes = 512 * 1024;
/** A picture with more pixels would take too much memory to decode. */
const maxPixels = 16_000_000;
/** The size of the stored picture. Pages and mails show it half as large, for sharp screens. */
const box = { width: 480, height: 128 };
const maxSeconds = 5;

/** How files of the accepted formats begin. */
const beginnings = [
  { at: 0, bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { at: 0, bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { at: 8, bytes: Buffer.from('WEBP') },
];

// One picture must not take all cores of an API process, and memory is returned after each.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes a logo and returns it as a new PNG file that fits the box, without metadata. Throws a 422 for a file that is no
 * PNG, JPEG or WebP picture, is too large, or cannot be decoded. The work is done outside of the event loop.
 */
export async function readLogo(file: Buffer): Promise<Buffer> {
  if (file.length > maxLogoBytes) throw refusal('logo must have at most 512 KB.');
  if (!beginnings.some(({ at, bytes }) => bytes.equals(file.subarray(at, at + bytes.length))))
    throw refusal('logo must be a PNG, JPEG or WebP picture.');
  try {
    return await sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: maxSeconds })
      .rotate()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .png({ palette: true })
      .toBuffer();
  } catch {
    throw refusal('logo cannot be read. Save it again as PNG with at most 4,000 × 4,000 pixels.');
  }
}

const refusal = (sentence: string) => new ApiError('invalid_value', sentence, 'logo');
