import { z } from 'zod';
import {
  availableTill,
  customScoring,
  field,
  hiringForCompany,
  pdfExportAutoConfig,
} from './interview-fields';
import { defineOperation } from './operation';
import { expectations, questionList, questionUpdate } from './question';
import { coachPlans, interviewTypes, languageCode, uuid, writers } from './vocabulary';

/** Fields an interview definition and a position share. */
const sharedFields = {
  status: field.status.optional(),
  visibility: field.visibility.optional(),
  name: field.name.optional(),
  code: field.code.nullish(),
  location: field.location.optional(),
  cover_image_url: field.cover_image_url.nullish(),
  description: field.description.nullish(),
  description_long: field.description_long.nullish(),
  interview_department: field.interview_department.nullish(),
  interview_salary: field.interview_salary.nullish(),
  interview_available_till: availableTill.nullish(),
  recruiter_profile_id: uuid.nullish(),
  hiring_for_company: hiringForCompany.nullish(),
};

/**
 * Fields of an interview definition alone: 422 for a position, unless null, which is what get answers of one.
 * `neverNull` are those that null cannot clear.
 */
const interviewFields = {
  interview_template_id: uuid.nullish(),
  knowledge_base_store_id: uuid.nullish(),
  recording: field.recording.nullish(),
  recording_full_session: field.recording.nullish(),
  result_view: field.result_view.nullish(),
  candidate_video_introduction: field.candidate_video_introduction.nullish(),
  candidate_expectations: field.candidate_expectations.nullish(),
  candidate_expectations_json: expectations.nullish(),
  custom_scoring: customScoring.nullish(),
  interview_attempts: field.interview_attempts.nullish(),
  tags: field.tags.nullish(),
  coach_plan: z.enum(coachPlans).nullish(),
  interview_conversation_speed: field.interview_conversation_speed.nullish(),
  max_followups: field.max_followups.nullish(),
  max_duration: field.max_duration.nullish(),
  questions_random_subset: field.questions_random_subset.nullish(),
  required_pronunciation: z.boolean().nullish(),
  result_enable_edit_transcript: z.boolean().nullish(),
  pdf_export_auto_config: pdfExportAutoConfig.nullish(),
  questions: questionList(questionUpdate).nullish(),
};
export const neverNull = [
  'interview_template_id',
  'result_view',
  'candidate_video_introduction',
  'interview_attempts',
  'required_pronunciation',
  'result_enable_edit_transcript',
  'questions',
] as const satisfies (keyof typeof interviewFields)[];
export const interviewOnlyFields = Object.keys(interviewFields) as (keyof typeof interviewFields)[];
export const updatableFields = [
  ...(Object.keys(sharedFields) as (keyof typeof sharedFields)[]),
  ...interviewOnlyFields,
];

export const questionsDiff = z.object({
  kept: z.array(z.string()),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  replaced: z.array(z.object({ from: z.string(), to: z.string() })),
  question_ids: z
    .array(z.string())
    .meta({ description: 'All steps in order, welcome and thank-you included.' }),
  reactivated: z.boolean().meta({
    description: 'True when the definition was active and the new questions went live with this call.',
  }),
});

export const jobInterviewUpdate = defineOperation({
  name: 'job-interview-update',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Change an interview definition or a position',
  description: `Changes only the fields that are sent; null clears a field that may be null. \`updated_fields\` names the fields
whose value changed: sending a definition back unchanged changes nothing. \`custom_scoring\` is merged over the stored
value; \`interview_attempts\` wins over \`custom_scoring.max_retries\`.

\`questions\` is the complete ordered list. Each is matched to an existing one by \`external_id\`, then \`id\`, then equal
content, and is kept, replaced (a new record; fields left out are carried over), added or removed (unlinked, never
deleted). An added question has 120 seconds unless it says otherwise, and the rubric it brings: none is written by AI
here. An active interview on an offline template refuses a change of questions: set it to draft first.

The language and the type never change. A field of interview definitions sent for a position is 422.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      position_id: uuid,
      ...sharedFields,
      ...interviewFields,
      platform_language_code: languageCode
        .optional()
        .meta({ description: 'Never changes: another value is 422.' }),
      type: z.enum(interviewTypes).nullish().meta({ description: 'Never changes: another value is 422.' }),
    })
    .refine((input) => updatableFields.some((name) => input[name] !== undefined), {
      path: ['position_id'],
      error: `Send at least one field to change: ${updatableFields.join(', ')}`,
    }),
  example: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    name: 'Senior backend engineer',
    interview_available_till: null,
  },
  reply: z.object({
    position_id: uuid,
    is_multistage: z.boolean(),
    updated_fields: z.array(z.string()),
    questions_diff: questionsDiff.optional(),
  }),
  statuses: [404, 409],
});
export type JobInterviewUpdate = z.output<typeof jobInterviewUpdate.input>;
