import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ObjectBody } from './object-body';

/** Stores files in a folder of this machine. The caller has validated the paths. */
export const openObjectFolder = (folder: string) => ({
  /**
   * Writes the whole file or nothing, readable by this user alone. Rejects a stream whose length is not `sizeBytes`.
   */
  put: async (objectPath: string, body: ObjectBody): Promise<void> => {
    const file = path.join(folder, objectPath);
    // Hidden names are not valid paths of the store, so nobody can read the file before it is complete.
    const draft = path.join(path.dirname(file), `.${randomUUID()}`);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    try {
      const target = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(body instanceof Uint8Array ? [body] : body.stream, target);
      if (!(body instanceof Uint8Array) && target.bytesWritten !== body.sizeBytes)
        throw new Error(
          `The file has ${target.bytesWritten} bytes, not the ${body.sizeBytes} it was to have`,
        );
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },

  /**
   * Returns the folder and the path within it of a plain file that no symbolic link leads to, or undefined when there
   * is none. Throws the system error when the store itself cannot be read.
   */
  find: async (objectPath: string): Promise<{ root: string; path: string } | undefined> => {
    const root = await realpath(folder);
    const file = path.join(root, objectPath);
    try {
      const isPlain = (await realpath(file)) === file && (await stat(file)).isFile();
      return isPlain ? { root, path: objectPath } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },
});

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(String(error.code));
