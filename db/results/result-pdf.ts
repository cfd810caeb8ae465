import type { Statement } from '../platform/statement';
import type { Environment, LanguageCode } from '../platform/vocabulary';
import { answerIsDraft, answerMode } from './result-details';
import type { completionReasons, StoppedBecause } from './vocabulary';

/*
 * Statements that read what the PDF of a result shows (docs/results.md#automatic-pdf). The current attempt is in
 * `interview_result`, earlier ones are in `interview_result_attempt`.
 */

/**
 * SQL that joins the columns of one attempt (`$2`) of a result (`r`) as the row `f`. An erased attempt gives no row.
 */
const attemptOf = `
  cross join lateral (
    select r.* where r.attempt = $2 and r.erased_at is null
    union all
    select earlier.* from interview_result_attempt a, jsonb_populate_record(null::interview_result, a.fields) earlier
    where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = $2 and a.attempt <> r.attempt
  ) f`;

/** Who changed something, and when. `by` is null for everyone outside of the merchant's team. */
export type PdfActor = { by: string | null; at: string };

/** A score that a person set instead of the computed one. `question_id` is null for the score of the result. */
export type PdfScoreOverride = PdfActor & {
  question_id: string | null;
  score_ai: number | null;
  reason: string;
};

/** The fields of a result that recruiters set. */
const recruiterFields = [
  'recruiter_go_next_round',
  'recruiter_shortlist',
  'user_feedback_recruiter',
] as const;

/** The data of a turn (a question and its answer) that a PDF can show. */
export type PdfTurn = {
  id: string;
  is_answer: boolean;
  view: string;
  question_original_id: string | null;
  question_original: string | null;
  question_asked: string | null;
  /** The person whom the AI played, if that person said the question. */
  speaker: string | null;
  answer: string | null;
  /** How the answer was given. Null without an answer. */
  answer_mode: 'typed' | 'audio' | 'video' | 'choice' | null;
  /** True if the answer is only what was heard in a live conversation. */
  answer_is_draft: boolean;
  ai_analysis_recruiter: string | null;
  /** The score that counts, from 1 to 5. A person may have set it. */
  score: number | null;
  score_answer_ai: number | null;
  answer_assessment_raw_data: unknown;
  recording_local_path: string | null;
};

export type PdfSource = {
  result_id: string;
  merchant_id: string;
  environment: Environment;
  attempt: number;
  /** The revision of the result, which rises with every change of it. */
  revision: number;
  is_test: boolean;
  status: 'draft' | 'active';
  submitted_at: string | null;
  merchant_name: string;
  accent_color: string | null;
  /** The path of the merchant's logo in the object store. */
  logo_path: string | null;
  time_zone: string;
  interview_name: string;
  platform_language_code: LanguageCode | null;
  /** The options of the automatic PDF. Null if no PDF is made automatically. */
  pdf_export_auto_config: unknown;
  max_score: number;
  candidate: {
    name: string | null;
    email: string | null;
    phone: string | null;
    external_id: string | null;
  } | null;
  score: number | null;
  score_sentiment: number | null;
  score_words_per_minute: number | null;
  score_pronunciation: number | null;
  score_answer: number | null;
  ai_interview_coverage_percentage: number | null;
  duration: number | null;
  ai_completion_reason: (typeof completionReasons)[number] | null;
  stopped_because: StoppedBecause | null;
  ai_analysis_recruiter: string | null;
  ai_analysis_other: unknown;
  recruiter_risks: unknown;
  recording_local_path: string | null;
  video_introduction_local_path: string | null;
  /** The name of the candidate's file. Null without a résumé. */
  resume_name: string | null;
  transcript: PdfTurn[];
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  user_feedback_recruiter: string | null;
  /** The last change of each field that a recruiter set. Fields that were imported have none. */
  acts: Partial<Record<(typeof recruiterFields)[number], PdfActor>>;
  /** The scores of people that count. */
  decisions: PdfScoreOverride[];
};

/**
 * For the worker: returns everything that the PDF of an attempt can show. Returns no row after the content was
 * erased.
 */
