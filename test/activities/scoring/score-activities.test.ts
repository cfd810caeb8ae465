import type { ScoringOutcome } from '../../../activities/scoring/score-activities';
import { bracketTexts } from '../../../api/platform/text/language-texts';
import { decideScore, rescoreResult } from '../../../db/scoring/requests';
import type { RunKey } from '../../../db/scoring/runs';
import { findScoreReview } from '../../../db/scoring/score-review';
import { eraseAttempt } from '../../../db/taking/retention';
import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { meetAtRow } from '../../harness/platform/row-lock';
import { waitFor } from '../../harness/wait-for';
import { goodAnswer, startScoringWorld } from './scoring-world';
import type { ScoringWorld } from './scoring-world';

let world: ScoringWorld;
beforeAll(async () => {
  world = await startScoringWorld();
});
afterEach(() => world.clearFaults());

const run = <Value>(activity: (input: never) => Promise<Value>, input: unknown): Promise<Value> =>
  activityEnvironment().run(activity as (given: unknown) => Promise<Value>, input) as Promise<Value>;
/** Runs the activities of a scoring run in the order in which the workflow calls them, except the last one. */
async function assess(key: RunKey): Promise<void> {
  const opened = await run(world.scoring.openScoring, key);
  for (const place of opened?.places ?? []) await run(world.scoring.scoreAnswer, { ...key, place });
  await run(world.scoring.scoreSession, key);
  await run(world.scoring.summarizeResult, key);
}
async function scoreAll(key: RunKey): Promise<void> {
  await assess(key);
  await run(world.scoring.recordScoring, key);
}

describe('the activities of the scoring', () => {
  it('fill what job-interview-details promises, and keep the record of the run', async () => {
    const { key, result_id } = await world.submitted([goodAnswer, 'No idea.']);
    await scoreAll(key);
    const [record] = await world.recordsOf(result_id);
    expect(record).toMatchObject({
      state: 'scored',
      model: 'gpt-4.1-mini',
      prompt_version: 'answer-assessment/1, result-summary/3, session-assessment/1',
      rubric_version: expect.stringMatching(/^rubric\/1:[0-9a-f]{32}$/),
      input_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
      samples: 10,
    });
    const result = await world.result(result_id);
    expect(result).toMatchObject({ processing_status: 'completed', score_text: expect.any(String) });
    expect(result['ai_analysis_other']).toMatchObject({
      strengths_concerns: {},
      score_rationale: {},
      evidence: {},
    });
    for (const question of await world.questionsOf(result_id))
      expect(question['answer_assessment_raw_data']).toMatchObject({
        criteria: expect.any(Array),
        spread: expect.any(Number),
      });
  });

  it('make no call twice when they are repeated', async () => {
    const { key, result_id } = await world.submitted();
    await scoreAll(key);
    const calls = await world.modelCalls(result_id);
    await scoreAll(key);
    expect(await world.modelCalls(result_id)).toEqual(calls);
    expect(await world.samplesOf(result_id)).toHaveLength(7);
  });

  it('keep the rating next to the score that counts, on the scale of the beginning of the attempt', async () => {
    const { key, result_id } = await world.submitted();
    await world.change(
      `update interview set result_scoring = '{"max_score": 5}'
       where id = (select interview_id from interview_result where id = $1)`,
      result_id,
    );
    await scoreAll(key);
    const decide = (score: number | null) =>
      world.asRecruiter((trx) =>
        trx.one(decideScore(result_id, null, score, 'Heard the recording.', bracketTexts)),
      );
    const shown = async () => {
      const { score, score_text } = await world.result(result_id);
      const { max_score } = await world.asRecruiter((trx) => trx.one(findScoreReview(result_id, 1)));
      return [Number(score), max_score, score_text];
    };
    expect(await shown()).toEqual([6.9, 10, 'Moderate']);
    expect(await decide(3.9)).toMatchObject({ outcome: 'decided' });
    expect(await shown()).toEqual([3.9, 10, 'Weak']);
    await world.asRecruiter((trx) => trx.one(rescoreResult(result_id, null)));
    await scoreAll({ ...key, run: 2 });
    expect(await shown()).toEqual([3.9, 10, 'Weak']);
    expect((await world.recordsOf(result_id))[1]).toMatchObject({ changes: [] });
    const deciders = async () => {
      const { decisions } = await world.asRecruiter((trx) => trx.one(findScoreReview(result_id, 1)));
      return decisions.map(({ decided_by }) => decided_by);
    };
    expect(await deciders()).toEqual([expect.not.stringContaining('outside')]);
    await world.change('update score_decision set decided_by = uuidv7() where result_id = $1', result_id);
    expect(await deciders()).toEqual(['Someone outside your team']);
    await decide(null);
    expect(await shown()).toEqual([6.9, 10, 'Moderate']);
    expect(
      await world.database.rows('select score, evidence_verified from report_attempt where result_id = $1', [
        result_id,
      ]),
    ).toEqual([{ score: 6.9, evidence_verified: 1 }]);
  });

  it('end a run once if it is scored and failed at the same time', async () => {
    const { key, result_id } = await world.submitted();
    await scoreAll(key);
    await world.change('update interview_result set score = 1 where id = $1', result_id);
    await world.asRecruiter((trx) => trx.one(rescoreResult(result_id, null)));
    const second = { ...key, run: 2 };
    await assess(second);
    const [recorded] = await meetAtRow<unknown>(
      world.database,
      'interview_result',
      { key: 'id', id: result_id },
      [
        () => run(world.scoring.recordScoring, second),
        () => run(world.scoring.failScoring, { ...second, failure: 'any' }),
      ],
    );
    const [, record] = await world.recordsOf(result_id);
    const isScored = record?.state === 'scored';
    expect(recorded).toMatchObject({ is_written: isScored });
    expect(Number((await world.result(result_id)).score) === 1).toBe(!isScored);
  });

  it('write nothing for a run that is not the latest any more', async () => {
    const { key, result_id } = await world.submitted();
    await run(world.scoring.openScoring, key);
    await world.change('update interview_result set scoring_run = 2 where id = $1', result_id);
    expect(await run(world.scoring.scoreSession, key)).toEqual<ScoringOutcome>({ state: 'stale' });
    expect(await run(world.scoring.recordScoring, key)).toEqual({ is_written: false });
    await run(world.scoring.failScoring, { ...key, failure: 'any' });
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'processing', score: null });
  });

  it('leave a result that is erased meanwhile as failed, and store nothing of it', async () => {
    const { key, result_id } = await world.submitted();
    await run(world.scoring.openScoring, key);
    const scope = { merchant_id: '', environment: 'production' as const };
    let scored: Promise<unknown> = Promise.resolve();
    await world.worker.writeAsWorker(async (trx) => {
      expect(await trx.one(eraseAttempt({ ...scope, ...key }))).toEqual({ erased: true });
      scored = run(world.scoring.scoreSession, key);
      await waitFor('the samples to wait for the deletion', async () => {
        const waiting = await world.database.rows(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length === 3;
      });
    });
    await scored;
    expect(await world.samplesOf(result_id)).toEqual([]);
    expect(await run(world.scoring.recordScoring, key)).toEqual({ is_written: false });
    expect(await world.recordsOf(result_id)).toEqual([]);
    expect(await world.result(result_id)).toMatchObject({ processing_status: 'failed', score: null });
  });
});
