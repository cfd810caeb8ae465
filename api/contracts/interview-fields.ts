import { z } from 'zod';
import {
  conversationSpeeds,
  freeObject,
  httpsUrl,
  interviewKinds,
  interviewStatuses,
  interviewTypes,
  languageCode,
  optional,
  recordings,
  requiredText,
  resultViews,
  seniorityLevels,
  text,
  uuid,
  videoIntroductions,
  visibilities,
  withDefault,
} from './vocabulary';

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

/** End of the day (UTC) for a date, the moment itself for a date-time; NaN for anything else. */
export function availableUntilMs(value: string): number {
  if (isoDate.test(value)) {
    const start = Date.parse(`${value}T00:00:00Z`);
    // Date.parse rolls 31 February over to March.
    return new Date(start || 0).toISOString().startsWith(value) ? start + 86_400_000 - 1 : Number.NaN;
  }
  const moment = z.iso.datetime({ offset: true }).safeParse(value).success ? Date.parse(value) : Number.NaN;
  // Folded to UTC it may leave the years that ISO 8601 writes with four digits.
  return moment < Date.UTC(10_000, 0) && moment >= Date.UTC(1, 0) ? moment : Number.NaN;
}

/** The end that a stored `interview_available_till` means; null: none. */
export const availableUntil = (value: string | null): Date | null =>
  value === null ? null : new Date(availableUntilMs(value));

/** A date stays as sent, a date-time is folded to UTC with milliseconds. */
export const availableTill = z
  .string()
  .refine((value) => !Number.isNaN(availableUntilMs(value)), {
    error: 'must be an ISO 8601 date or a date-time with an offset',
    abort: true,
  })
  .transform((value) => (isoDate.test(value) ? value : new Date(value).toISOString()))
  .meta({ description: 'A date means its whole day, to the end of the day in UTC.' });

const weight = z.number().min(0).max(1).optional();

/** Merged over the platform's defaults (create) or the stored value (update) into `result_scoring`. */
export const customScoring = z.object({
  max_score: z.number().min(1).max(100).optional(),
  early_stop: z.boolean().optional(),
  speech_cadence: weight,
  ai_pronunciation: weight,
  sentiment_analysis: weight,
  ai_assessment_answer: weight,
  ai_assessment_resume: weight,
  ai_assessment_session: weight,
  max_retries: z.int().min(1).max(20).optional(),
});

export const hiringForCompany = z.object({
  name: requiredText(200).meta({ description: '`undisclosed` stands for an unnamed client.' }),
  undisclosed: optional(z.boolean()),
  description: optional(text(5_000)),
  location: optional(text(200)),
  sector: optional(text(200)),
  company_size: optional(text(200)),
});
export type HiringForCompany = z.output<typeof hiringForCompany>;

export const pdfExportAutoConfig = z.object({
  platform_language_code: languageCode.optional(),
  contact_details: z.boolean().optional(),
  ai_recruiter_assessment: z.boolean().optional(),
  ai_scoring_rubric: z.boolean().optional(),
  analytics: z.boolean().optional(),
  files: z.boolean().optional(),
  transcript: z.boolean().optional(),
  answer_recording: z.boolean().optional(),
  session_recording: z.boolean().optional(),
  group_by_question: z.boolean().optional(),
});

/** Bounds of one field, the same on create and on update (spec/decisions.md section 3). */
export const field = {
  name: requiredText(200),
  location: requiredText(200),
  status: z.enum(interviewStatuses),
  type: z.enum(interviewTypes),
  visibility: z.enum(visibilities),
  recording: z.enum(recordings),
  result_view: z.enum(resultViews),
  interview_conversation_speed: z.enum(conversationSpeeds),
  candidate_video_introduction: z.enum(videoIntroductions),
  interview_attempts: z.int().min(1).max(20),
  max_duration: z.int().min(120).max(7_200),
  max_followups: z.int().min(0).max(999),
  questions_random_subset: z.number().min(0.01).max(0.9),
  code: text(200),
  cover_image_url: httpsUrl,
  interview_department: text(200),
  interview_salary: text(200),
  tags: z.array(requiredText(200)).max(100),
  description: text(5_000),
  description_long: text(50_000),
  candidate_expectations: text(10_000),
  step_text: text(5_000),
} as const;

/** What create and create-from-array have in common. */
export const creationFields = {
  name: field.name,
  location: field.location,
  interview_template_id: uuid,
  platform_language_code: languageCode,
  status: field.status,
  type: field.type,
  visibility: field.visibility,
  recording: optional(field.recording),
  recording_full_session: optional(field.recording),
  interview_type: withDefault(z.enum(interviewKinds), 'pre-screening').meta({
    description: '`process-verification-from-knowledge-base` needs `knowledge_base_store_id`.',
  }),
  seniority_level: optional(z.enum(seniorityLevels)).meta({
    description: 'Omitted: derived from the text by AI and recorded.',
  }),
  result_view: withDefault(field.result_view, 'minimal'),
  interview_conversation_speed: optional(field.interview_conversation_speed),
  candidate_video_introduction: withDefault(field.candidate_video_introduction, 'hidden'),
  interview_tone: withDefault(text(200), 'relaxed').meta({
    description:
      'relaxed, simple, professional and persuasive are understood, without regard to case; any other text is stored and acts as relaxed.',
  }),
  interview_attempts: optional(field.interview_attempts).meta({
    description: 'Becomes `result_scoring.max_retries`; wins over `custom_scoring.max_retries`.',
  }),
  max_followups: optional(field.max_followups),
  questions_random_subset: optional(field.questions_random_subset),
  code: optional(field.code),
  cover_image_url: optional(field.cover_image_url),
  interview_department: optional(field.interview_department),
  interview_salary: optional(field.interview_salary),
  interview_available_till: optional(
    availableTill.refine((value) => availableUntilMs(value) > Date.now(), 'must be in the future'),
  ),
  recruiter_profile_id: optional(uuid).meta({
    description: 'A merchant, merchant_owner or admin profile of the merchant.',
  }),
  hiring_for_company: optional(hiringForCompany),
  tags: optional(field.tags),
  knowledge_base_store_id: optional(uuid),
  description_long: optional(field.description_long).meta({
    description: 'Markdown. Kept as sent; blank: written by AI for the types interview and assessment.',
  }),
  candidate_expectations: optional(field.candidate_expectations).meta({
    description: 'Free text that steers the generation.',
  }),
  welcome_message: optional(field.step_text),
  thank_you_message: optional(field.step_text),
  instructional_video_custom_text: optional(field.step_text),
  additional_context: optional(freeObject(20_000)),
  custom_scoring: optional(customScoring),
  is_embedded: withDefault(z.boolean(), false).meta({
    description: 'True provisions an embed key; its signing key is shown in this reply only.',
  }),
  instructional_video: withDefault(z.boolean(), false),
  use_enhanced_expectations: withDefault(z.boolean(), false).meta({
    description: 'True asks the model for the longest rubrics: five items a bracket.',
  }),
  required_pronunciation: withDefault(z.boolean(), false),
  result_enable_edit_transcript: withDefault(z.boolean(), true),
  pdf_export_auto_config: optional(pdfExportAutoConfig),
} as const;

export const creationShape = z.object(creationFields);

/** A process is verified from a knowledge base, so it needs one. */
export const needsKnowledgeBase = {
  check: (input: { interview_type: string; knowledge_base_store_id?: string }) =>
    input.interview_type !== 'process-verification-from-knowledge-base' ||
    input.knowledge_base_store_id !== undefined,
  path: ['knowledge_base_store_id'],
  error: 'is required for interview_type process-verification-from-knowledge-base',
};
