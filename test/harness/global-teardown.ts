import { rmSync } from 'node:fs';
import path from 'node:path';
import { removeCluster } from '../../local/postgres-place';
import { infrastructure } from './platform/infrastructure';
import { started } from './platform/started';

export default async function globalTeardown(): Promise<void> {
  await Promise.all(started.map((server) => server.stop()));
  const { folder } = infrastructure();
  removeCluster(path.join(folder, 'postgres'));
  rmSync(folder, { recursive: true, force: true });
}
