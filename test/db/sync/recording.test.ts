import { recordDeferredChanges } from '../../../activities/sync-lag';
import { withAdminConnection } from '../../../db/platform/credentials';
import {
  deleteOldDeletions,
  findFeedEdges,
  firstFeedPosition,
  listChanges,
  recordWaitingChanges,
} from '../../../db/sync/changes';
import { waitFor } from '../../harness/wait-for';
import { createWorld } from '../platform/world';
import type { Cell, World } from '../platform/world';

/* What db/sync/sql records: a change of a row is a change of every object that shows the row. */

let world: World;
let cell: Cell;

beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
});

/** Runs the statement in a transaction of its own and returns the objects that it recorded, as `object id reason`. */
async function recorded(text: string, values: unknown[] = []): Promise<string[]> {
  const [{ tx } = { tx: '0' }] = await world.database.rows<{ tx: string }>(
    'select max(tx) as tx from change',
  );
  await world.database.rows(text, values);
  const rows = await world.database.rows<{ change: string }>(
    `select concat_ws(' ', object, id, reason) as change from change where tx > $1::xid8 order by 1`,
    [tx],
  );
  return rows.map(({ change }) => change);
}

describe('a change of a row', () => {
  it('is a change of every object that shows it', async () => {
    const { taken, profileId, merchantId, environment } = cell;
    const of = (list: string[]) => list.toSorted();
    const candidate = `candidate ${taken.enrolment}`;
    const result = `result ${taken.result}`;
    const interview = `interview ${taken.interview}`;
    const position = `position ${taken.position}`;
    const invitation = `invitation ${taken.mail}`;
    const steps: [string, unknown[], string[]][] = [
      ['update interview_result set duration = 12 where id = $1', [taken.result], [result]],
      ['update result_question set answer = $2 where result_id = $1', [taken.result, 'Any'], [result]],
      ['update score_record set failure = $2 where result_id = $1', [taken.result, 'any'], [result]],
      ['update resume set stored_at = now() where result_id = $1', [taken.result], [result]],
      [
        `insert into unpaid_attempt (merchant_id, result_id, attempt, interview_id, is_practice, price, due_at)
         values ($1, $2, 9, $3, false, 1, now())`,
        [merchantId, taken.result, taken.interview],
        [result],
      ],
      [
        'update interview_result set recruiter_shortlist = true where id = $1',
        [taken.result],
        [result, `decision ${taken.result}`],
      ],
      [
        'update interview_result set recruiter_shortlist = false where id = $1',
        [taken.result],
        [result, `decision ${taken.result} deleted`],
      ],
      ['update enrolment set time_factor = 1.5 where id = $1', [taken.enrolment], [candidate]],
      [
        'update enrolment set name = $2 where id = $1',
        [taken.enrolment, 'Else'],
        [candidate, result, invitation],
      ],
      [
        'update enrolment_stage set left_at = now() where enrolment_id = $1',
        [taken.enrolment],
        [candidate, result],
      ],
      ['update mail set opened_at = now() where id = $1', [taken.mail], []],
      [`update mail set state = 'sent' where id = $1`, [taken.mail], [candidate, invitation]],
      [`update message set state = 'sent' where mail_id = $1`, [taken.mail], [invitation]],
      ['update interview set description = $2 where id = $1', [taken.interview, 'Any'], [interview]],
      ['delete from position_step where position_id = $1', [taken.position], [interview, position]],
      [
        'update position set name = $2 where id = $1',
        [taken.position, 'Else'],
        [candidate, invitation, position],
      ],
      [
        'update position set status = $2 where id = $1',
        [taken.position, 'deleted'],
        [`${position} deleted`, `team_member ${taken.person}`],
      ],
      ['update embed_key set revoked_at = now() where interview_id = $1', [taken.interview], [interview]],
      [`update question_video set state = 'ready' where question_id = $1`, [taken.question], [interview]],
      ['update report set is_shared = true where id = $1', [taken.report], [`report ${taken.report}`]],
      [
        'update profile set activated_at = now() where id = $1',
        [taken.person],
        [`team_member ${taken.person}`],
      ],
      [
        'update profile set home_withdrawn_at = now() where id = $1',
        [taken.person],
        [`team_member ${taken.person} deleted`],
      ],
      [
        `insert into session (profile_id, environment, kind, cookie_hash) values ($1, $2, 'console', '\\x01')`,
        [profileId, environment],
        [`team_member ${profileId}`],
      ],
      ['update merchant set reports_enabled = false where id = $1', [merchantId], []],
    ];
    await world.database.rows('delete from merchant_access where profile_id = $1', [taken.person]);
    for (const [text, values, expected] of steps)
      expect([text, await recorded(text, values)]).toEqual([text, of(expected)]);
  });

  it('records the candidate before the invitation, so that a mail and a new name cannot deadlock', async () => {
    const { database } = world;
    const { enrolment, mail } = cell.taken;
    const lock = (object: string) =>
      `select from change where object = '${object}' and id = $1 for update nowait`;
    await withAdminConnection(database.adminUrl, async (holder) => {
      await holder.query('begin');
      expect((await holder.query(lock('candidate'), [enrolment])).rowCount).toBe(1);
      const changed = database.rows(`update mail set state = 'gave_up' where id = $1`, [mail]);
      await waitFor('the mail to wait for the candidate', async () => {
        const waiting = await holder.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.rowCount === 1;
      });
      expect((await holder.query(lock('invitation'), [mail])).rowCount).toBe(1);
      await holder.query('commit');
      await changed;
    });
  });
});

