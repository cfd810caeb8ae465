import { readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const top = ['activities', 'api', 'bench', 'db', 'docs', 'local', 'test', 'workflows'];
const maxFiles = 40;

/** Returns the numbers of files of a folder and of all folders in it, by their paths. */
function countFiles(folder: string): [string, number][] {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  const inside = folders.flatMap(({ name }) => countFiles(`${folder}/${name}`));
  return [[folder, entries.length - folders.length], ...inside];
}

describe('a folder', () => {
  it(`has at most ${maxFiles} files`, () => {
    expect(top.flatMap(countFiles).filter(([, files]) => files > maxFiles)).toEqual([]);
  });
});
