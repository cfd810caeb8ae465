import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Files of a build that are not compiled from a source file with the same name. */
const generated = new Set([
  '.tsbuildinfo',
  'workflows/bundle.js',
  'workflows/versioned-bundle.js',
  'docs/assets/scalar.js.gz',
]);

/** Folders whose files are made by steps of the build, which remove old files themselves. */
const generatedFolders = ['api/platform/site/compressed/', 'api/scripts/'].map((folder) =>
  path.normalize(folder),
);

/**
 * Removes from a build the files whose source no longer exists, and returns their names. The other files stay,
 * because another process may be running from them.
 */
export function pruneBuild(root: string, build: string): string[] {
  const stale = readdirSync(build, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(build, path.join(entry.parentPath, entry.name)))
    .filter(
      (file) =>
        !generated.has(file) &&
        !generatedFolders.some((folder) => file.startsWith(folder)) &&
        !hasSource(root, file),
    );
  for (const file of stale) rmSync(path.join(build, file), { force: true });
  return stale;
}

const hasSource = (root: string, file: string): boolean =>
  [file, ...['.ts', '.tsx'].map((ending) => file.replace(/\.js(?:\.map)?$/, ending))].some((source) =>
    existsSync(path.join(root, source)),
  );

if (require.main === module) pruneBuild(path.resolve(__dirname, '../..'), path.resolve(__dirname, '..'));
