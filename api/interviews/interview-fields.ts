import { z } from 'zod';
import {
  conversationSpeed,
  interviewKind,
  interviewStatus,
  interviewType,
  notificationChannel,
  recording,
  resultView,
  seniorityLevel,
  videoIntroduction,
  visibility,
} from '../platform/operation/named-enums';
import {
  languageCode,
  optionalField,
  requiredName,
  requiredText,
  text,
  uuid,
  fieldWithDefault,
} from '../platform/operation/vocabulary';
import { availableUntilMs, isDate } from '../platform/text/available-until';
import { boundedText } from '../platform/text/bounded-text';
import { httpsUrl } from '../platform/text/https-url';
import { embedOrigins } from './embed-origins';
import { additionalContext, customScoring, hiringForCompany, pdfExportAutoConfig } from './interview-options';
import { personaInput } from './persona-fields';

/** A date is stored as it was sent. A date-time is converted to UTC with milliseconds. */
export const availableTill = boundedText(40)
  .refine((value) => !Number.isNaN(availableUntilMs(value)), {
    error: 'must be an ISO 8601 date or a date-time with an offset',
    params: { code: 'invalid_format' },
    abort: true,
  })
  .transform((value) => (isDate(value) ? value : new Date(value).toISOString()))
  .meta({
    description:
      'Until when candidates can take the interview. A date (`2026-03-31`) includes that whole day in UTC; a date-time with an offset is exact. Null: no end.',
    examples: ['2026-03-31'],
  });

const stepText = (step: string) =>
  text(5_000).meta({
    description: `${step}, plain text. Left out, null or empty: a standard text in the language of the interview.`,
  });

/** The end of something new, which must be in the future. */
const futureTill = availableTill.refine((value) => availableUntilMs(value) > Date.now(), {
  error: 'must be in the future',
  params: { code: 'invalid_value' },
});

