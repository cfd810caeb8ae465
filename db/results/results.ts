import { resultAnalyses } from './result-analyses';
import type { collectedStatuses, failedStatuses } from './vocabulary';
import { assertObjectPath } from '../platform/object-path';
import { untilOf } from '../people/public';
import type { Transaction } from '../platform/database';
import type { Statement } from '../platform/statement';

/*
 * The states of a result (docs/results.md#states). Each transition is one guarded statement that returns whether the
 * result was in its start state. Recruiters' transitions are in result-decisions.ts.
 */

export type ResultKey = { result_id: string; attempt: number };

/**
 * Starts the next attempt of a candidate, for the candidate's link. Returns undefined when the link has ended, the
 * interview is closed or expired, or the attempt was started before.
 */
export async function startResult(
  trx: Transaction,
  link: { is_test: boolean; link_generation: number },
): Promise<ResultKey | undefined> {
  const started = await trx.maybeOne<ResultKey>({
    text: `
      insert into interview_result as r (interview_id, enrolment_id, is_test, interview_status, started_at)
      select e.interview_id, e.id, $1, 'started', now()
      from enrolment e join interview i on i.id = e.interview_id left join position p on p.id = e.position_id
      cross join lateral (
        select case when p.id is null then i.interview_available_till else p.interview_available_till end as available_till
      ) ends
      where e.link_generation = $2 and (ends.available_till is null or ${untilOf('ends.available_till')} > now())
        and (coalesce(p.status, i.status) = 'active'
          or $1 and coalesce(p.status, i.status) in ('draft', 'preparing'))
      on conflict (merchant_id, enrolment_id, interview_id, is_test) where enrolment_id is not null do update
        set interview_status = excluded.interview_status, started_at = excluded.started_at
        where r.status = 'draft' and r.interview_status is null
      returning r.id as result_id, r.attempt`,
    values: [link.is_test, link.link_generation],
  });
  return started;
}

/** One interaction of the transcript. `duration` is in deciseconds. */
export type Interaction = {
  id: string;
  step_order: number;
  is_answer: boolean;
  view: string;
  question_original_id: string | null;
  question_original: string | null;
  question_asked: string | null;
  answer: string | null;
  duration: number | null;
  platform_language_code: string | null;
  recording_local_path: string | null;
  recording_is_video: boolean | null;
};

/**
 * Adds interactions from a candidate's link to the transcript of the current attempt, each step once, and returns how
 * many were new. Throws when a recording's path is not valid in the object store.
 */
export async function storeAnswers(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  interactions: readonly Interaction[],
): Promise<number> {
  for (const { recording_local_path: path } of interactions) if (path !== null) assertObjectPath(path);
  return trx.count({
    text: `
      insert into result_question (id, result_id, attempt, step_order, is_answer, view, question_original_id,
        question_original, question_asked, answer, duration, platform_language_code, recording_local_path,
        recording_is_video)
      select i.id, r.id, r.attempt, i.step_order, i.is_answer, i.view, i.question_original_id, i.question_original,
        i.question_asked, i.answer, i.duration, i.platform_language_code, i.recording_local_path, i.recording_is_video
      from (
        select id, attempt from interview_result
        where id = $1 and attempt = $2 and status = 'draft' and interview_status = 'started' for share
      ) r, jsonb_to_recordset($3) as i (id uuid, step_order int, is_answer boolean, view text,
        question_original_id uuid, question_original text, question_asked text, answer text, duration int,
        platform_language_code text, recording_local_path text, recording_is_video boolean)
      on conflict do nothing`,
    values: [result_id, attempt, JSON.stringify(interactions)],
  });
}

/** `duration` is in deciseconds. */
export type Collected = {
  interview_status: (typeof collectedStatuses)[number];
  duration: number;
  ai_completion_reason: string | null;
  ai_interview_coverage_percentage: number | null;
};

/**
 * Records that a candidate's link has sent all answers. This fires a webhook event, and an attempt of over 30 seconds
 * is charged. If the candidate sees no result (`result_view` none), it is submitted as well. Returns undefined when the
 * attempt is not in progress.
 */
export async function collectResult(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  collected: Collected,
): Promise<'collected' | 'submitted' | undefined> {
  const done = await trx.maybeOne<{ result_view: string | null }>({
    text: `
      update interview_result r set interview_status = $3, duration = $4, ai_completion_reason = $5,
        ai_interview_coverage_percentage = $6, ended_at = now()
      where id = $1 and attempt = $2 and status = 'draft' and interview_status = 'started'
      returning (select i.result_view from interview i where i.id = r.interview_id) as result_view`,
    values: [
      result_id,
      attempt,
      collected.interview_status,
      collected.duration,
      collected.ai_completion_reason,
      collected.ai_interview_coverage_percentage,
    ],
  });
  if (!done) return undefined;
  if (done.result_view === 'none' && (await submitResult(trx, { result_id, attempt }))) return 'submitted';
  await trx.rows(chargeEnded(result_id));
  return 'collected';
}

/**
 * Submits the collected result for a candidate's link; scoring follows. Ends the links of this attempt, unless it was a
 * test, and charges the attempt if collecting did not.
 */
export async function submitResult(trx: Transaction, { result_id, attempt }: ResultKey): Promise<boolean> {
  const { submitted } = await trx.one<{ submitted: boolean }>({
    text: 'select app.submit_result($1, $2) as submitted',
    values: [result_id, attempt],
  });
  return submitted;
}

const chargeEnded = (resultId: string): Statement => ({
  text: 'select app.charge_ended_result($1)',
  values: [resultId],
});

/**
 * Ends the current attempt without a result, for a candidate's link or the worker. This fires a webhook event and is
 * free of charge.
 */
export async function failResult(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  interviewStatus: (typeof failedStatuses)[number],
  reason: string | null,
): Promise<boolean> {
  const count = await trx.count({
    text: `
      update interview_result set interview_status = $3, ai_completion_reason = $4, ended_at = now()
      where id = $1 and attempt = $2 and status = 'draft' and interview_status = 'started'`,
    values: [result_id, attempt, interviewStatus, reason],
  });
  if (count > 0) await trx.rows(chargeEnded(result_id));
  return count > 0;
}

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

/** The scores of one interaction. `id` is the id of the `Interaction`, and answer scores range from 1 to 5. */
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
 * Records the scores of a submitted attempt, for the worker, which may repeat the call. The webhook event names the
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

/** Records the scoring progress of a submitted attempt for the worker. */
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
 * Records the PDF of a submitted attempt. Null means that rendering failed and the event stays on hold
 * (docs/results.md#automatic-pdf).
 */
export const recordPdf = async (
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  pdfExportUrl: string | null,
): Promise<boolean> =>
  (await trx.count({
    text: `
      update interview_result set pdf_export_url = coalesce($3, pdf_export_url),
        pdf_failed_at = case when $3::text is null then now() end
      where id = $1 and attempt = $2 and status = 'active'`,
    values: [result_id, attempt, pdfExportUrl],
  })) > 0;
