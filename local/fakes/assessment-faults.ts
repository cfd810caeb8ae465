/**
 * The bad replies that a fault can make the fake model give when it assesses answers or summarizes a result. The
 * product must not take any of them as evidence.
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
