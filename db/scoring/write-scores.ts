import type { Statement } from '../platform/statement';
import type { Scores } from '../results/public';
import type { RunKey } from './runs';

/* Statements that write the scores of a run (docs/results.md#scoring). */

/** A risk that the scoring has found. */
export type Risk = { key: string; severity: 'warning' | 'issue'; note: string };

/** The scores of one part of the transcript. `id` is the id of its row. */
export type QuestionScores = {
  id: string;
  ai_analysis: string | null;
  ai_analysis_recruiter: string | null;
  /** From 1 to 5. */
  score_answer_ai: number | null;
  score_answer_ai_simulation: number | null;
  answer_assessment_raw_data: unknown;
};

/** What a run computed for the result as a whole. */
export type RunScores = Scores & { risks: Risk[] };

/** The scores of a result before a run writes new ones. */
export type CurrentScores = {
  scores: Scores;
  recruiter_risks: unknown;
  /** The risks that the last run found. Null before the first run. */
  found_risks: unknown;
  /** True if a person has set the score of the result. */
  is_decided: boolean;
  questions: { id: string; score: number | null; score_answer_ai: number | null; is_decided: boolean }[];
};

const columns = `score, score_simulation, score_text, score_sentiment, score_words_per_minute, score_pronunciation,
  score_answer, ai_analysis, ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other`;
const typedColumns = `score numeric, score_simulation numeric, score_text text, score_sentiment numeric,
  score_words_per_minute numeric, score_pronunciation numeric, score_answer numeric, ai_analysis text,
  ai_analysis_recruiter text, ai_analysis_recruiter_score numeric, ai_analysis_other jsonb`;

/**
 * SQL that is true if a person's score applies to a subject (the result or one answer). If the latest decision has no
 * score, the person has withdrawn the score.
 */
const isDecided = (subject: string) => `coalesce((
    select d.score is not null from score_decision d
    where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = r.attempt and ${subject}
    order by d.id desc limit 1
  ), false)`;

/** Returns the current scores of a result. The caller has locked the result. */
export const findCurrentScores = ({ result_id, attempt }: RunKey): Statement<CurrentScores> => ({
  name: 'find_current_scores',
  text: `
    select (select to_jsonb(c) from (select ${columns}) c) as scores, r.recruiter_risks, (
        select s.scores -> 'risks' from score_record s
        where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.state = 'scored'
        order by s.run desc limit 1
      ) as found_risks,
      ${isDecided('d.question_id is null')} as is_decided,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', q.id, 'score', q.score, 'score_answer_ai', q.score_answer_ai,
          'is_decided', ${isDecided('d.question_id = q.id')}) order by q.step_order)
        from result_question q
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = r.attempt and q.is_answer
      ), '[]') as questions
    from interview_result r where r.id = $1 and r.attempt = $2`,
  values: [result_id, attempt],
});

/**
 * Writes the scores of a run and completes the result, which the caller has locked. Scores that a person has set
 * stay, and so do risks that a person has changed. The webhook event names the fields that changed.
 */
export const writeScores = (
  { result_id, attempt, run }: RunKey,
  scores: Scores,
  { is_decided, keeps_risks, risks }: { is_decided: boolean; keeps_risks: boolean; risks: Risk[] | null },
  questions: readonly (QuestionScores & { is_decided: boolean })[],
): Statement<{ written: number }> => ({
  name: 'write_scores',
  text: `
    with scored as (
      update interview_result r set (processing_status, recruiter_risks, ${columns}) = (
        select 'completed', case when $6 then r.recruiter_risks else nullif($7::jsonb, 'null') end,
          case when $5 then r.score else s.score end, s.score_simulation,
          case when $5 then r.score_text else s.score_text end, ${columns
            .replace('score, score_simulation, score_text, ', '')
            .split(',')
            .map((column) => `s.${column.trim()}`)
            .join(', ')}
        from jsonb_to_record($4) as s (${typedColumns})
      )
      where r.id = $1 and r.attempt = $2 and r.scoring_run = $3 and r.status = 'active'
      returning r.merchant_id, r.id, r.attempt
    ), question as (
      update result_question q set ai_analysis = i.ai_analysis, ai_analysis_recruiter = i.ai_analysis_recruiter,
        score = case when i.is_decided then q.score else i.score_answer_ai end,
        score_simulation = i.score_answer_ai_simulation, score_answer_ai = i.score_answer_ai,
        score_answer_ai_simulation = i.score_answer_ai_simulation,
        answer_assessment_raw_data = i.answer_assessment_raw_data
      from scored s, jsonb_to_recordset($8) as i (id uuid, ai_analysis text, ai_analysis_recruiter text,
        score_answer_ai numeric, score_answer_ai_simulation numeric, answer_assessment_raw_data jsonb, is_decided boolean)
      where q.merchant_id = s.merchant_id and q.result_id = s.id and q.attempt = s.attempt and q.id = i.id
    )
    select count(*)::int as written from scored`,
  values: [
    result_id,
    attempt,
    run,
    JSON.stringify(scores),
    is_decided,
    keeps_risks,
    JSON.stringify(risks),
    JSON.stringify(questions),
  ],
});

/** The facts of a run that are kept with its scores. */
export type RunFacts = {
  model: string | null;
  prompt_version: string | null;
  prompt_hash: string | null;
  rubric_version: string;
  input_hash: string;
  samples: number;
  spread: number;
  disagreement: number;
  /** Null if nothing was quoted. */
  verified_share: number | null;
  needs_review: boolean;
  prompt_tokens: number;
  completion_tokens: number;
  /** Null if no prices are configured. */
  cost_usd: number | null;
};

/** A score that a run changed. `question_id` is null for a field of the result. */
export type ScoreChange = { field: string; question_id: string | null; from: unknown; to: unknown };

/** Stores the outcome of a scoring run in the record of the run. */
export const completeRun = (
  { result_id, attempt, run }: RunKey,
  merchantId: string,
  facts: RunFacts,
  scores: RunScores,
  changes: ScoreChange[],
): Statement => ({
  name: 'complete_scoring_run',
  text: `
    update score_record s set (state, ended_at, scores, changes, model, prompt_version, prompt_hash, rubric_version,
      input_hash, samples, spread, disagreement, verified_share, needs_review, prompt_tokens, completion_tokens,
      cost_usd) = (
      select 'scored', clock_timestamp(), $5::jsonb, $6::jsonb, f.model, f.prompt_version, f.prompt_hash,
        f.rubric_version, f.input_hash, f.samples, f.spread, f.disagreement, f.verified_share, f.needs_review,
        f.prompt_tokens, f.completion_tokens, f.cost_usd
      from jsonb_populate_record(s, $7) f
    )
    where s.merchant_id = $4 and s.result_id = $1 and s.attempt = $2 and s.run = $3 and s.state = 'running'`,
  values: [
    result_id,
    attempt,
    run,
    merchantId,
    JSON.stringify(scores),
    JSON.stringify(changes),
    JSON.stringify(facts),
  ],
});
