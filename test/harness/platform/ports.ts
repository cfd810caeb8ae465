import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '../../../local/ports';
import { infrastructure } from './infrastructure';

/**
 * Returns a free port and reserves it for the caller until the test run ends. Other callers get other ports, even
 * while no process listens on this one, for example during a restart.
 */
export async function takePort(): Promise<number> {
  for (;;) {
    const port = await findFreePort();
    try {
      writeFileSync(path.join(infrastructure().folder, `port-${port}`), '', { flag: 'wx' });
      return port;
    } catch (error) {
      // `instanceof Error` does not work here, because Node creates its errors outside of the realm in which jest
      // runs tests.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
