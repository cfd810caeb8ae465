import { rmSync } from 'node:fs';
import { infrastructure } from './platform/infrastructure';
import { started } from './platform/started';

export default async function globalTeardown(): Promise<void> {
  await Promise.all(started.map((server) => server.stop()));
  rmSync(infrastructure().folder, { recursive: true, force: true });
}
