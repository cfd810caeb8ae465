import { readdirSync } from 'node:fs';
import path from 'node:path';
import { closeSharedBrowser } from './browser';
import { stopSharedPlatform } from './shared-platform';

const endToEnd = path.resolve(__dirname, '../../end-to-end');

/**
 * Runs the `*.part.ts` files of these folders of `test/end-to-end` in one test file, on one shared platform. Each
 * part gets its own `describe`.
 */
export function runParts(...folders: string[]): void {
  for (const folder of folders.map((name) => path.join(endToEnd, name)))
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.part.ts')))
      describe(path.basename(file, '.part.ts'), () => void require(path.join(folder, file)));
  afterAll(closeSharedBrowser);
  afterAll(stopSharedPlatform);
}
