import { waitFor } from '../wait-for';
import type { TestDatabase } from './database';
import type { Platform } from './platform';

type Table = { name: string; columns: string };

/** The tables of the senders. They are not restored, because a sender that loses its rows stops sending. */
const ofWorkers = ['webhook_sender', 'webhook_lease'];

/** Saves the first state of a platform, and returns a function that restores its rows and clears its fakes. */
export async function takeSnapshot(platform: Platform): Promise<() => Promise<void>> {
  const restoreRows = await saveRows(platform.database);
  return async () => {
    await platform.clearFaults();
    await restoreRows();
    await platform.clearRecords();
  };
}

/** Saves the rows of every table, and returns a function that restores them. */
async function saveRows({ rows }: TestDatabase): Promise<() => Promise<void>> {
  const tables = await rows<Table>(
    `
    select format('%I', c.relname) as name,
      string_agg(format('%I', a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.oid <> all ($1::regclass[])
    group by c.relname`,
    [ofWorkers],
  );
  await rows('create schema snapshot');
  for (const { name } of tables) await rows(`create unlogged table snapshot.${name} as table public.${name}`);
  const truncate = `truncate ${tables.map(({ name }) => `public.${name}`).join(', ')}`;
  const fill = tables.map(
    ({ name, columns }) =>
      `insert into public.${name} (${columns}) overriding system value select ${columns} from snapshot.${name}`,
  );
  // `session_replication_role = replica` skips the triggers, whose effects are already in the saved rows.
  const restore = ['begin', 'set local session_replication_role = replica', truncate, ...fill, 'commit'];
  const tryToRestore = async (): Promise<boolean> => {
    try {
      await rows(restore.join(';\n'));
      return true;
    } catch (error) {
      await rows('rollback');
      // 40P01 is a deadlock. The worker's jobs lock tables in another order than the truncate does, and Postgres then
      // ends one of the two transactions.
      if (error instanceof Error && 'code' in error && error.code === '40P01') return false;
      throw error;
    }
  };
  return async () => void (await waitFor('the rows to be restored', tryToRestore));
}
