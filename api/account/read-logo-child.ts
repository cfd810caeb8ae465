import { readFileSync } from 'node:fs';
import sharp from 'sharp';

/*
 * This process decodes the picture on its standard input and writes it to its standard output as a new PNG file that fits
 * the box, without metadata. It ends with an exit code if it cannot (read-logo.ts).
 */

/** A picture with more pixels would take too much memory to decode. */
const maxPixels = 16_000_000;
/** The size of the stored picture. Pages and mails show it half as large, for sharp screens. */
const box = { width: 480, height: 128 };

// One picture must not take all cores of the machine.
sharp.concurrency(1);
sharp(readFileSync(0), { limitInputPixels: maxPixels, failOn: 'error' })
  .rotate()
  .resize({ ...box, fit: 'inside', withoutEnlargement: true })
  .png({ palette: true })
  .toBuffer()
  .then(
    (png) => process.stdout.write(png),
    () => (process.exitCode = 1),
  );
