import type { SpokenTurn } from './printed-questions';

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
};

/** An attempt of a result with what its PDF can show. */
export type ResultToPrint = {
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
  ai_analysis_recruiter: string | null;
  ai_analysis_other: unknown;
  recruiter_risks: unknown;
  recording_local_path: string | null;
  video_introduction_local_path: string | null;
  transcript: SpokenTurn[];
};
