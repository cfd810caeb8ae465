import { listActorNames } from '../../../db/platform/actor-names';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';

export type ActorNames = ReadonlyMap<string, string>;

/**
 * Returns the names of these people and keys. Ids of people and keys that do not belong to the merchant are left out.
 */
export async function findActorNames(
  { database }: ConsoleDeps,
  visit: ConsoleVisit,
  ids: readonly (string | null)[],
): Promise<ActorNames> {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const rows = known.length === 0 ? [] : await database.query(visit.caller(), listActorNames(known));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the name of the person or key that requested something. An id without a name belongs to an operator. */
export const nameOf = (names: ActorNames, id: string): string => names.get(id) ?? 'An operator';
