/** What a fault can make the model reply to a request to assess. None of it may become a score. */
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
