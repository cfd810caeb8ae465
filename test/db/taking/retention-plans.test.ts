import type { Query } from '../../../db/platform/statement';
import { claimRecording } from '../../../db/taking/recording-work';
import { findExpiredAttempts, findExpiredRecordings } from '../../../db/taking/retention';
import { expensiveTables } from '../platform/plan-cost';
import { createWorld } from '../platform/world';
import type { World } from '../platform/world';

/*
 * Tests the query plans of the statements with which the worker looks for work. One merchant has 20,000 results, half
 * of them a year old. Each result has a turn, a stored recording of this month and an earlier attempt.
 */

let world: World;
beforeAll(async () => {
  world = await createWorld();
  const { rows } = world.database;
  const [{ merchantId, environment, taken }] = world.cells;
  await rows('set session_replication_role = replica');
  await rows(
    `with result as (
       insert into interview_result (merchant_id, environment, interview_id, status, submitted_at, created_at)
       select $1, $2, $3, 'active', at, at from (
         select now() - make_interval(days => n % 2 * 365) as at from generate_series(1, 20000) n
       ) n
       returning id, created_at
     ), turn as (
       insert into result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view, created_at,
         recording_local_path)
       select $1, $2, id, 1, 1, true, 'with listening', created_at, case when created_at > now() - interval '30 days' then 'any' end
       from result
     ), history as (
       insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, reopened_at)
       select $1, $2, id, 1, '{}', created_at from result
     )
     insert into recording (merchant_id, environment, result_id, attempt, kind, media_type, state, verified_type)
     select $1, $2, id, 1, 'session', 'audio/webm', 'stored', 'audio/webm' from result`,
    [merchantId, environment, taken.interview],
  );
  await rows('set session_replication_role = origin');
  for (const table of ['interview_result', 'result_question', 'interview_result_attempt', 'recording'])
    await rows(`vacuum analyze ${table}`);
});

it.each([
  ['recordings to join', claimRecording(false)],
  ['recordings to measure', claimRecording(true)],
  ['expired recordings', findExpiredRecordings(50)],
  ['expired attempts', findExpiredAttempts(50, [])],
] as [string, Query][])('reads few rows to find %s', async (_, statement) => {
  const asWorker = (work: Parameters<typeof world.worker.writeAsWorker<never>>[0]) =>
    world.worker.writeAsWorker(async (trx) => {
      // `queryAsWorker` runs statements with the same two settings.
      await trx.rows({
        text: `select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
      });
      return work(trx);
    });
  expect(await expensiveTables(asWorker, statement)).toEqual([]);
});
