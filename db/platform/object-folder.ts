import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ByteRange, ObjectBody, OpenedObject } from './object-body';

/** Stores files in a folder of this machine. The caller has validated the paths. */
export const openObjectFolder = (folder: string) => ({
  /**
   * Writes the whole file or nothing, readable by this user alone. Rejects a stream whose length is not `sizeBytes`.
   */
  put: async (objectPath: string, body: ObjectBody): Promise<void> => {
    const file = path.join(folder, objectPath);
    // The file gets its name only when it is complete. Until then, its name begins with a dot. The store accepts no
    // path with such a name, so no caller can read an incomplete file.
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

  /** Opens a file or a range of it, or returns undefined when the file does not exist. */
  get: async (objectPath: string, range?: ByteRange): Promise<OpenedObject | undefined> => {
    try {
      const file = await open(path.join(folder, objectPath));
      if (range) {
        const { start, end } = range;
        return { stream: file.createReadStream({ start, end: end - 1 }), sizeBytes: end - start };
      }
      const { size } = await file.stat();
      return { stream: file.createReadStream(), sizeBytes: size };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  },

  /** Deletes a file if it exists. */
  delete: (objectPath: string): Promise<void> => remove(path.join(folder, objectPath)),

  /**
   * Deletes all files whose paths begin with `prefix`. If `prefix` is a whole folder, incomplete files that a killed
   * process left in the folder are deleted, too.
   */
  deletePrefix: async (prefix: string): Promise<void> => {
    const start = path.join(folder, prefix);
    if (prefix.endsWith('/')) return remove(start);
    const inside = path.dirname(start);
    for (const name of await namesIn(inside))
      if (name.startsWith(path.basename(start))) await remove(path.join(inside, name));
  },

  /**
   * Finds a regular file that is not reached through a symbolic link, and returns the store's folder and the file's
   * path in it. Returns undefined when there is no such file. Throws the system error when the store itself cannot be
   * read.
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

const remove = (file: string): Promise<void> => rm(file, { recursive: true, force: true });

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

const missing = new Set<unknown>(['ENOENT', 'ENOTDIR', 'ELOOP']);
const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && missing.has(error.code);
