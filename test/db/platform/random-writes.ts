import * as fc from 'fast-check';
import type { PoolClient } from 'pg';
import type { Cell, World } from './world';

/* Generates random changes of the rows that merchant-status counts. */

/** Returns a statement that inserts enrolments at the merchant of this cell. */
export const insertEnrolments = (
  cell: Cell,
  interview: string,
  position: string | null,
  count: number,
  hoursAgo: number,
) => ({
  text: `insert into enrolment (merchant_id, environment, interview_id, position_id, profile_id, email, email_key, created_at)
    select $1, $2, $3, $4, $5, id, id, now() - make_interval(hours => $7)
    from (select gen_random_uuid()::text || '@any.example' as id from generate_series(1, $6)) person`,
  values: [cell.merchantId, cell.environment, interview, position, cell.taken.candidate, count, hoursAgo],
});

const state = fc.record({
  status: fc.constantFrom('draft', 'active'),
  interview_status: fc.constantFrom(null, 'started', 'completed', 'completed, stopped early', 'failed'),
  processing_status: fc.constantFrom(null, 'processing', 'completed'),
  recruiter_go_next_round: fc.constantFrom(null, null, true, false),
});
const where = {
  cell: fc.nat(3),
  which: fc.constantFrom('taken' as const, 'free' as const),
  isUndone: fc.boolean(),
};
const added = { count: fc.integer({ min: 1, max: 5 }), hoursAgo: fc.integer({ min: 0, max: 400 }) };
export const step = fc.oneof(
  fc.record({ does: fc.constant('enrol'), atPosition: fc.boolean(), ...where, ...added }),
  fc.record({ does: fc.constant('take'), state, isTest: fc.boolean(), ...where, ...added }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('change'), state, part: fc.nat(2), ...where }) },
  fc.record({
    does: fc.constant('retire'),
    status: fc.constantFrom('active', 'draft', 'archived', 'deleted'),
    ...where,
  }),
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs one random change in a transaction. Several clients can run changes at the same time. */
export async function write(client: PoolClient, cells: World['cells'], each: Step): Promise<void> {
  const cell = cells[each.cell] ?? cells[0];
  const { interview, position } = cell[each.which];
  await client.query('begin');
  if (each.does === 'enrol')
    await client.query(
      insertEnrolments(cell, interview, each.atPosition ? position : null, each.count, each.hoursAgo),
    );
  else if (each.does === 'take')
    await client.query(
      `insert into interview_result (merchant_id, environment, interview_id, is_test, status, interview_status,
         processing_status, recruiter_go_next_round, created_at)
       select $1, $2, $3, $4, $5, $6, $7, $8, now() - make_interval(hours => $10) from generate_series(1, $9)`,
      [
        cell.merchantId,
        cell.environment,
        interview,
        each.isTest,
        ...Object.values(each.state),
        each.count,
        each.hoursAgo,
      ],
    );
  else if (each.does === 'change')
    await client.query(
      `update interview_result set status = $4, interview_status = $5, processing_status = $6,
         recruiter_go_next_round = $7
       where id in (
         select id from interview_result where merchant_id = $1 and environment = $2 and abs(hashtext(id::text)) % 3 = $3
         order by id for update
       )`,
      [cell.merchantId, cell.environment, each.part, ...Object.values(each.state)],
    );
  else
    for (const [table, id] of [
      ['interview', interview],
      ['position', position],
    ])
      await client.query(`update ${table} set status = $2 where id = $1`, [id, each.status]);
  await client.query(each.isUndone ? 'rollback' : 'commit');
}
