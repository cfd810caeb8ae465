import { questionInput } from '../../../api/interviews/question';
import type { BuildInput, UnbuiltInterview } from '../../../db/interviews/interview-building';

export const buildInput = (more: Partial<BuildInput> = {}): BuildInput => ({
  question_count: 2,
  questions: null,
  shared_question_ids: [],
  candidate_expectations_json: null,
  seniority_level: null,
  interview_type: 'pre-screening',
  interview_tone: 'relaxed',
  additional_context: null,
  hiring_for_company: null,
  include_rapport_question: false,
  include_closing_prompt: false,
  instructional_video: false,
  instructional_video_custom_text: null,
  welcome_message: null,
  thank_you_message: null,
  use_enhanced_expectations: false,
  is_embedded: false,
  ...more,
});

/** Returns an unbuilt interview as the workflow reads it, without a database. */
export const unbuiltInterview = (
  more: Partial<UnbuiltInterview> = {},
  input: Partial<BuildInput> = {},
): UnbuiltInterview => ({
  id: '00000000-0000-4000-8000-00000000abcd',
  merchant_id: '00000000-0000-4000-8000-000000000001',
  merchant_name: 'Northwind Talent',
  environment: 'production',
  name: 'Backend engineer',
  visibility: 'merchant_public',
  type: 'interview',
  platform_language_code: 'en',
  interview_template_type: 'interactive_avatar_1',
  interview_location: 'Amsterdam',
  interview_department: null,
  candidate_expectations: null,
  description: null,
  interview_description_long: null,
  creation_parameters: {},
  knowledge_base_text: null,
  max_duration: 1_200,
  max_followups: null,
  questions_random_subset: null,
  interview_conversation_speed: null,
  required_pronunciation: false,
  result_scoring: null,
  candidate_expectations_json: null,
  persona: null,
  draft: null,
  remaining_ms: 57_000,
  build_input: buildInput(input),
  ...more,
});

/** Returns a question as a create operation parses it, with the id of its record. */
export const parsedQuestion = (id: string, question: string, more: Record<string, unknown> = {}) => ({
  ...questionInput.parse({ question, ...more }),
  id,
});
