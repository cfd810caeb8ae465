import type { Client } from 'pg';
import { merchants } from './accounts';
import { fixedId, interviewId } from './fixed-id';
import { recordedResultId, recordingPaths } from './recordings';
import type { TakenInterview } from './taken';
import { transcriptOf } from './transcripts';
import type { InterviewStep } from './transcripts';

export const resultId = (key: string, index: number) => fixedId(`result ${key} ${index}`);
/** This result was decided and then reopened for another attempt. */
const reopenedResultId = resultId('active', 4);

/** Seeds results of every state with scores and transcripts. One has an earlier attempt, and one has recordings. */
export async function seedResults(client: Client, taken: TakenInterview[]): Promise<void> {
  const { rows: steps } = await client.query<InterviewStep>(
    `select l.interview_id, q.id, q.view, q.question, q.is_candidate_asking_recruiter from interview_question l
     join question q on q.id = l.question_id where l.merchant_id = $1 order by l.interview_id, l.step_order`,
    [merchants.main.id],
  );
  const results = taken.map((each) => ({ ...resultOf(each), taken: each }));
  const load = (statement: string, rows: unknown[]) =>
    client.query(statement, [merchants.main.id, JSON.stringify(rows)]);
  await load(
    `insert into interview_result (${resultColumns.join(', ')}, merchant_id, environment)
     select ${resultColumns.join(', ')}, $1, 'production' from jsonb_populate_recordset(null::interview_result, $2)`,
    results.map((result) => (result.id === reopenedResultId ? reopened(result) : result)),
  );
  // The earlier attempt is stored with all columns of a result, including the deprecated copies of the strengths and
  // concerns.
  await load(
    `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, reopened_at)
     select r.merchant_id, r.environment, r.id, 1, to_jsonb(jsonb_populate_record(r, finished)), r.updated_at
     from jsonb_array_elements($2) finished join interview_result r on r.id = (finished ->> 'id')::uuid
     where r.merchant_id = $1`,
    results
      .filter(({ id }) => id === reopenedResultId)
      .map((result) => ({
        ...result,
        ai_analysis_recruiter_why_hire: strengthsOf(result.taken.index),
        ai_analysis_recruiter_why_not_hire: concernsOf(result.taken.index),
      })),
  );
  await load(
    `insert into result_question (merchant_id, environment, id, result_id, attempt, step_order, is_answer, view,
       question_original_id, question_original, question_asked, answer, ai_analysis, ai_analysis_recruiter, score,
       score_answer_ai, duration, platform_language_code, recording_local_path, recording_is_video, created_at)
     select $1, 'production', id, result_id, attempt, step_order, is_answer, view, question_original_id,
       question_original, question_asked, answer, ai_analysis, ai_analysis_recruiter, score, score_answer_ai, duration,
       platform_language_code, recording_local_path, recording_is_video, created_at
     from jsonb_populate_recordset(null::result_question, $2)`,
    results.flatMap(({ id, interview_id, processing_status, taken: each }) =>
      transcriptOf(
        { result_id: id, ...each, isScored: processing_status === 'completed' },
        steps.filter((step) => step.interview_id === interview_id),
      ),
    ),
  );
}

/** The columns of a seeded result. */
export const resultColumns = [
  'id', 'interview_id', 'enrolment_id', 'attempt', 'status', 'interview_status', 'processing_status',
  'recruiter_go_next_round', 'decided_at', 'duration', 'charge', 'started_at', 'ended_at', 'submitted_at', 'score', 'score_simulation',
  'score_text', 'score_sentiment', 'score_words_per_minute', 'score_pronunciation', 'score_answer',
  'ai_interview_coverage_percentage', 'ai_completion_reason', 'ai_analysis', 'ai_analysis_recruiter',
  'ai_analysis_recruiter_score', 'ai_analysis_other', 'user_feedback_recruiter', 'recruiter_risks', 'recruiter_shortlist',
  'recording_local_path', 'recording_is_video', 'video_introduction_local_path', 'is_successful', 'is_test', 'created_at', 'updated_at',
]; // prettier-ignore

