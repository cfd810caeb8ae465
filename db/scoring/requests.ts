import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';

/* Statements with which recruiters score a result again or change a score (docs/results.md#scoring). */

/**
 * Finds the queued or running scoring run of the result's current attempt. `is_started` is false while the start of
 * the run's workflow still waits in the outbox.
 */
export const findOpenRun = (
  resultId: string,
): Statement<{ attempt: number; run: number; is_started: boolean }> => ({
  name: 'find_open_scoring_run',
  text: `
    select s.attempt, s.run, s.state = 'running' or not app.is_start_queued(
        'result-scoring/' || r.id || '/' || s.attempt || '/' || s.run
      ) as is_started
    from interview_result r
    join score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
      and s.run = r.scoring_run
    where r.id = $1 and s.state in ('queued', 'running')`,
  values: [resultId],
});

/**
 * Queues another scoring run. `in_progress` means that the run with the returned number has not ended. If the
 * workflow of that run is gone, repeat the call with this number as `abandonedRun`. `not_scorable` means that the
 * result is not submitted, was erased, or has no scored questions in a plan.
 */
export const rescoreResult = (
  resultId: string,
  abandonedRun: number | null,
): Statement<
  | { outcome: 'queued' | 'in_progress'; attempt: number; run: number }
  | { outcome: 'unknown'; attempt: null; run: null }
  | { outcome: 'not_scorable'; attempt: number; run: null }
> => ({
  name: 'rescore_result',
  text: 'select outcome, attempt, run from app.rescore_result($1, $2)',
  values: [resultId, abandonedRun],
});

/**
 * Stores the score that a person gives to the current attempt or, with `questionId`, to one of its answers. A null
 * `score` withdraws the person's score. The returned `score` is the one that counts afterwards, and `score_ai` is the
 * computed one. If the score of the attempt changes, so does `score_text`, which says whether it is weak, moderate or
 * strong in the words of the interview's language (`words`).
 */
export const overrideScore = (
  resultId: string,
  questionId: string | null,
  score: number | null,
  reason: string,
  words: Record<LanguageCode, Record<'weak' | 'moderate' | 'strong' | 'none', string>>,
): Statement<{
  outcome: 'decided' | 'unknown' | 'not_scored' | 'unknown_question' | 'out_of_range';
  attempt: number | null;
  score: number | null;
  score_ai: number | null;
}> => ({
  name: 'decide_score',
  text: 'select outcome, attempt, score, score_ai from app.decide_score($1, $2, $3, $4, $5)',
  values: [resultId, questionId, score, reason, JSON.stringify(words)],
});
