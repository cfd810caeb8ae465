import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { restoreAccess } from '../../../db/identity/accounts';
import { withAdminConnection } from '../../../db/platform/credentials';
import { people } from '../../../local/seed/accounts';
import { waitFor } from '../../harness/wait-for';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell, References, World } from '../platform/world';
import { api, database, main, makePerson, sessionOf, useTeamDatabase } from './team-fixture';

describe('position policies', () => {
  /*
   * Tests for each table which rows are visible to a hiring manager who may see only some positions. There are two
   * candidates, `taken` and `free`, each at a separate position. Rows that belong to a candidate are inserted for both.
   */

  let world: World;
  let cell: Cell;
  let admin: Client;
  const manager = { id: uuid(), session: uuid() };
  /** The ids of an interview that belongs to no position, and of a result that belongs to no candidate. */
  const alone = { interview: uuid(), result: uuid() };

  beforeAll(async () => {
    world = await createWorld();
    [cell] = world.cells;
    admin = new Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    const insert = (table: string, references: References, more: Record<string, unknown> = {}) => {
      const { text, values } = insertOf(table, { ...rowOf(table, cell, references), ...more });
      return admin.query(text, values);
    };
    await insert('profile', cell.taken, { id: manager.id, role: 'merchant_selection' });
    await insert('session', cell.taken, { id: manager.session, profile_id: manager.id });
    await insert('interview', cell.taken, { id: alone.interview });
    await insert('interview_result', cell.taken, {
      id: alone.result,
      interview_id: alone.interview,
      enrolment_id: null,
    });
    for (const table of [
      'question_video',
      'interview_question',
      'position_step',
      'embed_key',
      'interview_result_attempt',
      'result_question',
      'candidate_message',
      'resume',
      'score_record',
      'score_decision',
    ])
      await insert(table, cell.free);
    const mail = uuid();
    await insert('mail', cell.free, { id: mail });
    await insert('message', cell.free, { mail_id: mail });
    for (const references of [cell.taken, cell.free]) {
      const { position: position_id, interview: interview_id, result: result_id } = references;
      await insert('invitation', references, { position_id, interview_id });
      const delivery = uuid();
      const about = { id: delivery, event: 'interview_result', result_id };
      await insert('webhook_delivery', references, about);
      await insert('webhook_attempt', references, { delivery_id: delivery });
      await insert('webhook_hold', references, { result_id });
      await insert('unpaid_attempt', references, { result_id });
      await insert('technical_issue', references);
      await insert('audit_entry', references, {
        subject_id: result_id,
        actor_id: cell.profileId,
        actor_role: 'merchant_owner',
      });
    }
  });
  afterAll(async () => {
    await admin.end();
  });

  const see = async (positionIds: string[] | null, environment: string = cell.environment) => {
    await admin.query('delete from position_member where profile_id = $1', [manager.id]);
    if (positionIds)
      await admin.query('insert into position_member values ($1, $2, $3, $4)', [
        cell.merchantId,
        manager.id,
        environment,
        positionIds,
      ]);
  };

  /**
   * Runs the work in a transaction in which row-level security applies to the hiring manager, and rolls it back.
   * `before` is a statement that the administrator runs first, for example to drop a policy.
   */
  async function asManager<T>(work: () => Promise<T>, before?: string): Promise<T> {
    await admin.query('begin');
    try {
      if (before !== undefined) await admin.query(before);
      await admin.query(
        `select app.begin_request('user_session', $1, $2, 'merchant_selection', $3, $4, null, '{merchant_selection}', true, '5s')`,
        [manager.session, manager.id, cell.merchantId, cell.environment],
      );
      return await work();
    } finally {
      await admin.query('rollback');
    }
  }

  const keysOf = async (text: string) =>
    (await admin.query<{ key: string }>({ text })).rows.map(({ key }) => key).toSorted();

  /** For each table, returns the SQL condition for the rows that belong to these references. */
  const belonging: Record<string, (references: References) => string> = {
    position: ({ position }) => `id = '${position}'`,
    position_step: ({ position }) => `position_id = '${position}'`,
    interview: ({ interview }) => `id = '${interview}'`,
    interview_question: ({ interview }) => `interview_id = '${interview}'`,
    question: ({ question }) => `id = '${question}'`,
    question_video: ({ question }) => `question_id = '${question}'`,
    embed_key: ({ interview }) => `interview_id = '${interview}'`,
    enrolment: ({ enrolment }) => `id = '${enrolment}'`,
    enrolment_stage: ({ enrolment }) => `enrolment_id = '${enrolment}'`,
    enrolment_step: ({ enrolment }) => `enrolment_id = '${enrolment}'`,
    profile: ({ candidate }) => `id = '${candidate}'`,
    interview_result: ({ result }) => `id = '${result}'`,
    interview_result_attempt: ({ result }) => `result_id = '${result}'`,
    result_question: ({ result }) => `result_id = '${result}'`,
    report_attempt: ({ result }) => `result_id = '${result}'`,
    candidate_message: ({ enrolment }) => `enrolment_id = '${enrolment}'`,
    resume: ({ result }) => `result_id = '${result}'`,
    score_record: ({ result }) => `result_id = '${result}'`,
    score_decision: ({ result }) => `result_id = '${result}'`,
    invitation: ({ position }) => `position_id = '${position}'`,
    mail: ({ enrolment }) => `enrolment_id = '${enrolment}'`,
    message: ({ enrolment }) => `enrolment_id = '${enrolment}'`,
    webhook_delivery: ({ result }) => `result_id = '${result}'`,
    webhook_attempt: ({ result }) =>
      `delivery_id in (select id from webhook_delivery where result_id = '${result}')`,
    webhook_hold: ({ result }) => `result_id = '${result}'`,
    unpaid_attempt: ({ result }) => `result_id = '${result}'`,
  };
  /** Tables in which a restricted hiring manager sees no rows of the merchant, or only rows about the hiring manager. */
  const hiddenAlways = [
    'account_count',
    'audit_entry',
    'change',
    'credit_entry',
    'invitation_batch',
    'sync_generation',
    'technical_issue',
    'waiting_change',
    'webhook_event',
  ];

  const keyText: Record<string, string> = {
    position_step: `position_id || '/' || interview_id`,
    enrolment_stage: `enrolment_id || '/' || entered_at`,
    enrolment_step: `enrolment_id || '/' || interview_id`,
    interview_question: `interview_id || '/' || question_id`,
    interview_result_attempt: `result_id || '/' || attempt`,
    message: 'mail_id::text',
    report_attempt: `result_id || '/' || attempt`,
    score_record: `result_id || '/' || run`,
    unpaid_attempt: `result_id || '/' || attempt`,
    webhook_attempt: `delivery_id || '/' || attempt`,
    webhook_hold: 'result_id::text',
  };
  const rowsOf = (table: string, condition: string) =>
    keysOf(`select ${keyText[table] ?? 'id::text'} as key from ${table} where ${condition}`);
  /**
   * Returns the keys of the table's rows that belong to these references. Row-level security does not apply to this
   * read.
   */
  const allOf = (table: string, references: References) =>
    rowsOf(table, belonging[table]?.(references) ?? 'false');

  describe('a hiring manager with one position', () => {
    describe.each(Object.keys(belonging))('%s', (table) => {
      const shown = async (before?: string) => {
        const [own, others] = [await allOf(table, cell.taken), await allOf(table, cell.free)];
        const visible = await asManager(() => rowsOf(table, 'true'), before);
        return {
          own: own.length > 0 && own.every((key) => visible.includes(key)),
          others: others.length === 0 ? undefined : others.some((key) => visible.includes(key)),
        };
      };

      it('shows the rows of the position and no rows of another one', async () => {
        await see([cell.taken.position]);
        expect(await shown()).toEqual({ own: true, others: false });
      });

      it('shows the rows of other positions if the policy is dropped or the person’s positions are not limited', async () => {
        await see([cell.taken.position]);
        expect(await shown(`drop policy ${table}_restricted_select on ${table}`)).toEqual({
          own: true,
          others: true,
        });
        await see(null);
        expect(await shown()).toEqual({ own: true, others: true });
      });
    });

    it.each(hiddenAlways)('shows nothing of %s unless its policy is dropped', async (table) => {
      await see([cell.taken.position]);
      const all = () => keysOf(`select id::text as key from ${table}`);
      expect(await asManager(all)).toEqual([]);
      const own = await asManager(all, `drop policy ${table}_restricted_select on ${table}`);
      // Even without this policy, a hiring manager sees no row of `credit_entry`, because the table is hidden from the
      // role.
      expect(own.length > 0).toBe(table !== 'credit_entry');
    });

    it('is tested for every table that has such a policy', async () => {
      const { rows } = await admin.query<{ name: string }>(
        `select tablename as name from pg_policies where 'app_restricted' = any (roles)`,
      );
      expect(rows.map(({ name }) => name).toSorted()).toEqual(
        [...Object.keys(belonging), ...hiddenAlways].toSorted(),
      );
    });
  });

  describe('the positions of a hiring manager', () => {
    const results = () => asManager(() => rowsOf('interview_result', 'true'));
    const interviews = () => asManager(() => rowsOf('interview', 'true'));

    it('show an interview without a position only if the interview is one of them', async () => {
      await see([cell.taken.position]);
      expect(await interviews()).toEqual([cell.taken.interview]);
      await see([cell.taken.position, alone.interview]);
      expect(await interviews()).toEqual([cell.taken.interview, alone.interview].toSorted());
      expect(await results()).toEqual([cell.taken.result, alone.result].toSorted());
    });

    it('show no candidates of a position if only its step is one of them', async () => {
      await see([cell.taken.interview]);
      expect(await interviews()).toEqual([cell.taken.interview]);
      expect(await results()).toEqual([]);
    });

    it('hide everything if the list is empty, or is of another environment', async () => {
      await see([]);
      expect(await results()).toEqual([]);
      await see([cell.taken.position], 'uat');
      expect(await results()).toEqual([]);
    });

    it('have no effect at another merchant or for a person with another role', async () => {
      await see([]);
      await admin.query(`update position_member set merchant_id = $2 where profile_id = $1`, [
        manager.id,
        world.cells[2].merchantId,
      ]);
      expect((await results()).length).toBeGreaterThan(2);
      await see([randomUUID()]);
      const owner = await world.api.read(cell.user, (trx) => trx.scope());
      expect(owner.position_ids).toBeNull();
    });
  });
});

describe('readmit people', () => {
  useTeamDatabase();

  it('readmits people in the order of their ids, so that two calls cannot deadlock', async () => {
    const made = [await makePerson(main.id, 'merchant'), await makePerson(main.id, 'merchant')];
    const [first = '', second = ''] = made.map(({ id }) => id).toSorted();
    await database.rows('update profile set home_withdrawn_at = now() where id in ($1, $2)', [first, second]);
    const owner = await sessionOf(people.merchant_owner.id);
    const readmitted = await withAdminConnection(database.adminUrl, async (holder) => {
      await holder.query('begin');
      await holder.query('select from profile where id = $1 for update', [first]);
      const row = (profile_id: string) => ({ profile_id, role: 'merchant', name: null });
      const call = api.write(owner, (trx) => trx.rows(restoreAccess([row(second), row(first)])));
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
});
