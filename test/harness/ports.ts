import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../local/ports';
import { infrastructure } from './infrastructure';

/**
 * A free port that is given to nobody else in this run: neither before who asked listens there, nor while it is away, as
 * a process that is killed and started again.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    try {
      writeFileSync(path.join(infrastructure().folder, `port-${port}`), '', { flag: 'wx' });
      return port;
    } catch (error) {
      // Not `instanceof Error`: Node's own errors are of another realm than what runs in jest.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
