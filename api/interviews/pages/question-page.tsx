import { ApiError, toOneError } from '../../platform/operation/api-error';
import { uuid } from '../../platform/operation/vocabulary';
import { Submit } from '../../platform/site/buttons';
import { Link, Panel } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import type { Option } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import type { Go, Site } from '../../platform/site/site';
import type { ConsoleDeps, Visit } from '../../platform/site/visitor';
import type { Question } from '../question';
import {
  check,
  choice,
  enteredIn,
  Fields,
  line,
  lines,
  number,
  text,
  toEntered,
  toInput,
} from './field-forms';
import type { Entered, FieldSpec } from './field-forms';
import { enteredRubric, orNone, readKnowledgeBases, rubricFields, rubricOf } from './interview-form-fields';
import { readQuestions, saveQuestions } from './questions-panel';

const rubric = rubricFields('answers');
const ownFields = (knowledgeBases: readonly Option[]): FieldSpec[] => [
  text('question', 'Question', 3, 5_000),
  line('label', 'Label', 200, 'Candidates see the labels of scored questions before they begin.'),
  number('duration', 'Time for the answer (seconds)', [0, 7_200]),
  check('is_without_scoring', 'Not scored'),
  check('is_multiple_choice', 'Multiple choice'),
  lines(
    'question_alternatives',
    'Choices or other wordings',
    3,
    'One per line. The choices of a multiple-choice question; else other wordings of the question.',
  ),
  choice('knowledge_base_id', 'Compare answers with', orNone(knowledgeBases)),
];
/** The fields without their choices, which only the form needs. */
const own = ownFields([]);
const blank: Entered = { duration: '120' };

/** Adds the pages with the form of one question and of a new one. */
export function addQuestionPage(site: Site, deps: ConsoleDeps): void {
  const path = '/interviews/:id/questions/:question';
  const newId = 'new';

  const find = async (visit: Visit, id: string, questionId: string) => {
    const questions = await readQuestions(deps, visit, id);
    const question = questions.find((each) => each.id === questionId);
    if (questionId !== newId && !uuid.safeParse(questionId).success)
      throw new ApiError('not_found', 'There is no such question.');
    return { questions, question };
  };

  const render = async (
    visit: Visit,
    id: string,
    questionId: string,
    entered: Entered,
    error?: ApiError,
  ): Promise<Page> => {
    const fields = [...ownFields(await readKnowledgeBases(deps, visit)), ...rubric];
    return {
      title: questionId === newId ? 'New question' : 'Question',
      at: '/interviews',
      status: error?.status,
      content: (
        <>
          <p>
            <Link to={`/interviews/${id}`}>Back to the interview</Link>
          </p>
          <Panel>
            <Form
              path={`/interviews/${id}/questions/${questionId}`}
              names={fields.map(({ name }) => name)}
              aliases={{ questions: 'question', candidate_expectations_json: 'strong' }}
              error={error}
            >
              <Fields fields={fields} entered={entered} />
              <Submit>{questionId === newId ? 'Add question' : 'Save changes'}</Submit>
            </Form>
          </Panel>
        </>
      ),
    };
  };

  site.page('console-question', path, async (visit, { params }) => {
    const { id = '', question: questionId = '' } = params;
    const { question } = await find(visit, id, questionId);
    if (questionId !== newId && !question)
      throw new ApiError(
        'not_found',
        'This question was changed or removed. Open it again from the page of the interview.',
      );
    return render(visit, id, questionId, question ? enteredQuestion(question) : blank);
  });

  site.post('console-question-save', path, async (visit, sent): Promise<Page | Go> => {
    const { id = '', question: questionId = '' } = sent.params;
    const { questions, question } = await find(visit, id, questionId);
    const entered = enteredIn([...own, ...rubric], sent);
    // A changed question is a new record with another id.
    if (questionId !== newId && !question)
      return render(
        visit,
        id,
        newId,
        entered,
        new ApiError(
          'concurrent_change',
          'Somebody else has changed or removed this question since you opened it. You can add your text as a new question.',
        ),
      );
    const saved = {
      ...toInput(own, entered),
      question: entered['question'] ?? '',
      candidate_expectations_json: rubricOf(entered),
    };
    const list = question
      ? questions.map((each) => (each === question ? { ...each, ...saved } : each))
      : [...questions.slice(0, endOf(questions)), saved, ...questions.slice(endOf(questions))];
    const { error } = await saveQuestions(deps, visit, id, list);
    if (error) return render(visit, id, questionId, entered, ofQuestion(error));
    return { goTo: `/interviews/${id}`, flash: question ? 'Question saved.' : 'Question added.' };
  });
}

/** Returns the place of a new question: the last one, but before the prompt in which candidates ask. */
const endOf = (questions: readonly Question[]): number =>
  questions.length - (questions.at(-1)?.is_candidate_asking_recruiter ? 1 : 0);

const enteredQuestion = (question: Question): Entered => ({
  ...Object.fromEntries(own.map(({ name }) => [name, toEntered(question[name as keyof Question])] as const)),
  ...enteredRubric(question.candidate_expectations_json),
});

/** Names the fields of the form in an error about `questions[3].label`. */
const ofQuestion = (error: ApiError): ApiError =>
  toOneError(
    error.errors.map((item) => {
      const prefix = /^questions\[\d+\]\./.exec(item.name ?? '')?.[0] ?? '';
      return {
        ...item,
        name: item.name?.slice(prefix.length) ?? null,
        error: prefix === '' ? item.error : item.error.replaceAll(prefix, ''),
      };
    }),
  );
