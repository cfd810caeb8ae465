import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { compressedFile, compressedFolder, createdAssets, encodings } from '../platform/site/assets';

// Both use their best levels, which are too slow for replies.
const compress = {
  br: (content: string | Buffer) => brotliCompressSync(content),
  gzip: (content: string | Buffer) => gzipSync(content, { level: 9 }),
};

/** A step of the build: compresses the assets that the app has created, and removes those of earlier builds. */
async function compressAssets(): Promise<void> {
  // The app creates its assets when it is loaded.
  await import('../app.js');
  mkdirSync(compressedFolder, { recursive: true });
  const current = new Set<string>();
  for (const asset of createdAssets)
    for (const encoding of encodings) {
      const file = compressedFile(asset, encoding);
      current.add(path.basename(file));
      if (!existsSync(file)) writeFileSync(file, compress[encoding](asset.content));
    }
  for (const name of readdirSync(compressedFolder))
    if (!current.has(name)) rmSync(path.join(compressedFolder, name));
}

compressAssets().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
