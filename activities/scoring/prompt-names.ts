import {
  answerAssessment,
  knowledgeComparison,
  resultSummary,
  resumeAssessment,
  sessionAssessment,
} from './prompts';

/** The prompts by the name of their response format, which is also the purpose of a call in `model_call`. */
const prompts = {
  answer_assessment: answerAssessment,
  session_assessment: sessionAssessment,
  resume_assessment: resumeAssessment,
  knowledge_comparison: knowledgeComparison,
  result_summary: resultSummary,
} as const;
type Purpose = keyof typeof prompts;

/** Returns the purpose under which a call of the scoring is recorded. Throws for a name without a prompt. */
export function callPurposeOf(name: string): Purpose {
  if (!Object.hasOwn(prompts, name)) throw new Error(`no prompt has the response format ${name}`);
  return name as Purpose;
}

export const promptVersionOf = (name: string): string => prompts[callPurposeOf(name)].version;
