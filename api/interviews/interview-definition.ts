import { z } from 'zod';
import {
  coachPlan,
  conversationSpeed,
  creditType,
  environment,
  interviewKind,
  interviewStatus,
  interviewType,
  notificationChannel,
  recording,
  resultView,
  seniorityLevel,
  stage,
  templateType,
  videoIntroduction,
  visibility,
} from '../platform/operation/named-enums';
import { anyJson, asStored, languageCode, timestamp } from '../platform/operation/vocabulary';
import { customScoring, hiringForCompany, pdfExportAutoConfig } from './interview-options';
import { persona } from './persona-fields';
import { positionStep } from './position-steps';
import { question, storedRubric } from './question';

const maybe = (description: string) => z.string().nullable().meta({ description });
const json = (description: string) => anyJson.meta({ description });

const creationParameters = z
  .looseObject({
    interview_type: interviewKind.optional(),
    interview_tone: z.string().optional().meta({ description: 'The tone of the questions and follow-ups.' }),
    interview_length: z.int().nullish().meta({
      description: 'Number of questions that the AI wrote. Null if the caller sent them.',
    }),
    additional_context: anyJson.optional().meta({ description: 'The context for the AI, as it was sent.' }),
    include_rapport_question: z
      .boolean()
      .optional()
      .meta({ description: 'True if there is a rapport question.' }),
    include_closing_prompt: z
      .boolean()
      .optional()
      .meta({ description: 'True if candidates can ask questions.' }),
    knowledge_base_store_id: maybe('The knowledge base of the drafts.').optional(),
    seniority_level: seniorityLevel.nullish(),
    hiring_for_company: anyJson
      .optional()
      .meta({ description: 'The company that offers the job, as it was sent.' }),
  })
  .meta({ id: 'CreationParameters', description: 'The parameters of the call that created it.' });

