import { rmSync } from 'node:fs';
import path from 'node:path';
import { removeCluster } from '../../local/postgres-place';
import { infrastructure } from './platform/infrastructure';
import { started } from './platform/started';

export default async function globalTeardown(): Promise<void> {
  // The platforms end before the servers that they use.
  for (const server of started.toReversed()) await server.stop();
  const { folder, dataFolder } = infrastructure();
  removeCluster(path.join(dataFolder, 'postgres'));
  rmSync(dataFolder, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