export const findPdfSource = (resultId: string, attempt: number): Statement<PdfSource> => ({
  name: 'find_pdf_source',
  text: `
    select r.id as result_id, r.merchant_id, r.environment, f.attempt, r.revision, f.is_test, f.status, f.submitted_at, m.name as merchant_name, m.accent_color, m.logo_path, m.time_zone,
      i.name as interview_name, i.platform_language_code, i.pdf_export_auto_config,
      app.max_score_of(r.merchant_id, r.id, f.attempt)::float8 as max_score,
      case when e.id is not null then jsonb_build_object(
        'name', e.name, 'email', e.email, 'phone', e.phone, 'external_id', e.external_id
      ) end as candidate,
      f.score, f.score_sentiment, f.score_words_per_minute, f.score_pronunciation, f.score_answer,
      f.ai_interview_coverage_percentage, f.duration, f.ai_completion_reason,
      (
        select p.stopped_because from attempt_plan p
        where p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = f.attempt
      ) as stopped_because, f.ai_analysis_recruiter, f.ai_analysis_other, f.recruiter_risks,
      f.recording_local_path, f.video_introduction_local_path, (
        select c.name from resume c
        where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = f.attempt and c.stored_at is not null
      ) as resume_name,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', q.id, 'is_answer', q.is_answer, 'view', q.view, 'question_original_id', q.question_original_id,
          'question_original', q.question_original, 'question_asked', q.question_asked, 'speaker', q.speaker, 'answer', q.answer,
          'answer_mode', ${answerMode}, 'answer_is_draft', ${answerIsDraft}, 'ai_analysis_recruiter', q.ai_analysis_recruiter, 'score', q.score, 'score_answer_ai', q.score_answer_ai,
          'answer_assessment_raw_data', q.answer_assessment_raw_data, 'recording_local_path', q.recording_local_path
        ) order by q.step_order), '[]') from result_question q
        where q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = f.attempt
      ) as transcript,
      f.recruiter_go_next_round, f.recruiter_shortlist, f.user_feedback_recruiter,
      (
        select coalesce(jsonb_object_agg(c.field, jsonb_build_object(
          'by', app.name_of_actor(r.merchant_id, c.actor_id), 'at', c.created_at
        )), '{}')
        from (
          select distinct on (field) field, a.actor_id, a.created_at
          from audit_entry a, jsonb_array_elements_text(a.details -> 'updated_fields') field
          where a.merchant_id = r.merchant_id and a.environment = r.environment and a.subject_id = r.id::text
            and a.act = 'job-interview-result-update' and field = any ($3)
            and a.created_at <= coalesce((
              select h.reopened_at from interview_result_attempt h
              where h.merchant_id = r.merchant_id and h.result_id = r.id and h.attempt = f.attempt
            ), 'infinity')
          order by field, a.id desc
        ) c
      ) as acts,
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'question_id', d.question_id, 'reason', d.reason, 'at', d.decided_at,
          'by', app.name_of_actor(r.merchant_id, d.decided_by),
          'score_ai', case when d.question_id is null and s.run is not null then s.score else to_jsonb(d.score_ai) end
        )), '[]')
        from (
          select distinct on (question_id) * from score_decision d
          where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = f.attempt
          order by question_id, d.id desc
        ) d
        left join (
          select s.run, s.scores -> 'score' as score from score_record s
          where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = f.attempt and s.state = 'scored'
          order by s.run desc limit 1
        ) s on true
        where d.score is not null
      ) as decisions
    from interview_result r ${attemptOf}
    join merchant m on m.id = r.merchant_id
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where r.id = $1`,
  values: [resultId, attempt, recruiterFields],
});

export type PdfTarget = {
  merchant_id: string;
  environment: Environment;
  attempt: number;
  latest_attempt: number;
  revision: number;
  /** False if the attempt does not exist, or if its content was erased (`is_erased`). */
  has_content: boolean;
  is_erased: boolean;
  pdf_export_auto_config: Record<string, unknown> | null;
};

/** Finds the attempt of which a caller wants a PDF, by default the latest. Returns no row for an unknown result. */
export const findPdfTarget = (resultId: string, attempt: number | undefined): Statement<PdfTarget> => ({
  name: 'find_pdf_target',
  text: `
    select r.merchant_id, r.environment, coalesce($2, r.attempt) as attempt, r.attempt as latest_attempt, r.revision,
      i.pdf_export_auto_config, r.attempt = coalesce($2, r.attempt) and r.erased_at is not null as is_erased,
      case when coalesce($2, r.attempt) = r.attempt then r.erased_at is null else a.attempt is not null end as has_content
    from interview_result r
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    left join interview_result_attempt a on a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = $2
      and a.attempt <> r.attempt
    where r.id = $1`,
  values: [resultId, attempt ?? null],
});

/** For the worker: returns a row if the attempt exists and was not erased. */
export const findPdfContent = (resultId: string, attempt: number): Statement => ({
  name: 'find_pdf_content',
  text: `select from interview_result r ${attemptOf} where r.id = $1`,
  values: [resultId, attempt],
});

/** For the worker: returns whether a PDF is made automatically for results of this interview. */
export const wantsPdf = (resultId: string): Statement<{ wants_pdf: boolean }> => ({
  name: 'wants_pdf',
  text: `
    select i.pdf_export_auto_config is not null as wants_pdf
    from interview_result r join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    where r.id = $1`,
  values: [resultId],
});
