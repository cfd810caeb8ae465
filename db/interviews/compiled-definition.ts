import type { Persona } from './persona';
import type { InterviewStep } from './steps';

export type DefinitionToCompile = {
  type: string;
  platform_language_code: string;
  interview_template_type: string | null;
  max_duration: number | null;
  max_followups: number | null;
  questions_random_subset: number | null;
  interview_conversation_speed: string | null;
  required_pronunciation: boolean;
  result_scoring: unknown;
  candidate_expectations_json: unknown;
  persona: Persona | null;
};

/**
 * Interview types whose sessions are scored against a rubric. Sessions of all other types are practice or
 * conversation.
 */
const scoredTypes = new Set(['interview', 'assessment', 'persona_interview']);

/**
 * Returns the definition that the interview engine runs (`calc_definition_json`): one document with everything a
 * session needs. It is rebuilt whenever one of its parts changes.
 */
export function compileDefinition(
  source: DefinitionToCompile,
  steps: InterviewStep[],
): Record<string, unknown> {
  const scored = scoredTypes.has(source.type);
  return {
    schema: 'platform.definition/v1',
    type: source.type,
    language: source.platform_language_code,
    voice_only: source.interview_template_type === 'interactive_voice',
    max_duration: source.max_duration,
    max_followups: source.max_followups,
    questions_random_subset: source.questions_random_subset,
    conversation_speed: source.interview_conversation_speed,
    required_pronunciation: source.required_pronunciation,
    ...(scored ? { scoring: source.result_scoring, rubric: source.candidate_expectations_json } : {}),
    ...(source.persona ? { persona: source.persona } : {}),
    steps: steps.map((step) => ({
      id: step.id,
      view: step.view,
      text: step.question,
      duration: step.duration,
      ...(step.view === 'question'
        ? {
            without_scoring: step.is_without_scoring,
            candidate_asks: step.is_candidate_asking_recruiter,
            expert: step.is_expert,
            multiple_choice: step.is_multiple_choice,
            alternatives: step.question_alternatives,
            conditional_on: step.is_conditional ? step.conditional_question_main_id : null,
            knowledge_base_id: step.knowledge_base_id,
            ...(scored ? { expectations: step.candidate_expectations_json } : {}),
          }
        : {}),
    })),
  };
}
