import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createObjectStore } from '../../../db/platform/object-store';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { atEnd } from '../at-end';

/** Opens an object store in a folder that is deleted when the test file ends. `origin` is that of its signed addresses. */
export async function openTemporaryObjects(origin = 'http://localhost') {
  const folder = mkdtempSync(path.join(tmpdir(), 'objects-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const keys = await generateSigningKeys();
  return { folder, objects: await createObjectStore({ kind: 'folder', folder }, keys, origin) };
}
