/**
 * The bad replies that a fault can make the model give when it assesses or summarizes. None of them may count as
 * evidence.
 */
export const assessmentFaults = [
  'invented_quotes',
  'quotes_question',
  'quotes_rubric',
  'wrong_ids',
  'missing_ids',
  'all_yes',
  'numbers',
  'obeys_answer',
  'cut_off',
  'empty',
] as const;
export type AssessmentFault = (typeof assessmentFaults)[number];
