import { execFile } from 'node:child_process';
import { compiledScript, limitedProcessCommand } from '../../db/platform/limited-process';
import { ApiError } from '../platform/operation/api-error';

/** The size limit of an uploaded picture, in bytes. */
export const maxLogoBytes = 512 * 1024;
const maxProcesses = 2;
const maxSeconds = 10;
const limits = { memoryKb: 524_288, cpuSeconds: maxSeconds };

/** How files of the accepted formats begin. */
const beginnings = [
  { at: 0, bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { at: 0, bytes: Buffer.from([0xff, 0xd8, 0xff]) },
  { at: 8, bytes: Buffer.from('WEBP') },
];

let processes = 0;

/**
 * Decodes a logo in a process of its own (read-logo-child.ts) and returns it as a new, small PNG file. Throws a 422 for a
 * file that is no PNG, JPEG or WebP picture, is too large, or cannot be decoded within the limits.
 */
export async function readLogo(
  file: Buffer,
  script = compiledScript(__dirname, 'read-logo-child.js'),
): Promise<Buffer> {
  if (file.length > maxLogoBytes) throw refusal('logo must have at most 512 KB.');
  if (!beginnings.some(({ at, bytes }) => bytes.equals(file.subarray(at, at + bytes.length))))
    throw refusal('logo must be a PNG, JPEG or WebP picture.');
  if (processes >= maxProcesses)
    throw new ApiError('overloaded', 'Other logos are being saved. Try again in a few seconds.', 'logo', 5);
  processes += 1;
  try {
    return await decode(file, script);
  } finally {
    processes -= 1;
  }
}

/** The process has no environment variables, so it knows no secrets. */
const decode = (file: Buffer, script: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const child = execFile(
      ...limitedProcessCommand(limits, script),
      { env: {}, encoding: 'buffer', timeout: maxSeconds * 1000, killSignal: 'SIGKILL' },
      (failure, png) => {
        if (!failure) resolve(png);
        // This error means that no process could be started, which is not the fault of the picture.
        else if (failure.syscall !== undefined) reject(failure);
        else reject(refusal('logo cannot be read. Save it again as PNG with at most 4,000 × 4,000 pixels.'));
      },
    );
    // A process that ended before it has read the picture is reported above.
    child.stdin?.on('error', () => undefined).end(file);
  });

const refusal = (sentence: string) => new ApiError('invalid_value', sentence, 'logo');
