import { compileDefinition } from '../../../db/interviews/compiled-definition';
import type { InterviewStep } from '../../../db/interviews/steps';
import { rubric } from '../../harness/interviews/definitions';
import { unbuiltInterview } from '../../harness/interviews/unbuilt-interview';

const step = (more: Partial<InterviewStep>): InterviewStep => ({
  id: 'x',
  view: 'question',
  question: 'Why?',
  duration: 60,
  platform_language_code: 'en',
  label: 'secret label',
  is_conditional: false,
  is_without_scoring: false,
  is_candidate_asking_recruiter: false,
  is_expert: false,
  is_multiple_choice: false,
  question_alternatives: ['a', 'b'],
  conditional_question_main_id: 'parent',
  knowledge_base_id: null,
  external_id: 'ext',
  external_data: { private: true },
  candidate_expectations_json: rubric,
  ...more,
});
const source = unbuiltInterview({ candidate_expectations_json: rubric, result_scoring: { max_score: 5 } });
const question = {
  id: 'x',
  view: 'question',
  text: 'Why?',
  duration: 60,
  without_scoring: false,
  candidate_asks: false,
  expert: false,
  multiple_choice: false,
  alternatives: ['a', 'b'],
  conditional_on: null,
  knowledge_base_id: null,
  expectations: rubric,
};

describe('compileDefinition', () => {
  it('contains everything that a session needs, and nothing else of the row', () => {
    expect(compileDefinition(source, [step({ view: 'welcome', id: 'w' }), step({})])).toEqual({
      schema: 'platform.definition/v1',
      type: 'interview',
      language: 'en',
      voice_only: false,
      max_duration: 1_200,
      max_followups: null,
      questions_random_subset: null,
      conversation_speed: null,
      required_pronunciation: false,
      scoring: { max_score: 5 },
      rubric,
      steps: [{ id: 'w', view: 'welcome', text: 'Why?', duration: 60 }, question],
    });
  });

  it.each([
    ['interview', true],
    ['assessment', true],
    ['persona_interview', true],
    ['coaching', false],
    ['persona', false],
    ['public_avatar', false],
  ])('returns for the type %s whether it is scored: %s', (type, scored) => {
    const compiled = compileDefinition({ ...source, type }, [step({})]);
    expect(['scoring' in compiled, 'rubric' in compiled]).toEqual([scored, scored]);
    expect(JSON.stringify(compiled).includes('expectations')).toBe(scored);
  });

  it('contains the parent only of a conditional question', () => {
    const used = step({ is_multiple_choice: true, is_conditional: true });
    expect(compileDefinition(source, [used])).toMatchObject({
      steps: [{ ...question, multiple_choice: true, conditional_on: 'parent' }],
    });
  });

  it.each([
    ['interactive_voice', true],
    ['interactive_avatar_2', false],
    [null, false],
  ])('returns for the template %s whether it is voice-only: %s', (interview_template_type, voice_only) => {
    expect(compileDefinition({ ...source, interview_template_type }, [])).toMatchObject({
      voice_only,
      steps: [],
    });
  });
});