function resultOf({ key, index, fate, takenAt }: TakenInterview) {
  const isSubmitted = fate === 'decided' || fate === 'undecided';
  const isDone = isSubmitted || fate === 'collected';
  const id = resultId(key, index);
  const duration = isDone ? 6_000 + (index % 9) * 600 : null;
  const endedAt = new Date(takenAt + (duration ?? 900) * 100).toISOString();
  return {
    id,
    interview_id: interviewId(key),
    enrolment_id: fixedId(`enrolment ${key} ${index}`),
    attempt: 1,
    is_test: false,
    status: isSubmitted ? 'active' : 'draft',
    interview_status: fate === 'started' || fate === 'failed' ? fate : 'completed',
    processing_status: isSubmitted ? 'completed' : null,
    duration,
    // Only the charge is set and no credits are taken, because the credit periods of these attempts are over.
    charge: isDone ? 'charged' : fate === 'failed' ? 'free' : null,
    started_at: new Date(takenAt).toISOString(),
    ended_at: fate === 'started' ? null : endedAt,
    submitted_at: isSubmitted ? endedAt : null,
    ai_interview_coverage_percentage: isDone ? 80 + (index % 5) * 5 : null,
    ai_completion_reason: fate === 'failed' ? 'technical_error' : isDone ? 'all_questions_answered' : null,
    recording_local_path: id === recordedResultId ? recordingPaths.session : null,
    recording_is_video: id === recordedResultId ? false : null,
    video_introduction_local_path: id === recordedResultId ? recordingPaths.introduction : null,
    recruiter_shortlist: fate === 'decided' && index % 7 === 0,
    created_at: new Date(takenAt).toISOString(),
    updated_at: endedAt,
    ...(isSubmitted ? scoresOf(index, takenAt) : {}),
    ...(fate === 'decided' ? decisionOf(index, takenAt) : {}),
  };
}

/** Before this day, analyses were stored under an older key (docs/results.md#analyses). */
const renamedAt = Date.UTC(2026, 8, 15);

/** The scores and texts of an analysis. `tenths` is ten times the score. */
export function scoresOf(index: number, takenAt: number, tenths = 35 + ((index * 37) % 60)) {
  const score = tenths / 10;
  const [strengths, concerns] = [strengthsOf(index), concernsOf(index)];
  const isOld = index % 8 === 1 && takenAt < renamedAt;
  return {
    is_successful: true,
    score,
    score_simulation: (tenths - 5) / 10,
    score_text: score >= 7 ? 'Strong' : score >= 4 ? 'Moderate' : 'Weak',
    score_sentiment: (((index * 13) % 11) - 2) / 10,
    score_words_per_minute: 110 + ((index * 7) % 40),
    score_pronunciation: 70 + ((index * 11) % 30),
    score_answer: 2 + ((index * 3) % 7) / 2,
    ai_analysis: `You answered calmly and in order. To work on: ${concerns[0]?.toLowerCase()}.`,
    ai_analysis_recruiter: `Answers were on topic. ${strengths[0]}. ${concerns[0]}.`,
    ai_analysis_recruiter_score: (tenths + 3) / 10,
    ai_analysis_other: isOld
      ? { hiring_reasons: { reasons_to_hire: strengths, reasons_not_to_hire: concerns } }
      : {
          strengths_concerns: { strengths, concerns },
          score_rationale: {
            bracket: score >= 7 ? 'strong' : score >= 4 ? 'moderate' : 'weak',
            evidenced: 4,
          },
        },
  };
}

const decisionOf = (index: number, takenAt: number) => ({
  decided_at: new Date(takenAt + (1 + (index % 6)) * 43_200_000).toISOString(),
  recruiter_go_next_round: index % 3 === 0,
  user_feedback_recruiter: index % 4 === 0 ? 'Pleasant to talk to; check the references.' : null,
  recruiter_risks:
    index % 5 === 0
      ? [{ key: 'job_hopping', severity: 'warning', confidence: 0.6, note: 'Three jobs in two years.' }]
      : null,
});

const strengths = [
  'Explains decisions with figures',
  'Asks back before answering',
  'Names own mistakes openly',
  'Plans work with others in mind',
  'Gives short, complete examples',
];
const concerns = [
  'Few examples from the last year',
  'Long answers without a result',
  'Little said about testing',
  'Notice period of three months',
];
const pick = (list: string[], start: number, count: number) =>
  Array.from({ length: count }, (_, step) => list[(start + step) % list.length] ?? '');
const strengthsOf = (index: number) => pick(strengths, index, 1 + (index % 3));
const concernsOf = (index: number) => pick(concerns, index * 3, 1 + (index % 2));

/** Returns the row of a result after it was reopened and before its next attempt begins. */
function reopened(finished: ReturnType<typeof resultOf>) {
  const { id, interview_id, enrolment_id, is_test, recruiter_shortlist, created_at, updated_at } = finished;
  return {
    id,
    interview_id,
    enrolment_id,
    is_test,
    recruiter_shortlist,
    created_at,
    updated_at,
    attempt: 2,
    status: 'draft',
    is_successful: false,
  };
}
