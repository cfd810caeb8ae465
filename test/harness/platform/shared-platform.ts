import { atEnd } from '../at-end';
import { borrow } from './infrastructure';
import { connectPlatform } from './platform';
import type { Platform, PlatformFacts } from './platform';

/**
 * Returns the platform that the test files of this process of Jest share, restored to its first state: only the seeded
 * rows in the database, and fakes without faults and records (lender.ts).
 */
export async function sharedPlatform({
  worker,
  live = false,
}: {
  worker: boolean;
  /** Whether interviews can be held live. The test file starts a live process (`startLive`). */
  live?: boolean;
}): Promise<Platform> {
  const kind = { worker: String(worker), live: String(live) };
  const platform = connectPlatform(await borrow<PlatformFacts>('platform', kind));
  atEnd(platform.clearFaults);
  return platform;
}
