import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let door: ReturnType<typeof createDoor> | undefined;

/**
 * Returns the platform that the parts of this folder share, and the proxy between it and Temporal. At first, the
 * proxy is closed and no worker runs. Every part must leave the proxy open and a worker running.
 */
export async function outagePlatform() {
  door ??= createDoor(infrastructure().temporalAddress);
  const opened = await door;
  const temporal = { TEMPORAL_ADDRESS: opened.address };
  const platform = await sharedPlatform({
    worker: false,
    api: temporal,
    // The grace period is long enough for a worker that is stopped to send a chunk of mails.
    workerVariables: { ...temporal, SHUTDOWN_GRACE_SECONDS: '100' },
  });
  return { platform, door: opened };
}
