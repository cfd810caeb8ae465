import { atEnd } from '../harness/at-end';
import { createDoor } from '../harness/platform/door';
import { infrastructure } from '../harness/platform/infrastructure';
import { takeSnapshot } from '../harness/platform/snapshot';
import { startPlatform } from '../harness/platform/start-platform';

let starting: ReturnType<typeof start> | undefined;

/**
 * Returns the platform of this test file, and the proxy between it and Temporal. The first call starts it, and later
 * ones restore the rows of the seed. Each section of a file must leave the proxy open and API and worker running. With
 * `isAway`, the proxy is closed at first and no worker runs.
 */
export async function outagePlatform({ isAway = false } = {}) {
  if (starting) await (await starting).restore();
  const { platform, door } = await (starting ??= start(isAway));
  return { platform, door };
}

async function start(isAway: boolean) {
  const door = await createDoor(infrastructure().temporalAddress);
  if (!isAway) await door.open();
  atEnd(door.close);
  const temporal = { TEMPORAL_ADDRESS: door.address };
  const platform = await startPlatform({
    worker: !isAway,
    api: temporal,
    // The grace period is long enough for a worker that is stopped to send a chunk of mails.
    workerVariables: { ...temporal, SHUTDOWN_GRACE_SECONDS: '100' },
  });
  return { platform, door, restore: await takeSnapshot(platform) };
}
