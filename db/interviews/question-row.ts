import type { LanguageCode } from '../platform/vocabulary';

/** A rubric: what weak, moderate and strong answers show. */
export type Expectations = { weak: string[]; moderate: string[]; strong: string[] };

/** The smallest and the largest number of options of a multiple choice. */
export const optionLimits = { min: 2, max: 10 } as const;
/** A rubric names options, so an option is as long as an item of a rubric at most. */
export const maxOptionCharacters = 500;

export type Question = {
  question: string;
  id: string;
  /** The time to answer, in seconds. */
  duration: number | null;
  platform_language_code: LanguageCode;
  label: string | null;
  is_conditional: boolean;
  is_without_scoring: boolean;
  is_candidate_asking_recruiter: boolean;
  is_expert: boolean;
  is_multiple_choice: boolean;
  question_alternatives: string[] | null;
  conditional_question_main_id: string | null;
  knowledge_base_id: string | null;
  external_id: string | null;
  external_data: Record<string, unknown> | null;
  candidate_expectations_json: Expectations | null;
};

/** A question of a new interview. Undefined fields get their defaults. */
export type QuestionInput = { question: string } & {
  [Field in keyof Omit<Question, 'question'>]: NonNullable<Question[Field]> | undefined;
};

/** The company that offers the job, when it is not the merchant itself. */
export type HiringForCompany = {
  name: string;
  undisclosed: boolean | undefined;
  description: string | undefined;
  location: string | undefined;
  sector: string | undefined;
  company_size: string | undefined;
};
