import type { Transaction } from '../platform/database';
import { resultAnalyses } from './result-analyses';

/*
 * Statements that score a result (docs/results.md#states). Each change of state is one statement, which returns
 * whether the result was in the expected state. Changes by candidates are in db/taking, and changes by recruiters are
 * in result-decisions.ts.
 */

export type ResultKey = { result_id: string; attempt: number };

/** The scores of a submitted attempt, on the scales of docs/results.md#scales. */
export type Scores = {
  score: number | null;
  score_simulation: number | null;
  score_text: string | null;
  score_sentiment: number | null;
  score_words_per_minute: number | null;
  score_pronunciation: number | null;
  score_answer: number | null;
  ai_analysis: string | null;
  ai_analysis_recruiter: string | null;
  ai_analysis_recruiter_score: number | null;
  ai_analysis_other: Record<string, unknown> | null;
};

/**
 * The scores of one interaction. `id` is the id of the interaction's row in `result_question`. Answer scores range
 * from 1 to 5.
 */
type InteractionScores = {
  id: string;
  ai_analysis: string | null;
  ai_analysis_recruiter: string | null;
  score: number | null;
  score_simulation: number | null;
  score_answer_ai: number | null;
  score_answer_ai_simulation: number | null;
  answer_assessment_raw_data: unknown;
};

const scoreColumns = `score, score_simulation, score_text, score_sentiment, score_words_per_minute, score_pronunciation,
  score_answer, ai_analysis, ai_analysis_recruiter, ai_analysis_recruiter_score, ai_analysis_other`;

/**
 * Records the scores of a submitted attempt. The worker calls it and may repeat the call. The webhook event names the
 * fields that changed. Throws when `ai_analysis_other` does not match its schema.
 */
export async function recordScores(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  scores: Scores,
  interactions: readonly InteractionScores[],
): Promise<boolean> {
  resultAnalyses.parse(scores.ai_analysis_other);
  const scored = await trx.rows({
    text: `
      with scored as (
        update interview_result r set (processing_status, ${scoreColumns}) = (
          select 'completed', ${scoreColumns} from jsonb_to_record($3) as s (score numeric, score_simulation numeric,
            score_text text, score_sentiment numeric, score_words_per_minute numeric, score_pronunciation numeric,
            score_answer numeric, ai_analysis text, ai_analysis_recruiter text, ai_analysis_recruiter_score numeric,
            ai_analysis_other jsonb)
        )
        where r.id = $1 and r.attempt = $2 and r.status = 'active' returning r.merchant_id, r.id, r.attempt
      ), interaction as (
        update result_question q set ai_analysis = i.ai_analysis, ai_analysis_recruiter = i.ai_analysis_recruiter,
          score = i.score, score_simulation = i.score_simulation, score_answer_ai = i.score_answer_ai,
          score_answer_ai_simulation = i.score_answer_ai_simulation,
          answer_assessment_raw_data = i.answer_assessment_raw_data
        from scored s, jsonb_to_recordset($4) as i (id uuid, ai_analysis text, ai_analysis_recruiter text, score numeric,
          score_simulation numeric, score_answer_ai numeric, score_answer_ai_simulation numeric,
          answer_assessment_raw_data jsonb)
        where q.merchant_id = s.merchant_id and q.result_id = s.id and q.attempt = s.attempt and q.id = i.id
      )
      select from scored`,
    values: [result_id, attempt, JSON.stringify(scores), JSON.stringify(interactions)],
  });
  return scored.length > 0;
}

/** Records how far the worker is with scoring a submitted attempt. */
export const setProcessing = async (
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  processingStatus: 'processing' | 'failed',
): Promise<boolean> =>
  (await trx.count({
    text: `
      update interview_result set processing_status = $3
      where id = $1 and attempt = $2 and status = 'active' and processing_status in ('queued', 'processing', 'failed')`,
    values: [result_id, attempt, processingStatus],
  })) > 0;

/**
 * Records the PDF of a submitted attempt. If the URL is null, rendering the PDF has failed, and the webhook event
 * keeps waiting for a PDF (docs/results.md#automatic-pdf). A URL that is less than a day old stays, so that a repeated
 * call changes nothing.
 *
 * `revision` is the revision of the result that the PDF shows. Records nothing and returns `outdated` if the result
 * has changed since then, and `gone` if the attempt was reopened or erased.
 */
export async function recordPdf(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  pdfExportUrl: string | null,
  revision?: number,
): Promise<'recorded' | 'outdated' | 'gone'> {
  const result = await trx.maybeOne<{ is_recorded: boolean }>({
    text: `
      with result as (
        select id, $4::integer is null or revision = $4 as is_current, $3::text is not null
          and (pdf_export_url is null or coalesce(pdf_made_at, '-infinity') < now() - interval '1 day') as is_new
        from interview_result where id = $1 and attempt = $2 and status = 'active' and erased_at is null for update
      ), recorded as (
        update interview_result r set pdf_export_url = case when n.is_new then $3 else r.pdf_export_url end,
          pdf_made_at = case when n.is_new then now() else r.pdf_made_at end,
          pdf_failed_at = case when $3 is null then now() end
        from result n where r.id = n.id and n.is_current
      )
      select is_current as is_recorded from result`,
    values: [result_id, attempt, pdfExportUrl, revision ?? null],
  });
  if (!result) return 'gone';
  return result.is_recorded ? 'recorded' : 'outdated';
}
