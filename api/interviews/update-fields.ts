import { z } from 'zod';
import { requireOneOf } from '../platform/operation/define-operation';
import { coachPlan, interviewType } from '../platform/operation/named-enums';
import { languageCode, optionalField, text } from '../platform/operation/vocabulary';
import { availableTill, fieldSchemas, interviewOrPositionId } from './interview-fields';
import { customScoring, hiringForCompany, pdfExportAutoConfig } from './interview-options';
import { personaInput } from './persona-fields';
import { expectations, questionList, questionUpdate } from './question';

/** The fields that an interview definition and a position share. */
const sharedFields = {
  status: fieldSchemas.status.optional(),
  visibility: fieldSchemas.visibility.optional(),
  name: fieldSchemas.name.optional(),
  code: fieldSchemas.code.nullish(),
  location: fieldSchemas.location.optional(),
  cover_image_url: fieldSchemas.cover_image_url.nullish(),
  description: fieldSchemas.description.nullish(),
  description_long: fieldSchemas.description_long.nullish(),
  interview_department: fieldSchemas.interview_department.nullish(),
  interview_salary: fieldSchemas.interview_salary.nullish(),
  interview_available_till: availableTill.nullish(),
  candidate_notification_channel: fieldSchemas.candidate_notification_channel.nullish(),
  recruiter_profile_id: fieldSchemas.recruiter_profile_id.nullish(),
  hiring_for_company: hiringForCompany.nullish(),
};

/**
 * Fields that only an interview definition has. For a position they must be omitted or null, as job-interview-get
 * returns them; any other value is a 422. For a definition, the fields in `neverNullFields` must not be null.
 */
const interviewFields = {
  interview_template_id: fieldSchemas.interview_template_id.nullish(),
  knowledge_base_store_id: fieldSchemas.knowledge_base_store_id.nullish(),
  recording: fieldSchemas.recording.nullish(),
  recording_full_session: fieldSchemas.recording_full_session.nullish(),
  result_view: fieldSchemas.result_view.nullish(),
  candidate_video_introduction: fieldSchemas.candidate_video_introduction.nullish(),
  candidate_expectations: fieldSchemas.candidate_expectations.nullish(),
  candidate_expectations_json: expectations.nullish().meta({ description: 'The rubric of the session.' }),
  custom_scoring: customScoring.nullish(),
  interview_attempts: fieldSchemas.interview_attempts.nullish(),
  tags: fieldSchemas.tags.nullish(),
  coach_plan: coachPlan.nullish(),
  interview_conversation_speed: fieldSchemas.interview_conversation_speed.nullish(),
  max_followups: fieldSchemas.max_followups.nullish(),
  max_duration: fieldSchemas.max_duration.nullish(),
  questions_random_subset: fieldSchemas.questions_random_subset.nullish(),
  required_pronunciation: fieldSchemas.required_pronunciation.nullish(),
  result_enable_edit_transcript: fieldSchemas.result_enable_edit_transcript.nullish(),
  pdf_export_auto_config: pdfExportAutoConfig.nullish(),
  next_step_text: fieldSchemas.next_step_text.nullish(),
  answer_within_days: fieldSchemas.answer_within_days.nullish(),
  persona: personaInput.nullish(),
  interview_tone: fieldSchemas.interview_tone.nullish(),
  welcome_message: fieldSchemas.welcome_message.nullish(),
  thank_you_message: fieldSchemas.thank_you_message.nullish(),
  instructional_video_custom_text: fieldSchemas.instructional_video_custom_text.nullish(),
  questions: questionList(questionUpdate).nullish().meta({
    description:
      'The complete list of questions in the order they are asked, 1 to 100. All of them are asked.',
  }),
};
export const neverNullFields = [
  'interview_template_id',
  'result_view',
  'candidate_video_introduction',
  'interview_attempts',
  'required_pronunciation',
  'result_enable_edit_transcript',
  'interview_tone',
  'questions',
] as const satisfies (keyof typeof interviewFields)[];
export const interviewOnlyFields = Object.keys(interviewFields) as (keyof typeof interviewFields)[];
/** Fields that change the interview's steps, and not a column of its row. */
export const stepFields = [
  'welcome_message',
  'thank_you_message',
  'instructional_video_custom_text',
  'questions',
] as const satisfies (keyof typeof interviewFields)[];
export const updatableFields = [
  ...(Object.keys(sharedFields) as (keyof typeof sharedFields)[]),
  ...interviewOnlyFields,
];

const ids = (description: string) =>
  z.array(z.string().meta({ description: 'Id of a question.' })).meta({ description });

export const questionsDiff = z.object({
  kept: ids('Questions that did not change.'),
  added: ids('Questions that are new.'),
  removed: ids('Questions that are not asked any more. Their records stay for earlier results.'),
  replaced: z
    .array(
      z.object({
        from: z.string().meta({ description: 'Id of the previous record.' }),
        to: z.string().meta({ description: 'Id of the new record.' }),
      }),
    )
    .meta({ description: 'Questions whose content changed. Each became a new record.' }),
  question_ids: ids('All steps in order, welcome and thank-you included.'),
  reactivated: z.boolean().meta({
    description: 'True if the definition is active, so that this call published the questions.',
  }),
});

/** The input of job-interview-update. */
export const interviewUpdate = z
  .object({
    position_id: interviewOrPositionId.nullish().meta({
      description:
        'Id of the interview definition or of the position. With an `interview_id`, it may also be what `job-interview-get` returned.',
    }),
    interview_id: optionalField(interviewOrPositionId).meta({
      description: 'Another name of `position_id`. One of the two is required.',
    }),
    ...sharedFields,
    ...interviewFields,
    platform_language_code: languageCode.optional().meta({
      description: 'The language of the interview. It cannot be changed: another value is a 422.',
    }),
    type: interviewType
      .nullish()
      .meta({ description: 'The kind of session. It cannot be changed: another value is a 422.' }),
    steps: z
      .array(
        z
          .looseObject({ interview_id: text(36).toLowerCase().meta({ description: 'Id of the interview.' }) })
          .meta({ description: 'A step, as `job-interview-get` returns it.' }),
      )
      .max(100)
      .nullish()
      .meta({
        description: 'The steps of a position. `position-update-steps` changes them: another value is a 422.',
      }),
  })
  .superRefine(({ position_id, interview_id }, context) => {
    if (!position_id && !interview_id)
      context.addIssue({
        code: 'custom',
        path: ['position_id'],
        message: 'is required',
        params: { code: 'required' },
      });
  })
  // A call that sends only `platform_language_code`, `type` or `steps` passes this check. If the value differs from the stored
  // one, the call gets a more specific error later.
  .superRefine(
    requireOneOf([...updatableFields, 'platform_language_code', 'type', 'steps'], updatableFields),
  );

export type InterviewUpdate = z.output<typeof interviewUpdate>;
