import { z } from 'zod';
import { availableTill, field, interviewOrPositionId } from './interview-fields';
import { customScoring, hiringForCompany, pdfExportAutoConfig } from './interview-options';
import { coachPlan, interviewType } from '../platform/operation/named-enums';
import { defineOperation, sendsChange } from '../platform/operation/define-operation';
import { checkQuestions, expectations, questionList, questionUpdate } from './question';
import { interviewIdAlias, languageCode, writers } from '../platform/operation/vocabulary';

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
  recruiter_profile_id: field.recruiter_profile_id.nullish(),
  hiring_for_company: hiringForCompany.nullish(),
};

/**
 * Fields of an interview definition alone: 422 for a position, unless null, which is what get answers of one.
 * `neverNull` are those that null cannot clear.
 */
const interviewFields = {
  interview_template_id: field.interview_template_id.nullish(),
  knowledge_base_store_id: field.knowledge_base_store_id.nullish(),
  recording: field.recording.nullish(),
  recording_full_session: field.recording_full_session.nullish(),
  result_view: field.result_view.nullish(),
  candidate_video_introduction: field.candidate_video_introduction.nullish(),
  candidate_expectations: field.candidate_expectations.nullish(),
  candidate_expectations_json: expectations.nullish().meta({ description: 'The rubric of the session.' }),
  custom_scoring: customScoring.nullish(),
  interview_attempts: field.interview_attempts.nullish(),
  tags: field.tags.nullish(),
  coach_plan: coachPlan.nullish(),
  interview_conversation_speed: field.interview_conversation_speed.nullish(),
  max_followups: field.max_followups.nullish(),
  max_duration: field.max_duration.nullish(),
  questions_random_subset: field.questions_random_subset.nullish(),
  required_pronunciation: field.required_pronunciation.nullish(),
  result_enable_edit_transcript: field.result_enable_edit_transcript.nullish(),
  pdf_export_auto_config: pdfExportAutoConfig.nullish(),
  questions: questionList(questionUpdate)
    .nullish()
    .meta({ description: 'The complete list of questions in the order they are asked, 1 to 100.' }),
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

const ids = (description: string) =>
  z.array(z.string().meta({ description: 'Id of a question.' })).meta({ description });

export const questionsDiff = z.object({
  kept: ids('Questions that stayed as they were.'),
  added: ids('Questions that are new.'),
  removed: ids('Questions that are not asked any more. Their records stay for earlier results.'),
  replaced: z
    .array(
      z.object({
        from: z.string().meta({ description: 'Id of the question before.' }),
        to: z.string().meta({ description: 'Id of the question that took its place.' }),
      }),
    )
    .meta({ description: 'Questions whose content changed, and the new records in their place.' }),
  question_ids: ids('All steps in order, welcome and thank-you included.'),
  reactivated: z.boolean().meta({
    description: 'True when the definition was active and the new questions went live with this call.',
  }),
});

export const jobInterviewUpdate = defineOperation({
  name: 'job-interview-update',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Change an interview definition or a position',
  description: `Changes the fields of an interview definition or a position that are sent, and no others; null clears a field that can be null.
\`updated_fields\` names the fields whose value changed, so sending a definition back unchanged changes nothing. \`custom_scoring\` is merged over the
stored value.

\`questions\` is the complete ordered list. Each question is matched to an existing one by \`external_id\`, then by \`id\`, then by equal content, and is
kept, replaced (a new record; fields that are left out keep their value) or added. Questions that are missing from the list are removed: they are not
asked any more, but their records stay. An added question has 120 seconds unless it says otherwise, and only the rubric it brings, because this operation
involves no AI. Questions of an active interview on an offline template cannot be changed: set its status to draft first.

The names that \`job-interview-get\` returns are accepted too: \`interview_location\` for \`location\`, \`interview_description_long\` for
\`description_long\`, \`result_scoring\` for \`custom_scoring\`. If two names of one field are sent with different values, the call is a 422.

The language and the type of an interview cannot be changed. For a position, a field that only interview definitions have is a 422.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      position_id: interviewOrPositionId,
      ...sharedFields,
      ...interviewFields,
      platform_language_code: languageCode.optional().meta({
        description: 'The language of the interview. It cannot be changed: another value is a 422.',
      }),
      type: interviewType
        .nullish()
        .meta({ description: 'The kind of session. It cannot be changed: another value is a 422.' }),
    })
    // Those that never change are an error of their own.
    .superRefine(sendsChange([...updatableFields, 'platform_language_code', 'type'], updatableFields)),
  check: ({ questions }) => checkQuestions(questions, questionUpdate),
  aliases: {
    ...interviewIdAlias,
    // The names that job-interview-get returns.
    interview_location: 'location',
    interview_description_long: 'description_long',
    result_scoring: 'custom_scoring',
  },
  example: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    name: 'Senior backend engineer',
    interview_available_till: null,
  },
  reply: z.object({
    position_id: interviewOrPositionId,
    is_multistage: z
      .boolean()
      .meta({ description: 'True for a position, false for an interview definition.' }),
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value is another one than before.' }),
    questions_diff: questionsDiff
      .optional()
      .meta({ description: 'What happened to the questions. Present when `questions` was sent.' }),
  }),
  replyExample: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    is_multistage: false,
    updated_fields: ['name', 'interview_available_till'],
  },
  statuses: [404],
});
export type JobInterviewUpdate = z.output<typeof jobInterviewUpdate.input>;
