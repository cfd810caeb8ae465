import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
let id: string;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  id = randomUUID();
  await database.rows(
    `with r as (insert into report (id, merchant_id, title, creator_id) values ($1, $2, 'Any', $3) returning id)
     insert into report_schedule (id, merchant_id, environment, report_id, creator_id, every, format, recipients)
     select $1, $2, 'production', r.id, $3, 'week', 'pdf', array[$3]::uuid[] from r`,
    [id, merchants.main.id, people.merchant.id],
  );
});

/** Makes a change in a transaction that is rolled back, and returns why the schedule then does not run. */
async function stateAfter(change: string): Promise<unknown> {
  await database.rows('begin');
  await database.rows(change);
  await database.rows('set local role app_worker');
  const [state] = await database.rows(
    'select obstacle, wanted from app.report_schedule_states(array[$1::uuid])',
    [id],
  );
  await database.rows('rollback');
  return state;
}

describe('the schedule of a report', () => {
  it('runs, pauses or ends with its report, its creator and the account', async () => {
    const [creator, account] = [`where id = '${people.merchant.id}'`, `where id = '${merchants.main.id}'`];
    const paused = (obstacle: string) => ({ obstacle, wanted: 'week paused Europe/Paris' });
    const changes: Record<string, [change: string, state: unknown]> = {
      nothing: ['select', { obstacle: null, wanted: 'week active Europe/Paris' }],
      'reports off': [`update merchant set reports_enabled = false ${account}`, paused('reports_off')],
      'disabled creator': [`update profile set disabled_at = now() ${creator}`, paused('creator_left')],
      'creator who left': [`update profile set home_disabled_at = now() ${creator}`, paused('creator_left')],
      'reading creator': [
        `update profile set role = 'merchant_selection' ${creator}`,
        paused('creator_may_not_edit'),
      ],
      'archived report': [
        `update report set archived_at = now() where id = '${id}'`,
        { obstacle: 'report_archived', wanted: 'none' },
      ],
      'stopped schedule': [
        `update report_schedule set stopped_at = now() where id = '${id}'`,
        { obstacle: 'stopped', wanted: 'none' },
      ],
    };
    await database.rows(`update merchant set time_zone = 'Europe/Paris' ${account}`);
    const found: Record<string, unknown> = {};
    for (const [what, [change]] of Object.entries(changes)) found[what] = await stateAfter(change);
    expect(found).toEqual(
      Object.fromEntries(Object.entries(changes).map(([what, [, state]]) => [what, state])),
    );
  });
});
