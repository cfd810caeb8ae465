import { bracketTexts } from '../../../api/platform/text/language-texts';
import type { Transaction } from '../../../db/platform/database';
import type { Query } from '../../../db/platform/statement';
import { findAttemptInput } from '../../../db/scoring/attempt-input';
import { overrideScore, findOpenRun, rescoreResult } from '../../../db/scoring/requests';
import {
  beginRun,
  countPendingTranscripts,
  countUnfinishedScoring,
  failRun,
  listOpenRuns,
  lockRun,
  supersedeRun,
} from '../../../db/scoring/runs';
import { insertSample, listSamples } from '../../../db/scoring/samples';
import { findScoreReview } from '../../../db/scoring/score-review';
import { completeRun, findCurrentScores, writeScores } from '../../../db/scoring/write-scores';
import type { RunFacts, RunScores } from '../../../db/scoring/write-scores';
import { expensiveTables, expensiveTablesInside, vacuum } from '../platform/plan-cost';
import { createWorld, uuid } from '../platform/world';
import type { Cell, World } from '../platform/world';

/*
 * Tests the query plans of the scoring. One merchant has 5,000 submitted results, each with two answers, a scored run
 * with three samples, and a score that a person has set. The run of one of these results is still in progress.
 */

const size = 5_000;
let world: World;
let cell: Cell;
let scored: string;
let open: string;
let question: string;
beforeAll(async () => {
  world = await createWorld();
  [cell] = world.cells;
  const { rows } = world.database;
  const { merchantId, environment, profileId, taken } = cell;
  await rows('set session_replication_role = replica');
  await rows(
    `with result as (
       insert into interview_result (merchant_id, environment, interview_id, status, interview_status, processing_status,
         attempt, scoring_run, score, submitted_at)
       select $1, $2, $3, 'active', 'completed', 'completed', 1, 1, 5, now() from generate_series(1, ${size})
       returning id
     ), plan as (
       insert into attempt_plan (merchant_id, environment, result_id, attempt) select $1, $2, id, 1 from result
     ), step as (
       insert into attempt_step (merchant_id, environment, result_id, attempt, place, kind, view, text,
         platform_language_code, mode, is_required, is_scored, max_followups, rubric)
       select $1, $2, id, 1, place, 'question', 'with listening', 'Any?', 'en', 'text', true, true, 0, '{"weak": ["Any"]}'
       from result, generate_series(1, 2) place
     ), turn as (
       insert into result_question (merchant_id, environment, result_id, attempt, step_order, place, is_answer, kind, view,
         answer, answer_kind, after_turn)
       select $1, $2, id, 1, place, place, true, 'question', 'with listening', 'Any.', 'text',
         case when place > 1 then uuidv7() end
       from result, generate_series(1, 2) place
     ), record as (
       insert into score_record (merchant_id, environment, result_id, attempt, run, state, scores)
       select $1, $2, id, 1, 1, 'scored', '{"score": 5}' from result
     ), sample as (
       insert into score_sample (merchant_id, environment, result_id, attempt, run, subject, place, number, sample)
       select $1, $2, id, 1, 1, 'answer', 1, number, '{}' from result, generate_series(1, 3) number
     )
     insert into score_decision (merchant_id, environment, result_id, attempt, score, reason, decided_by)
     select $1, $2, id, 1, 6, 'Any', $4 from result`,
    [merchantId, environment, taken.interview, profileId],
  );
  const [first, second] = await rows<{ id: string }>(
    `select id from interview_result where merchant_id = $1 and scoring_run = 1 limit 2`,
    [merchantId],
  );
  scored = first?.id ?? '';
  open = second?.id ?? '';
  await rows(`update interview_result set processing_status = 'processing' where id = $1`, [open]);
  await rows(`update score_record set state = 'running' where result_id = $1`, [open]);
  const [turn] = await rows<{ id: string }>('select id from result_question where result_id = $1 limit 1', [
    scored,
  ]);
  question = turn?.id ?? '';
  await rows('set session_replication_role = origin');
  await vacuum(
    rows,
    'interview_result',
    'attempt_plan',
    'attempt_step',
    'result_question',
    'score_record',
    'score_sample',
    'score_decision',
  );
});

const keyOf = (result_id: string) => ({ result_id, attempt: 1, run: 1 });
const answer = { subject: 'answer', place: 1 } as const;
const scores = { score: 5, risks: [] } as unknown as RunScores;

describe('the worker', () => {
  const asWorker = (work: (trx: Transaction) => Promise<never>) => world.worker.writeAsWorker(work);

  it.each<[string, (key: ReturnType<typeof keyOf>, merchant: string) => Query]>([
    ['find the input of a run', (key) => findAttemptInput(key, null)],
    ['find the answers to one step', (key) => findAttemptInput(key, 1)],
    ['lock a run', (key) => lockRun(key)],
    ['begin a run', (key, merchant) => beginRun(key, merchant)],
    ['fail a run', (key, merchant) => failRun(key, merchant, 'any')],
    ['supersede a run', (key) => supersedeRun(key)],
    ['count pending transcripts', (key) => countPendingTranscripts(key)],
    ['list the samples of a run', (key, merchant) => listSamples(key, merchant, null)],
    ['list the samples of an answer', (key, merchant) => listSamples(key, merchant, answer)],
    [
      'store a sample',
      (key, merchant) => insertSample(key, merchant, { ...answer, place: 2, number: 1, sample: {} }),
    ],
    ['find the current scores', (key) => findCurrentScores(key)],
    [
      'write scores',
      (key) => writeScores(key, scores, { is_decided: false, keeps_risks: false, risks: null }, []),
    ],
    ['complete a run', (key, merchant) => completeRun(key, merchant, {} as RunFacts, scores, [])],
    ['count runs that wait or have failed', () => countUnfinishedScoring],
    ['list runs that have not ended', () => listOpenRuns(undefined, 50)],
  ])('reads few rows to %s', async (_, statementOf) => {
    for (const id of [open, scored])
      expect(await expensiveTables(asWorker, statementOf(keyOf(id), cell.merchantId))).toEqual([]);
  });
});

describe('a caller', () => {
  const asUser = (work: (trx: Transaction) => Promise<never>) => world.api.write(cell.user, work);

  it.each<[string, () => Query]>([
    ['find the run in progress', () => findOpenRun(open)],
    ['find no run in progress', () => findOpenRun(scored)],
  ])('reads few rows to %s', async (_, statementOf) => {
    for (const caller of [cell.user, cell.service])
      expect(await expensiveTables((work) => world.api.write(caller, work), statementOf())).toEqual([]);
  });

  it('reads few rows to review the scores of an attempt in the console', async () => {
    expect(await expensiveTables(asUser, findScoreReview(scored, 1))).toEqual([]);
  });

  it.each<[string, () => Query]>([
    ['score a result again', () => rescoreResult(scored, null)],
    ['be told that a run is in progress', () => rescoreResult(open, null)],
    ['set the score of a result', () => overrideScore(scored, null, 7, 'Any', bracketTexts)],
    ['set the score of an answer', () => overrideScore(scored, question, 4, 'Any', bracketTexts)],
    ['set the score of an unknown result', () => overrideScore(uuid(), null, 7, 'Any', bracketTexts)],
  ])('reads few rows, also inside of functions, to %s', async (_, statementOf) => {
    expect(await expensiveTablesInside(asUser, statementOf())).toEqual([]);
  });
});
