import { readdirSync } from 'node:fs';
import path from 'node:path';
import { stopSharedPlatform } from './shared-platform';

/** Runs the `*.part.ts` files of a folder in one test file, each in its own `describe`, on a shared platform. */
export function runParts(folder: string): void {
  const parts = readdirSync(folder).filter((file) => file.endsWith('.part.ts'));
  for (const file of parts)
    describe(path.basename(file, '.part.ts'), () => void require(path.join(folder, file)));
  afterAll(stopSharedPlatform);
}