export const interviewDefinition = z
  .object({
    name: z.string().meta({ description: 'Name of the interview or position.' }),
    created_at: timestamp.meta({ description: 'When it was created.' }),
    updated_at: timestamp.meta({ description: 'When it was last changed.' }),
    questions: z.array(question).nullable().meta({
      description:
        'The questions in the order they are asked, without welcome, instructional video and thank-you. Null for a position.',
    }),
    steps: z
      .array(positionStep)
      .nullable()
      .meta({ description: 'The steps of a position in their order. Null for an interview definition.' }),
    question_videos: z
      .object({
        ready: z.int().meta({ description: 'Videos that candidates see.' }),
        rendering: z.int().meta({ description: 'Videos that are being rendered.' }),
        failed: z.int().meta({ description: 'Videos that cannot be rendered.' }),
      })
      .nullable()
      .meta({
        description:
          'The videos of all texts, with welcome, thank-you and other wordings. Null if it has none (`avatar_video`).',
      }),
    position_id: maybe(
      'Id of the position that an interview definition is a step of. Null if it is none, and for a position.',
    ),
    is_multistage: z
      .boolean()
      .meta({ description: 'True for a position, false for an interview definition.' }),
    status: interviewStatus,
    visibility,
    stage: stage.nullable().meta({
      description:
        'Recorded only: the stage of an application that the interview stands for. Always null in this release. `merchant-candidate-list` has the stages of candidates.',
    }),
    type: interviewType.nullable(),
    environment: environment.nullable().meta({
      description:
        'The environment that it belongs to. Webhook endpoints of this environment receive its results.',
    }),
    code: maybe('Recorded only: a reference of your own, such as the id of the job in your ATS.'),
    interview_location: maybe('Where the job is, as free text. Create and update call it `location`.'),
    cover_image_url: maybe('https address of the picture in the catalogue.'),
    merchant_id: z.string().meta({ description: 'Id of the merchant it belongs to.' }),
    interview_template_id: maybe(
      'Id of the template that conducts it. For a position: the template of its first step.',
    ),
    interview_template_type: templateType.nullable(),
    is_voice_only: z.boolean().nullable().meta({
      description: 'True if the template is `interactive_voice`, false for avatars, null if unknown.',
    }),
    knowledge_base_store_id: maybe('Id of the knowledge base that the AI uses.'),
    platform_language_code: languageCode,
    speech_language_code: maybe('The language of speech recognition, as `en-US`.'),
    speech_language_name: maybe('The English name of that language.'),
    recording: recording.nullable().meta({
      description:
        'Recording of each answer. It does not change how candidates answer: they speak, or type where no video is required. Null: none is kept; the sound of spoken answers serves the transcript only, and is deleted after it, at the latest after one hour.',
    }),
    recording_full_session: recording.nullable().meta({
      description:
        'Recording of the session from beginning to end, in one file, from the check of the devices on. Candidates who type from the beginning are not recorded. Null: none.',
    }),
    price_per_attempt: z.number().nullable().meta({
      description:
        'Credits that an attempt costs that begins now and does not end early. 0 outside production and in the plan `Special`. Null for a position. The types coaching and persona are paid with coaching credits.',
    }),
    type_credit: creditType.nullable(),
    result_view: resultView.nullable(),
    candidate_video_introduction: videoIntroduction.nullable(),
    description: maybe('Short description for candidates.'),
    interview_description_long: maybe(
      'Long description, Markdown. Create and update call it `description_long`.',
    ),
    candidate_expectations: maybe('What a good candidate shows, as free text.'),
    interview_department: maybe('The department that hires, as free text.'),
    interview_salary: maybe('The salary, as free text.'),
    interview_available_till: maybe(
      'The last day (a date, in UTC) or the exact time (a date-time) until which candidates can take it. Null: no end.',
    ),
    candidate_notification_channel: notificationChannel.nullable(),
    hiring_for_company: hiringForCompany.nullable(),
    recruiter_profile_id: maybe('Profile id of the responsible recruiter.'),
    slug: maybe(
      'The end of the address of its page on the portal: `<portal>/talk/<slug>` for a `public_avatar`, and `<portal>/jobs/<slug>` for a position, and for an interview of the type interview, assessment or persona_interview that is no step. Made when the visibility becomes one with a page, and stays.',
    ),
    tags: z
      .array(z.string().meta({ description: 'A tag.' }))
      .nullable()
      .meta({ description: 'Tags. Catalogue directories select the sessions that they list by tags.' }),
    coach_plan: coachPlan.nullable(),
    interview_conversation_speed: conversationSpeed
      .nullable()
      .meta({ description: "How fast the interviewer speaks. Null: the template's default." }),
    max_followups: z.int().nullable().meta({
      description:
        'Follow-up questions that the AI may ask about one answer, at most three. Null: one if the template is interactive, otherwise none.',
    }),
    max_duration: z.int().nullable().meta({ description: 'The maximum duration of a session in seconds.' }),
    questions_random_subset: z.number().nullable().meta({
      description:
        'The fraction of the questions that each candidate is asked, 0.01 to 0.9. Null: all of them.',
    }),
    required_pronunciation: z.boolean().nullable().meta({
      description:
        'True measures how well speech recognition understands the answers (`score_pronunciation`).',
    }),
    result_enable_edit_transcript: z.boolean().nullable().meta({
      description: 'True when candidates can correct the transcript of their answers before they submit.',
    }),
    calc_definition_json: json(
      'A compiled copy of the definition, to look at: sessions run on the questions themselves. It has no rubrics for coaching and persona. Its structure depends on the type and can change.',
    ),
    candidate_expectations_json: asStored(storedRubric)
      .nullable()
      .meta({ description: 'The rubric of the session.' }),
    result_scoring: asStored(customScoring.loose()).nullable().meta({
      description:
        'How results are scored. Create and update call it `custom_scoring`. Null: the defaults of the platform.',
    }),
    creation_parameters: asStored(creationParameters).nullable(),
    pdf_export_auto_config: asStored(pdfExportAutoConfig.loose()).nullable().meta({
      description:
        'Options of the PDF report that is made when an interview is completed. Null: no PDF is made.',
    }),
    welcome_message: maybe('What the interviewer says first.'),
    instructional_video_custom_text: maybe(
      'The text or the address of the instructional video. Null: the interview has no instructional video.',
    ),
    thank_you_message: maybe('What the interviewer says last.'),
    interview_tone: maybe('The tone of the generated questions and of follow-ups.'),
    embed_id: maybe('Public id of the embed key. Null without one.'),
    embed_origins: z
      .array(z.string().meta({ description: 'An origin, such as `https://careers.example.com`.' }))
      .nullable()
      .meta({
        description:
          'The origins whose pages may show the interview in a frame. Null without an embed key. `job-interview-set-state` changes them.',
      }),
    next_step_text: maybe('What happens after the submit. Candidates see it at their link.'),
    answer_within_days: z.int().nullable().meta({
      description: 'The number of days within which candidates get an answer, counted from the submit.',
    }),
    persona: asStored(persona).nullable().meta({
      description:
        'The person that the AI plays. Null for other types than persona and persona_interview, and for interviews that were created before the field existed: the AI then plays nobody.',
    }),
  })
  .meta({
    id: 'InterviewDefinition',
    description: 'An interview (one stage) or a position (several stages).',
  });
export type InterviewDefinition = z.output<typeof interviewDefinition>;

/** Fields that no update changes. Callers may send them back with the rest of a definition, and they are ignored. */
export const readOnlyFields: readonly (keyof InterviewDefinition)[] = [
  'created_at',
  'updated_at',
  'is_multistage',
  'stage',
  'environment',
  'interview_template_type',
  'is_voice_only',
  'speech_language_code',
  'speech_language_name',
  'type_credit',
  'price_per_attempt',
  'slug',
  'calc_definition_json',
  'creation_parameters',
  'embed_id',
  'embed_origins',
  'question_videos',
];
