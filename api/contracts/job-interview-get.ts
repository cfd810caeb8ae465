import { z } from 'zod';
import { defineOperation } from './operation';
import { question } from './question';
import {
  anyJson,
  coachPlans,
  conversationSpeeds,
  creditTypes,
  environments,
  interviewStatuses,
  interviewTypes,
  languageCode,
  notificationChannels,
  readers,
  recordings,
  resultViews,
  stages,
  templateTypes,
  timestamp,
  uuid,
  videoIntroductions,
  visibilities,
} from './vocabulary';

const textOrNull = z.string().nullable();
const json = (description: string) => anyJson.meta({ description });

export const interviewDefinition = z
  .object({
    name: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    questions: z.array(question).nullable(),
    is_multistage: z.boolean(),
    status: z.enum(interviewStatuses),
    visibility: z.enum(visibilities),
    stage: z.enum(stages).nullable(),
    type: z.enum(interviewTypes).nullable(),
    environment: z.enum(environments).nullable(),
    code: textOrNull,
    interview_location: textOrNull,
    cover_image_url: textOrNull,
    merchant_id: z.string(),
    interview_template_id: textOrNull,
    interview_template_type: z.enum(templateTypes).nullable(),
    is_voice_only: z.boolean().nullable(),
    knowledge_base_store_id: textOrNull,
    platform_language_code: languageCode,
    speech_language_code: textOrNull,
    speech_language_name: textOrNull,
    recording: z.enum(recordings).nullable(),
    recording_full_session: z.enum(recordings).nullable(),
    type_credit: z.enum(creditTypes).nullable(),
    result_view: z.enum(resultViews).nullable(),
    candidate_video_introduction: z.enum(videoIntroductions).nullable(),
    description: textOrNull,
    interview_description_long: textOrNull,
    candidate_expectations: textOrNull,
    interview_department: textOrNull,
    interview_salary: textOrNull,
    interview_available_till: textOrNull,
    candidate_notification_channel: z.enum(notificationChannels).nullable(),
    recruiter_profile_id: textOrNull,
    slug: textOrNull,
    tags: z.array(z.string()).nullable(),
    coach_plan: z.enum(coachPlans).nullable(),
    interview_conversation_speed: z.enum(conversationSpeeds).nullable(),
    max_followups: z.int().nullable(),
    max_duration: z.int().nullable(),
    questions_random_subset: z.number().nullable(),
    required_pronunciation: z.boolean().nullable(),
    result_enable_edit_transcript: z.boolean().nullable(),
    calc_definition_json: json('Compiled definition; its structure varies by type.'),
    candidate_expectations_json: json('Scoring rubric of the session.'),
    result_scoring: json('Null: the defaults of the platform.'),
    creation_parameters: json('Recorded when the definition was built.'),
    pdf_export_auto_config: json('Options of the automatic PDF; null: off.'),
  })
  .meta({ id: 'InterviewDefinition' });
export type InterviewDefinition = z.output<typeof interviewDefinition>;

export const jobInterviewGet = defineOperation({
  name: 'job-interview-get',
  method: 'GET',
  tag: 'Interviews',
  summary: 'Get an interview definition or a position',
  description: `The id of an interview definition, or of a position with several stages: of a position most fields are null.
\`questions\` come in the order they are asked, without welcome, thank-you and instructional video, in the format that
\`job-interview-create-from-array\` and \`job-interview-update\` take. A deleted definition is not found.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ position_id: uuid }),
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1' },
  reply: interviewDefinition,
  statuses: [404],
});
