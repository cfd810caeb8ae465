import type { Database, Requester } from '../../db/platform/database';
import type { deletionReasons, SyncObject } from '../../db/sync/changes';
import { mirroredObjects } from './objects';

type Change = {
  object: SyncObject;
  id: string;
  version: number;
  changed_at: string;
  deleted_at: string | null;
  reason: (typeof deletionReasons)[number] | null;
};

/** How many objects are read at once. A statement that reads has one second. */
const together = 50;
/**
 * A reply ends with the group of objects that makes it reach this size. Checking and writing 5 MB of results stops the
 * process for 150 to 450 ms, in which all other calls wait.
 */
const maxBytes = 1024 * 1024;

/**
 * Reads the objects that have changed, and returns how many of the changes it has read. An object that the caller cannot
 * read counts as deleted. A body can be newer than its version: then the object comes again.
 */
export function readBodies(
  changes: readonly Change[],
  { database, ...facts }: { database: Database; caller: Requester; consoleUrl: string },
) {
  return database.read(facts.caller, async (trx) => {
    const data = [];
    const deleted = [];
    let bytes = 0;
    let read = 0;
    while (read < changes.length && bytes < maxBytes) {
      const group = changes.slice(read, read + together);
      read += group.length;
      const bodies = new Map<SyncObject, Map<string, unknown>>();
      for (const object of new Set(group.map((change) => change.object))) {
        const ids = group
          .filter((each) => each.object === object && each.reason === null)
          .map(({ id }) => id);
        if (ids.length > 0) bodies.set(object, await mirroredObjects[object].read(trx, ids, facts));
      }
      for (const { object, id, version, changed_at, deleted_at, reason } of group) {
        const body = bodies.get(object)?.get(id);
        if (body === undefined)
          deleted.push({
            object,
            id,
            version,
            deleted_at: deleted_at ?? changed_at,
            reason: reason ?? ('deleted' as const),
          });
        else {
          data.push({ object, id, version, changed_at, body });
          if (object === 'result' || object === 'knowledge_base' || object === 'directory')
            bytes += JSON.stringify(body).length;
        }
      }
    }
    return { data, deleted, read };
  });
}
