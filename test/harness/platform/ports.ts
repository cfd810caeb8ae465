import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../../local/ports';
import { infrastructure } from './infrastructure';

/**
 * Returns a free port that is not given out again in this run: neither before the caller listens on it, nor while the
 * caller's process is killed and started again.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    try {
      writeFileSync(path.join(infrastructure().folder, `port-${port}`), '', { flag: 'wx' });
      return port;
    } catch (error) {
      // `instanceof Error` does not work here, because Node's own errors come from another realm than the code in
      // jest.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
