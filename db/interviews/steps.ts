import type { Statement } from '../platform/statement';
import type { Question } from './question-row';

type StepView = 'welcome' | 'instructional_video' | 'question' | 'thank_you';

/** One step of an interview: a question record, and in `view` the kind of the step. */
export type InterviewStep = Question & { view: StepView };

const defaultAnswerSeconds = 120;

/** Returns a question record without id and text. All its fields except the language have default values. */
export const blankQuestion = (
  language: InterviewStep['platform_language_code'],
): Omit<InterviewStep, 'id' | 'question'> => ({
  view: 'question',
  duration: defaultAnswerSeconds,
  platform_language_code: language,
  label: null,
  is_conditional: false,
  is_without_scoring: false,
  is_candidate_asking_recruiter: false,
  is_expert: false,
  is_multiple_choice: false,
  question_alternatives: null,
  conditional_question_main_id: null,
  knowledge_base_id: null,
  external_id: null,
  external_data: null,
  candidate_expectations_json: null,
});

/**
 * The merchant and environment to which a step belongs. The worker passes both explicitly; in the transaction of an
 * API call, the column defaults set them.
 */
export type StepOwner = { merchant_id: string; environment: string };

const columns = `id, view, question, duration, platform_language_code, label, is_conditional, is_without_scoring,
  is_candidate_asking_recruiter, is_expert, is_multiple_choice, question_alternatives, conditional_question_main_id,
  knowledge_base_id, external_id, external_data, candidate_expectations_json`;

/** Inserts all question records in one statement. */
export const insertQuestions = (owner: StepOwner, steps: InterviewStep[]): Statement => ({
  name: 'insert_questions',
  text: `
    insert into question (merchant_id, ${columns})
    select $1, ${columns} from jsonb_populate_recordset(null::question, $2)`,
  values: [owner.merchant_id, JSON.stringify(steps)],
});

/** Links the question records to the interview as its steps, in the order of `questionIds`. */
export const linkSteps = (owner: StepOwner, interviewId: string, questionIds: string[]): Statement => ({
  name: 'link_steps',
  text: `
    insert into interview_question (merchant_id, environment, interview_id, question_id, step_order)
    select $1, $2, $3, id, step_order from unnest($4::uuid[]) with ordinality as step (id, step_order)`,
  values: [owner.merchant_id, owner.environment, interviewId, questionIds],
});

export const removeAllSteps = (interviewId: string): Statement => ({
  text: 'delete from interview_question where interview_id = $1',
  values: [interviewId],
});

/** Lists the steps of an interview in their order, including the welcome and the thank-you step. */
export const listSteps = (interviewId: string): Statement<InterviewStep> => ({
  name: 'list_steps',
  text: `
    select ${columns
      .split(',')
      .map((column) => `q.${column.trim()}`)
      .join(', ')}
    from interview_question l join question q on q.id = l.question_id
    where l.interview_id = $1 order by l.step_order`,
  values: [interviewId],
});

/** Returns the question records of the merchant that have one of these ids. */
export const listQuestionsById = (ids: string[]): Statement<InterviewStep> => ({
  text: `select ${columns} from question where id = any ($1)`,
  values: [ids],
});
