import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../db/platform/database';
import { resultAnalyses } from '../../db/results/public';
import { findAttemptInput } from '../../db/scoring/attempt-input';
import { failIfAnswersLost, findScoredRun, lockRun } from '../../db/scoring/runs';
import type { RunKey } from '../../db/scoring/runs';
import { listSamples } from '../../db/scoring/samples';
import { completeRun, findCurrentScores, writeScores } from '../../db/scoring/write-scores';
import type { CurrentScores, QuestionScores, RunScores, ScoreChange } from '../../db/scoring/write-scores';
import type { ScoringThread } from './scoring-thread';

/** Prices in USD per million tokens. */
export type TokenPrices = { prompt: number; completion: number };

/**
 * Computes the scores of a run from its samples and writes them, in one transaction that locks the result. Returns
 * `stale` and writes no scores if the run is no longer the latest, or if the attempt fails because all its answers are lost. Returns `repeated` if an earlier try wrote the
 * scores, but was killed before it could report this.
 */
export const recordScoringRun = (
  database: Pick<Database, 'writeAsWorker'>,
  key: RunKey,
  prices: TokenPrices | undefined,
  computeScores: ScoringThread['computeScores'],
): Promise<'written' | 'repeated' | 'stale'> =>
  database.writeAsWorker(async (trx) => {
    const locked = await trx.maybeOne(lockRun(key));
    const input = locked && (await trx.maybeOne(findAttemptInput(key, null)));
    if (!input) return (await trx.maybeOne(findScoredRun(key))) ? 'repeated' : 'stale';
    if ((await trx.one(failIfAnswersLost(key))).is_failed) return 'stale';
    const samples = await trx.rows(listSamples(key, input.merchant_id, null));
    const current = await trx.one(findCurrentScores(key));
    const { scores, questions, facts } = await computeScores(input, samples);
    resultAnalyses.parse(scores.ai_analysis_other);
    const { risks, ...own } = scores;
    const decided = new Map(current.questions.map(({ id, is_decided }) => [id, is_decided]));
    await trx.one(
      writeScores(
        key,
        own,
        {
          is_decided: current.is_decided,
          // If a person has changed the risks since the last run, the risks stay.
          keeps_risks: !isDeepStrictEqual(current.recruiter_risks ?? [], current.found_risks ?? []),
          risks: risks.length > 0 ? risks : null,
        },
        questions.map((question) => ({ ...question, is_decided: decided.get(question.id) ?? false })),
      ),
    );
    const { prompt_tokens: sent, completion_tokens: received } = facts;
    const cost_usd =
      prices === undefined ? null : (sent * prices.prompt + received * prices.completion) / 1_000_000;
    await trx.count(
      completeRun(
        key,
        input.merchant_id,
        { ...facts, cost_usd },
        scores,
        findChanges(current, scores, questions),
      ),
    );
    return 'written';
  });

/** The fields whose changes are recorded: for `numbers` the values, for `texts` only the name of the field. */
const numbers = [
  'score',
  'score_simulation',
  'score_text',
  'score_sentiment',
  'score_words_per_minute',
  'score_answer',
  'ai_analysis_recruiter_score',
] as const;
const texts = ['ai_analysis', 'ai_analysis_recruiter', 'ai_analysis_other'] as const;

/** Lists what a run changes. In the first run of a result, every score that the run sets is a change. */
function findChanges(
  current: CurrentScores,
  scores: RunScores,
  questions: readonly QuestionScores[],
): ScoreChange[] {
  const before = new Map(current.questions.map((question) => [question.id, question]));
  return [
    ...numbers
      .map((field) => ({ field, question_id: null, from: current.scores[field], to: scores[field] }))
      .filter(({ from, to }) => from !== to)
      // If a person has set the score, a run changes neither the score nor its words.
      .filter(({ field }) => !current.is_decided || (field !== 'score' && field !== 'score_text')),
    ...texts
      .filter((field) => !isDeepStrictEqual(current.scores[field], scores[field]))
      .map((field) => ({ field, question_id: null, from: null, to: null })),
    ...questions
      .map(({ id, score_answer_ai: to }) => ({
        field: 'score_answer_ai',
        question_id: id,
        from: before.get(id)?.score_answer_ai ?? null,
        to,
      }))
      .filter(({ from, to }) => from !== to),
  ];
}
