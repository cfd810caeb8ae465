import { createDoor } from '../../harness/platform/door';
import { infrastructure } from '../../harness/platform/infrastructure';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let door: ReturnType<typeof createDoor> | undefined;

/**
 * Returns the platform of this folder and the door between it and Temporal. The first part finds the door closed and no
 * worker. Every part leaves the door open and a worker running.
 */
export async function outagePlatform() {
  door ??= createDoor(infrastructure().temporalAddress);
  const opened = await door;
  const temporal = { TEMPORAL_ADDRESS: opened.address };
  const platform = await sharedPlatform({
    worker: false,
    api: temporal,
    // A worker that is stopped has all the time that a chunk of mails takes.
    workerVariables: { ...temporal, SHUTDOWN_GRACE_SECONDS: '100' },
  });
  return { platform, door: opened };
}