/** The bounds of each field, which are the same on create and on update (docs/interviews.md#fields-and-bounds). */
export const fieldSchemas = {
  name: requiredName(200).meta({ description: 'Name of the interview, as candidates see it.' }),
  location: requiredText(200).meta({
    description:
      'Where the job is, as free text: `Amsterdam`, `Remote`. `job-interview-get` returns it as `interview_location`.',
  }),
  status: interviewStatus,
  type: interviewType,
  visibility,
  recording: recording.meta({
    description:
      'Recording of each answer. It does not change how candidates answer: they speak, or type where no video is required. Null: none is kept; the sound of spoken answers serves the transcript only, and is deleted after it, at the latest after one hour.',
  }),
  recording_full_session: recording.meta({
    description:
      'Recording of the session from beginning to end, in one file, from the check of the devices on. Candidates who type from the beginning are not recorded. Null: none.',
  }),
  result_view: resultView,
  interview_conversation_speed: conversationSpeed.meta({
    description: "How fast the interviewer speaks. Null: the template's default.",
  }),
  candidate_video_introduction: videoIntroduction,
  interview_attempts: z.int().min(1).max(20).meta({
    description:
      'How many attempts a candidate may submit, 1 to 20. The last one that is submitted is the result, also while another one is taken; `job-interview-details` returns earlier ones with `attempt`. A decision about the candidate ends them, and so do three attempts that end without a submit, because each shows the questions. Those that `failed` do not count. Coaching and persona have no limit, whatever the number is. Null: 1. It is stored as `result_scoring.max_retries` and overrides `custom_scoring.max_retries`.',
  }),
  max_duration: z.int().min(120).max(7_200).meta({
    description: 'The maximum duration of a session in seconds: 120 (2 minutes) to 7,200 (2 hours).',
  }),
  max_followups: z.int().min(0).max(999).meta({
    description:
      'Follow-up questions that the AI may ask about the answer to a scored question, or reactions of the person that it plays, 0 to 999. At most ten are asked, and fewer if a minute or less is left or the attempt has 250 turns. Null: one if the template is interactive, otherwise none.',
  }),
  questions_random_subset: z.number().min(0.01).max(0.9).meta({
    description:
      'The fraction of the questions that each candidate is asked, chosen at random: 0.01 to 0.9, where 0.5 is half of them. Null: all of them.',
  }),
  candidate_notification_channel: notificationChannel.meta({
    description:
      'Which mails to candidates with a valid phone number are accompanied by a message by SMS or WhatsApp, with the same link. A position decides for all its steps. Null: none. A 422 if the deployment sends no messages.',
  }),
  code: text(200).meta({
    description: 'Recorded only: a reference of your own, such as the id of the job in your ATS.',
  }),
  cover_image_url: httpsUrl.meta({
    description:
      'https address of a picture for the card and the page of the job, or of the session in the catalogue. The page of a link shows it too.',
  }),
  interview_department: text(200).meta({ description: 'The department that hires, as free text.' }),
  interview_salary: text(200).meta({ description: 'The salary, as free text: `€60,000 to €75,000`.' }),
  recruiter_profile_id: uuid.meta({
    description:
      'Profile id of the responsible recruiter: a profile of the merchant with the role merchant, merchant_owner or admin.',
  }),
  interview_template_id: uuid.meta({
    description: 'Id of the template that conducts the interview; `interview-template-list` lists them.',
  }),
  knowledge_base_store_id: uuid.meta({
    description:
      'Id of an active knowledge base of the account. The AI drafts the questions with it, chooses follow-ups, and answers candidates from it if it is `is_for_candidates`. A `public_avatar` answers all its visitors from it in any case, so it becomes public. Another one reaches the next question that is asked.',
  }),
  tags: z
    .array(requiredText(200).meta({ description: 'A tag.' }))
    .max(100)
    .meta({
      description:
        'Tags, at most 100. A catalogue directory lists the sessions that have every tag of its `tags_interview_set_filter`.',
    }),
  description: text(5_000).meta({ description: 'Short description for candidates, plain text.' }),
  description_long: text(50_000).meta({
    description:
      "Long description, Markdown: the page of the job or session and the page of the link show it, and candidates' questions are answered from it. `job-interview-get` returns it as `interview_description_long`.",
  }),
  candidate_expectations: text(10_000).meta({
    description:
      'What a good candidate shows, as free text. It steers what the AI generates on create, and follow-ups.',
  }),
  required_pronunciation: z.boolean().meta({
    description:
      'True measures how well speech recognition understands the spoken answers (`score_pronunciation`), and the start page says so. It is part of the score only with a weight (`custom_scoring.ai_pronunciation`).',
  }),
  next_step_text: requiredText(2_000).meta({
    description:
      'What happens after the submit, as plain text of at most 2,000 characters. Candidates see it at their link. Null: nothing is shown.',
  }),
  answer_within_days: z.int().min(1).max(365).meta({
    description:
      'The number of days within which candidates get an answer, counted from the submit: 1 to 365. Candidates see the date at their link. Null: none is shown.',
  }),
  result_enable_edit_transcript: z.boolean().meta({
    description: 'True lets candidates correct the transcript of their answers before they submit.',
  }),
  interview_tone: text(200).meta({
    description:
      'The tone of the generated questions and of follow-ups: relaxed, simple, professional or persuasive. Case is ignored. Any other text is stored and treated as relaxed.',
  }),
  welcome_message: text(5_000).meta({
    description:
      'What the interviewer says first, plain text. Left out, null or empty: a standard text in the language of the interview. Recorded only if the AI plays a person, who begins with `persona.opening_line`.',
  }),
  thank_you_message: stepText('What the interviewer says last'),
  instructional_video_custom_text: stepText('The instructions before the first question').meta({
    description:
      'The instructions before the first question, plain text, which interactive templates also speak. If it is nothing but the https address of an mp4 or webm file, candidates watch this file once; any other https address is shown as a link. Left out, null or empty: a standard text in the language of the interview.',
  }),
} as const;

/** The id of the interview definition or position to read or change. */
export const interviewOrPositionId = uuid.meta({
  description:
    'Id of the interview definition (the `interview_def_set_id` of its create reply) or of the position.',
});

/** Fields that a new interview and a new position have in common. */
export const jobFields = {
  interview_department: optionalField(fieldSchemas.interview_department),
  interview_salary: optionalField(fieldSchemas.interview_salary),
  interview_available_till: optionalField(futureTill),
  candidate_notification_channel: optionalField(fieldSchemas.candidate_notification_channel),
  recruiter_profile_id: optionalField(fieldSchemas.recruiter_profile_id),
  hiring_for_company: optionalField(hiringForCompany),
} as const;

