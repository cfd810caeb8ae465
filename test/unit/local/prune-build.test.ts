import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pruneBuild } from '../../../local/prune-build';

const root = mkdtempSync(path.join(tmpdir(), 'prune-'));
afterAll(() => rmSync(root, { recursive: true }));

it('removes build output without a source, and nothing else', () => {
  const write = (file: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
  };
  for (const file of ['api/a.ts', 'db/roles.sql', 'docs/guide/errors.md']) write(file);
  const kept = [
    'api/a.js',
    'api/a.js.map',
    'api/platform/site/compressed/a-1.css.br',
    'db/roles.sql',
    'docs/assets/scalar.js.gz',
    'docs/guide/errors.md',
    'workflows/bundle.js',
    'workflows/versioned-bundle.js',
  ];
  const stale = ['api/b.js', 'api/b.js.map', 'db/old.sql', 'gone/c.js', 'workflows/bundle.js.map'];
  for (const file of [...kept, ...stale]) write(`dist/${file}`);
  expect(pruneBuild(root, path.join(root, 'dist')).toSorted()).toEqual(stale);
  expect(stale.filter((file) => existsSync(path.join(root, 'dist', file)))).toEqual([]);
  expect(kept.filter((file) => !existsSync(path.join(root, 'dist', file)))).toEqual([]);
  expect(pruneBuild(root, path.join(root, 'dist'))).toEqual([]);
  expect(readdirSync(path.join(root, 'api'))).toEqual(['a.ts']);
});
