import type { Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import { findResultDetails } from '../../../db/results/result-details';
import { listResults } from '../../../db/results/result-list';
import type { ResultFilter } from '../../../db/results/result-list';
import { findScoringRates } from '../../../db/scoring/public';
import { expensiveScans, vacuum } from '../platform/plan-cost';
import { createWorld, insertOf, rowOf, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests how many rows the lists and details of results read. A merchant has 10,000 results of 41 interviews. 200 of
 * the results belong to a position.
 */

const size = 10_000;
const index = 'interview_result__merchant_id_environment_created_at_id';
let world: World;
let cell: Cell;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const { merchantId, environment, taken } = cell;
  // Triggers and foreign keys are off while the rows are inserted, to save time. Other tests check them.
  await rows('set session_replication_role = replica');
  await rows(
    `insert into interview select (jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'slug', null,
       'type', (array['interview', 'assessment', 'coaching'])[1 + n % 3]))).*
     from interview i, generate_series(1, 40) n where i.id = $1`,
    [taken.interview],
  );
  await rows(
    `insert into enrolment (merchant_id, environment, interview_id, position_id, profile_id, name, email, email_key,
       external_id)
     select $1, $2, i.id, case when n % 50 = 0 then $3::uuid end, $4, 'Candidate ' || n, n || '@many.example',
       n || '@many.example', 'crm-' || n
     from generate_series(1, $5) n join (
       select id, row_number() over () as place from interview
       where merchant_id = $1 and environment = $2 and built_at is not null and id <> $6
     ) i on place = 1 + n % 41`,
    [merchantId, environment, taken.position, taken.candidate, size, cell.free.interview],
  );
  await rows(
    `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, status, interview_status,
       processing_status, recruiter_go_next_round, recruiter_shortlist, score, ai_analysis, created_at, updated_at)
     select merchant_id, environment, interview_id, id, case when n % 3 = 0 then 'draft' else 'active' end, 'completed',
       case when n % 3 > 0 then 'completed' end, case n % 50 when 1 then true when 2 then false end,
       n % 200 = 0, (n % 100) / 10.0, repeat('word ', 200), now() - n * interval '7 minutes',
       now() - (n * 7919 % 10000) * interval '1 minute'
     from (select *, row_number() over () n from enrolment where merchant_id = $1 and external_id like 'crm-%') e`,
    [merchantId],
  );
  await rows(
    `insert into report_attempt (merchant_id, environment, result_id, attempt, interview_id, position_id, language, is_test,
       instant, submitted_at, status, interview_status, processing_status, decision, is_shortlisted,
       has_risk_flags, score)
     select r.merchant_id, r.environment, r.id, r.attempt, r.interview_id, e.position_id, 'en', false,
       r.created_at, r.created_at, r.status, r.interview_status, r.processing_status, r.recruiter_go_next_round, false,
       false, r.score
     from interview_result r join enrolment e on e.id = r.enrolment_id where e.external_id like 'crm-%'
     on conflict do nothing`,
  );
  await rows(
    `insert into score_record (merchant_id, environment, result_id, attempt, run, state, ended_at)
     select merchant_id, environment, id, attempt, 1, 'scored', now() from interview_result
     where merchant_id = $1 and processing_status = 'completed' on conflict do nothing`,
    [merchantId],
  );
  await rows('set session_replication_role = origin');
  await vacuum(rows, 'interview', 'enrolment', 'interview_result', 'report_attempt', 'score_record');
});

const asUser = (work: (trx: Transaction) => Promise<never>) => world.api.write(cell.user, work);
const manyOf = async (query: Query) =>
  (await expensiveScans(asUser, query)).map((scan) => ({
    table: scan['Relation Name'],
    by: scan['Node Type'],
    rows: scan['Heap Fetches'],
    index: scan['Index Name'],
  }));
const page = { order_by: 'created_at_newest', limit: 50, offset: 0 } as const;
/** The expected scan: it reads the entries of the whole index and no rows of the table. */
const pass = { table: 'interview_result', by: 'Index Only Scan', rows: 0, index };

