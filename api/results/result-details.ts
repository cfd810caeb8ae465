import { z } from 'zod';
import { timestamp } from '../platform/operation/vocabulary';
import { resultAnalyses } from './analyses';
import { transcriptPart, signedUrl } from './interaction';
import { coachStatus, completionReason, stopReason } from './result-enums';
import { recruiterRisk, resultCandidate, resultField } from './result-fields';
import { scoringRun } from './scoring-run';

const maybe = (description: string) => z.string().nullable().meta({ description });
const maybeNumber = (description: string) => z.number().nullable().meta({ description });
const deprecatedList = (copyOf: string) =>
  z
    .array(z.string().meta({ description: 'A sentence.' }))
    .nullable()
    .meta({
      deprecated: true,
      description: `Deprecated copy of \`ai_analysis_other.strengths_concerns.${copyOf}\`: read that instead.`,
    });

export const resultDetails = z
  .object({
    interview_result_id: z.string().meta({ description: 'Id of the result.' }),
    interview_id: resultField.interview_id,
    attempt: z.int().meta({ description: 'The attempt that this reply shows, counted from 1.' }),
    latest_attempt: z.int().meta({
      description:
        'The attempt that is the result: the last one that was submitted. Before a submit, and after a recruiter has reopened the result, the latest one.',
    }),
    attempt_count: z.int().meta({
      description:
        'How many attempts there are, with those that ended without a submit. One that was begun after a submit counts when it is submitted or has ended.',
    }),
    is_test: resultField.is_test,
    result_status: resultField.status,
    processing_status: resultField.processing_status,
    is_successful: resultField.is_successful,
    submitted_at: resultField.submitted_at,
    recruiter_go_next_round: resultField.recruiter_go_next_round,
    recruiter_shortlist: resultField.recruiter_shortlist,
    stage: resultField.stage.nullable(),
    ai_analysis_recruiter_score: resultField.ai_analysis_recruiter_score,
    pdf_export_url: maybe(
      'Address of the PDF report. Null when no PDF is made, not yet made, or could not be made.',
    ),
    candidate: resultCandidate.nullable(),
    score: resultField.score,
    max_score: resultField.max_score,
    score_simulation: maybeNumber(
      'A copy of `score` for persona and persona_interview. Null for other types.',
    ),
    score_text: maybe('The level of the score in words, such as `Strong`, in the language of the interview.'),
    score_sentiment: maybeNumber(
      'Sentiment of the wording, from −1 (negative) to 1 (positive). Only of coaching, and where `custom_scoring.sentiment_analysis` is above 0.',
    ),
    score_words_per_minute: maybeNumber('Pace of speech, in words per minute.'),
    score_pronunciation: maybeNumber(
      'How well speech recognition understood the spoken answers, 0 to 100: the mean probability of what it wrote. It says nothing about an accent. Null under 60 spoken words, and unless `required_pronunciation` is true or `custom_scoring.ai_pronunciation` above 0.',
    ),
    score_answer: maybeNumber('Mean score of the answers, 1 to 5.'),
    score_resume: maybeNumber(
      'Score of the résumé by the rubric of the session, 0 to 10. Null without a résumé whose text can be read, and unless `custom_scoring.ai_assessment_resume` is above 0.',
    ),
    status: coachStatus.nullable().meta({
      description:
        'The progress of the session (coach status). Null before it begins. `result_status` says whether the candidate has submitted.',
    }),
    start: timestamp.nullable().meta({ description: 'When the session began.' }),
    end: timestamp.nullable().meta({ description: 'When the session ended.' }),
    duration: z
      .int()
      .nullable()
      .meta({ description: 'How long the session took, in tenths of a second: 6,000 is 10 minutes.' }),
    ai_interview_coverage_percentage: maybeNumber(
      'How much of the planned questions the session covered, in percent, 0 to 100.',
    ),
    ai_completion_reason: completionReason
      .nullable()
      .meta({ description: 'Why the session ended. Null before that.' }),
    stopped_because: stopReason.nullable().meta({
      description:
        'Why the platform skipped the remaining scored questions (`early_stop`). Null if it skipped none, also if the candidate ended early.',
    }),
    ai_analysis: maybe(
      'Assessment for the candidate: what went well, each with a quote, and what to add. One sentence per line.',
    ),
    ai_analysis_recruiter: maybe(
      'Assessment for the recruiter: criteria that were shown, each with a quote, criteria that were not, and what contradicts a knowledge base. One sentence per line.',
    ),
    user_feedback_recruiter: maybe("The recruiter's note."),
    recruiter_risks: z
      .array(recruiterRisk)
      .nullable()
      .meta({ description: 'Risks for the recruiter to look at.' }),
    ai_analysis_recruiter_why_hire: deprecatedList('strengths'),
    ai_analysis_recruiter_why_not_hire: deprecatedList('concerns'),
    ai_analysis_other: resultAnalyses.nullable(),
    scoring: scoringRun.nullable(),
    recording_local_path: maybe('Storage path of the recording of the session.'),
    video_introduction_local_path: maybe('Storage path of the video introduction.'),
    resume_local_path: maybe(
      'Storage path of the résumé that the candidate added. It is deleted with the recordings.',
    ),
    recording_is_video: z
      .boolean()
      .nullable()
      .meta({ description: 'True if the recording of the session has a picture.' }),
    updated_at: resultField.updated_at,
    revision: resultField.revision,
    credits_charged: z.number().nullable().meta({
      description:
        'Credits that the attempt has cost, less a refund. 0 if it is free. Null before the price is due, while the attempt waits for credits, and for hiring managers.',
    }),
    transcript: z
      .array(transcriptPart)
      .meta({ description: 'The parts of the session in the order they happened.' }),
    recording_url: signedUrl('the recording of the session'),
    video_introduction_url: signedUrl('the video introduction'),
    resume_url: signedUrl('the résumé', 'file'),
  })
  .meta({
    id: 'InterviewResultDetails',
    description: 'A result with its transcript. Every key is present, null when empty.',
  });
export type JobInterviewDetails = z.output<typeof resultDetails>;
