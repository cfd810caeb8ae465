import type { completionReasons, StoppedBecause } from '../../db/results/public';
import type { PdfDecision, PdfSource } from '../../db/results/result-pdf';

/** The sections of a PDF, as in `pdf_export_auto_config`. */
export type PdfOptions = {
  contact_details: boolean;
  ai_recruiter_assessment: boolean;
  ai_scoring_rubric: boolean;
  analytics: boolean;
  files: boolean;
  transcript: boolean;
  answer_recording: boolean;
  session_recording: boolean;
  group_by_question: boolean;
  /** True leaves out who the candidate is. */
  anonymous: boolean;
};

/** The data of a turn (a question and its answer) that a PDF can show. */
export type SpokenTurn = {
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

/** An attempt of a result with what its PDF can show. */
export type ResultToPrint = {
  result_id: string;
  attempt: number;
  is_test: boolean;
  submitted_at: string | null;
  merchant_name: string;
  time_zone: string;
  interview_name: string;
  candidate: {
    name: string | null;
    email: string | null;
    phone: string | null;
    external_id: string | null;
  } | null;
  max_score: number;
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
  resume_name: string | null;
  transcript: SpokenTurn[];
  recruiter_go_next_round: boolean | null;
  recruiter_shortlist: boolean;
  user_feedback_recruiter: string | null;
  acts: PdfSource['acts'];
  decisions: PdfDecision[];
};