const narrowed: [string, () => Partial<ResultFilter>][] = [
  ['all', () => ({})],
  ['a tab with most of the results', () => ({ tab: 'completed' })],
  ['a tab with few of the results', () => ({ tab: 'rejected' })],
  ['undecided results, last changed first', () => ({ tab: 'undecided', order_by: 'updated_at_newest' })],
  ['the shortlist, oldest first', () => ({ tab: 'shortlist', order_by: 'created_at_oldest' })],
  ['a type', () => ({ type: 'coaching' })],
  ['a distant page', () => ({ offset: 9_000 })],
];

describe('merchant-result-list of 10,000 results', () => {
  it.each(narrowed)('reads one index at most twice and no rows of the table, for %s', async (_, filter) => {
    const many = await manyOf(listResults({ ...page, ...filter() }));
    expect(many.length).toBeGreaterThan(0);
    expect(many.length).toBeLessThanOrEqual(2);
    for (const scan of many) expect(scan).toEqual(pass);
  });

  it('reads two indexes and no rows of results, by score', async () => {
    const many = await manyOf(listResults({ ...page, order_by: 'score' }));
    expect(many.filter(({ table }) => table === 'interview_result')).toEqual([pass, pass]);
    expect(many.filter(({ table }) => table !== 'interview_result')).toMatchObject([
      { table: 'report_attempt' },
    ]);
  });

  it('reads the results of an interview or a position and their candidates only', async () => {
    for (const interview_id of [cell.taken.interview, cell.taken.position]) {
      const many = await manyOf(listResults({ ...page, interview_id }));
      expect(many.filter(({ table }) => table !== 'enrolment')).toEqual([pass, pass]);
    }
    // The statement runs as a write, because writes have a longer time limit than reads.
    const [row] = await world.api.write(cell.user, (trx) =>
      trx.rows(listResults({ ...page, interview_id: cell.taken.position })),
    );
    // The position has 200 of the inserted results, and one that existed before.
    expect(row?.total).toBe(201);
  });

  it('reads results and candidates once for a text', async () => {
    const many = await manyOf(listResults({ ...page, filter_text: 'date 777' }));
    expect(many.filter(({ table }) => table !== 'enrolment')).toEqual([pass]);
  });
});

describe('a hiring manager with one position', () => {
  it('reads one index and the candidates of the position', async () => {
    const [profileId, sessionId] = [uuid(), uuid()];
    const { merchantId, environment, taken, user } = cell;
    const { rows } = world.database;
    for (const { text, values } of [
      insertOf('profile', { ...rowOf('profile', cell, taken, profileId), role: 'merchant_selection' }),
      insertOf('session', { id: sessionId, profile_id: profileId, environment }),
      insertOf('position_member', {
        merchant_id: merchantId,
        profile_id: profileId,
        environment,
        position_ids: [taken.position],
      }),
    ])
      await rows(text, values);
    const manager = { ...user, profileId, sessionId, role: 'merchant_selection' } as Cell['user'];
    const asManager = (work: (trx: Transaction) => Promise<never>) => world.api.write(manager, work);
    const scans = await expensiveScans(asManager, listResults(page));
    // The manager's position has 201 candidates: the 200 that were inserted and one that existed before.
    expect(scans.map((scan) => [scan['Relation Name'], scan['Index Name']])).toContainEqual([
      'interview_result',
      index,
    ]);
    for (const scan of scans)
      if (scan['Relation Name'] === 'enrolment') expect(scan['Actual Rows']).toBeLessThanOrEqual(201);
    const [row] = await world.api.write(manager, (trx) => trx.rows(listResults(page)));
    expect(row?.total).toBe(201);
  });
});

describe('merchant-scoring-export of 10,000 results', () => {
  it('reads each result at most once', async () => {
    const months = { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
    const scans = await expensiveScans(
      asUser,
      findScoringRates({ ...months, interview_id: undefined, label: undefined, limit: 10_000 }),
    );
    const of = (table: string) => scans.filter((scan) => scan['Relation Name'] === table);
    const ofResults = [...of('interview_result'), ...of('report_attempt')];
    expect(ofResults).toHaveLength(2);
    for (const scan of ofResults)
      expect(scan['Actual Rows'] * scan['Actual Loops']).toBeLessThanOrEqual(size + 1_000);
  });
});

describe('find_result_details', () => {
  it('reads few rows for the latest and for an earlier attempt', async () => {
    for (const attempt of [undefined, 1, 2])
      expect(await manyOf(findResultDetails(cell.taken.result, attempt))).toEqual([]);
  });
});