/** The fields that create and create-from-array have in common. */
export const creationFields = {
  name: fieldSchemas.name,
  location: fieldSchemas.location,
  interview_template_id: fieldSchemas.interview_template_id,
  platform_language_code: languageCode.meta({
    description:
      'The language of the interview and of everything generated for it. It cannot be changed later. `br` is Brazilian Portuguese.',
  }),
  status: fieldSchemas.status,
  type: fieldSchemas.type,
  visibility: fieldSchemas.visibility,
  recording: optionalField(fieldSchemas.recording),
  recording_full_session: optionalField(fieldSchemas.recording_full_session),
  interview_type: fieldWithDefault(interviewKind, 'pre-screening'),
  seniority_level: optionalField(seniorityLevel).meta({
    description: 'The seniority that the job asks for. Left out: the AI derives it from the texts.',
  }),
  result_view: optionalField(fieldSchemas.result_view).meta({
    description:
      'What people see after the last answer. Left out: `advanced` for coaching and persona, otherwise `minimal`.',
  }),
  interview_conversation_speed: optionalField(fieldSchemas.interview_conversation_speed),
  candidate_video_introduction: fieldWithDefault(fieldSchemas.candidate_video_introduction, 'hidden'),
  interview_tone: fieldWithDefault(fieldSchemas.interview_tone, 'relaxed'),
  interview_attempts: optionalField(fieldSchemas.interview_attempts),
  max_followups: optionalField(fieldSchemas.max_followups),
  questions_random_subset: optionalField(fieldSchemas.questions_random_subset),
  code: optionalField(fieldSchemas.code),
  cover_image_url: optionalField(fieldSchemas.cover_image_url),
  ...jobFields,
  tags: optionalField(fieldSchemas.tags),
  knowledge_base_store_id: optionalField(fieldSchemas.knowledge_base_store_id),
  description_long: optionalField(fieldSchemas.description_long).meta({
    description:
      "Long description, Markdown: the page of the job or session and the page of the link show it, and candidates' questions are answered from it. Left out or blank: the AI writes it, for the types interview and assessment only.",
  }),
  candidate_expectations: optionalField(fieldSchemas.candidate_expectations),
  welcome_message: optionalField(fieldSchemas.welcome_message),
  thank_you_message: optionalField(fieldSchemas.thank_you_message),
  instructional_video_custom_text: optionalField(fieldSchemas.instructional_video_custom_text),
  additional_context: optionalField(additionalContext).meta({
    description:
      'Context for the AI that writes the questions: any JSON object of at most 20,000 characters. With `departments`, a list of 2 to 10 objects with a `description` and a `name` that no other has, the scoring also says how the answers fit each department (`ai_analysis_other.multi_department`).',
  }),
  custom_scoring: optionalField(customScoring),
  is_embedded: fieldWithDefault(z.boolean(), false).meta({
    description:
      'True creates an embed key. Its signing key is shown only in this reply. See "Embedding" in the introduction.',
  }),
  embed_origins: optionalField(embedOrigins).meta({
    description:
      'The origins whose pages may show the embedded interview in a frame, at most 20. Without any, only pages of the portal itself may. Only with `is_embedded: true`.',
  }),
  instructional_video: fieldWithDefault(z.boolean(), false).meta({
    description:
      'True adds a step after the welcome, in which the interviewer says `instructional_video_custom_text` or plays the video at its address.',
  }),
  use_enhanced_expectations: fieldWithDefault(z.boolean(), false).meta({
    description:
      'True asks the AI for exactly five items for each of weak, moderate and strong, each with an observable example. False: three to five items without examples.',
  }),
  required_pronunciation: fieldWithDefault(fieldSchemas.required_pronunciation, false),
  result_enable_edit_transcript: fieldWithDefault(fieldSchemas.result_enable_edit_transcript, true),
  pdf_export_auto_config: optionalField(pdfExportAutoConfig),
  next_step_text: optionalField(fieldSchemas.next_step_text),
  answer_within_days: optionalField(fieldSchemas.answer_within_days),
  persona: optionalField(personaInput),
} as const;

export const creationInput = z.object(creationFields);

/** The fields that the examples of both create operations share. */
export const creationExample = {
  name: 'Backend engineer',
  location: 'Amsterdam',
  interview_template_id: '0198a000-0000-7000-8000-000000000004',
  platform_language_code: 'en',
  status: 'active',
  type: 'interview',
  visibility: 'merchant_public',
} as const;

/**
 * Requires a knowledge base for `process-verification-from-knowledge-base`, because the process is verified against it.
 */
export const knowledgeBaseCheck = {
  check: (input: { interview_type: string; knowledge_base_store_id?: string }) =>
    input.interview_type !== 'process-verification-from-knowledge-base' ||
    input.knowledge_base_store_id !== undefined,
  path: ['knowledge_base_store_id'],
  error: 'is required for interview_type process-verification-from-knowledge-base',
  params: { code: 'required' },
};

/** The end of a sentence about interviews of visibility `sub_item`. */
export const subItemPhrase = 'reached only through its position';

/** Rejects an embed key for an interview that nobody can reach by itself. */
export const ownAccessCheck = {
  check: (input: { is_embedded: boolean; visibility: string }) =>
    !input.is_embedded || input.visibility !== 'sub_item',
  path: ['is_embedded'],
  error: `must not be true for an interview of visibility sub_item, which is ${subItemPhrase}`,
  params: { code: 'conflicting_fields' },
};

/** Rejects the origins of an embed key if the call creates no embed key. */
export const embedKeyCheck = {
  check: (input: { is_embedded: boolean; embed_origins?: string[] }) =>
    input.is_embedded || input.embed_origins === undefined,
  path: ['embed_origins'],
  error: 'needs an embed key: send is_embedded true',
  params: { code: 'not_applicable' },
};
