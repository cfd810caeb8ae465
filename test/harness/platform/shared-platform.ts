import { atEnd } from '../at-end';
import { borrow } from './infrastructure';
import { connectPlatform } from './platform';
import type { Platform, PlatformFacts } from './platform';

/**
 * Returns the platform that the test files of this process of Jest share, restored to its first state: only the seeded
 * rows in the database, and fakes without faults and records (lender.ts).
 */
export async function sharedPlatform({ worker }: { worker: boolean }): Promise<Platform> {
  const platform = connectPlatform(await borrow<PlatformFacts>('platform', { worker: String(worker) }));
  atEnd(platform.clearFaults);
  return platform;
}
