import type { PdfSource } from '../../db/results/result-pdf';

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

/** An attempt of a result with what its PDF can show. */
export type ResultToPrint = Omit<
  PdfSource,
  | 'merchant_id'
  | 'environment'
  | 'revision'
  | 'status'
  | 'accent_color'
  | 'logo_path'
  | 'platform_language_code'
  | 'pdf_export_auto_config'
>;
