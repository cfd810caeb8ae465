import { readmitPeople } from '../../../db/identity/accounts';
import { withAdmin } from '../../../db/platform/credentials';
import { people } from '../../../local/seed/accounts';
import { waitFor } from '../../harness/wait-for';
import { api, database, main, makePerson, sessionOf, useTeamDatabase } from './team-fixture';

useTeamDatabase();

it('readmits people in the order of their ids, so that two calls cannot deadlock', async () => {
  const made = [await makePerson(main.id, 'merchant'), await makePerson(main.id, 'merchant')];
  const [first = '', second = ''] = made.map(({ id }) => id).toSorted();
  await database.rows('update profile set home_withdrawn_at = now() where id in ($1, $2)', [first, second]);
  const owner = await sessionOf(people.merchant_owner.id);
  const readmitted = await withAdmin(database.adminUrl, async (holder) => {
    await holder.query('begin');
    await holder.query('select from profile where id = $1 for update', [first]);
    const row = (profile_id: string) => ({ profile_id, role: 'merchant', name: null });
    const call = api.write(owner, (trx) => trx.rows(readmitPeople([row(second), row(first)])));
    await waitFor('the call to wait for the first row', async () => {
      const waiting = await database.rows(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    // The call locks rows in the order of their ids. While it waits for the first row, it has therefore not locked
    // the second one.
    await holder.query('select from profile where id = $1 for update nowait', [second]);
    await holder.query('commit');
    return call;
  });
  expect(readmitted.map(({ profile_id }) => profile_id).toSorted()).toEqual([first, second]);
});