describe('what retention deletes', () => {
  it('changes a result whose content is erased, and erases its note and a visit', async () => {
    const { taken } = cell;
    await world.database.rows(
      `update interview_result set interview_status = 'completed', user_feedback_recruiter = 'Any' where id = $1`,
      [taken.result],
    );
    expect(await recorded('select app.erase_attempt($1, 1)', [taken.result])).toEqual([
      `decision ${taken.result} erased`,
      `result ${taken.result}`,
    ]);
    const [visit] = await world.database.rows<{ id: string }>(
      `insert into interview_result (merchant_id, environment, interview_id, is_visit, interview_status, created_at)
       select merchant_id, environment, interview_id, true, 'completed', now() - interval '31 days'
       from interview_result where id = $1 returning id`,
      [taken.result],
    );
    expect(await recorded('select app.delete_old_visits(10)')).toEqual([`result ${visit?.id} erased`]);
  });
});

describe('very many changes of one transaction', () => {
  it('wait for the worker, which loses none if it dies and revives nothing that was deleted meanwhile', async () => {
    const { database, worker, api } = world;
    const { taken, merchantId, user } = cell;
    const waiting = async () =>
      (
        await database.rows(`select from waiting_change where merchant_id = $1 and object = 'candidate'`, [
          merchantId,
        ])
      ).length;
    const candidates = async () =>
      database.rows<{ id: string; version: string }>(
        `select id, version from change where object = 'candidate' and deleted_at is null and merchant_id = $1 order by id`,
        [merchantId],
      );
    await database.rows(
      `with person as (
         insert into profile (merchant_id, role, email, email_key)
         select $1, 'candidate', n || '@many.example', n || '@many.example' from generate_series(1, 2001) n
         returning id, email
       )
       insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
       select $1, $2, $3, id, email, email from person`,
      [merchantId, cell.environment, taken.interview],
    );
    const added = await database.rows<{ id: string }>(
      `select id from enrolment where email like '%@many.example' order by id::text`,
    );
    const ids = added.map(({ id }) => id);
    expect(await waiting()).toBe(2);
    await database.rows(`update interview set name = 'Many' where id = $1`, [taken.interview]);
    expect(await waiting()).toBe(4);
    const died = worker.writeAsWorker(async (trx) => {
      await trx.one(recordWaitingChanges);
      throw new Error('the worker died');
    });
    await expect(died).rejects.toThrow('died');
    const [gone = '', ...kept] = ids;
    await database.rows(
      `insert into change (merchant_id, environment, object, id, deleted_at, reason)
       values ($1, $2, 'candidate', $3, now(), 'deleted')`,
      [merchantId, cell.environment, gone],
    );
    const lags = async () => {
      const [edges] = await worker.queryAsWorker(findFeedEdges);
      const [feed] = await api.query(user, listChanges(['candidate'], firstFeedPosition, 1));
      return [(edges?.unrecorded_s ?? 0) > 0, (feed?.lag_ms ?? 0) > 0];
    };
    expect(await lags()).toEqual([true, true]);
    await recordDeferredChanges(worker, new AbortController().signal);
    expect(await waiting()).toBe(0);
    const found = (await candidates()).filter(({ id }) => ids.includes(id));
    expect(found.map(({ id }) => id)).toEqual(kept);
    expect(new Set(found.map(({ version }) => version))).toEqual(new Set(['2']));
    expect((await lags())[0]).toBe(false);
  });
});

describe('delete_changes', () => {
  it('removes the rows of objects that were deleted 91 days ago, and no others', async () => {
    const { merchantId } = cell;
    await world.database.rows(
      `insert into change (merchant_id, object, id, changed_at, deleted_at, reason) values
         ($1, 'report', 'old', now() - interval '91 days 1 second', now() - interval '91 days 1 second', 'deleted'),
         ($1, 'report', 'recent', now() - interval '91 days' + interval '1 hour', now() - interval '91 days' + interval '1 hour', 'deleted'),
         ($1, 'report', 'kept', now() - interval '1 year', null, null)`,
      [merchantId],
    );
    expect(await world.worker.writeAsWorker((trx) => trx.count(deleteOldDeletions))).toBe(1);
    const left = await world.database.rows(
      `select id from change where id in ('old', 'recent', 'kept') order by id`,
    );
    expect(left).toEqual([{ id: 'kept' }, { id: 'recent' }]);
  });
});
