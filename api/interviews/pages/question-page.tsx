import { ApiError, toOneError } from '../../platform/operation/api-error';
import { uuid } from '../../platform/operation/vocabulary';
import { HiddenFields, Submit } from '../../platform/site/buttons';
import { Link, Panel } from '../../platform/site/elements';
import { Form } from '../../platform/site/form';
import type { Option } from '../../platform/site/form';
import type { Page } from '../../platform/site/layout';
import { sentText } from '../../platform/site/site';
import type { RedirectWithMessage, RequestData, Site } from '../../platform/site/site';
import { reorderScript } from '../../platform/site/site-assets';
import type { ConsoleDeps, ConsoleVisit } from '../../platform/site/visitor';
import type { Question } from '../question';
import {
  checkboxField,
  choiceField,
  readEntered,
  Fields,
  lineField,
  linesField,
  numberField,
  textField,
  toEntered,
  toOperationInput,
} from './field-forms';
import type { EnteredValues, FieldSpec } from './field-forms';
import { enteredRubric, withNone, readKnowledgeBases, rubricFields, rubricOf } from './interview-form-fields';
import { toChoiceFields, OptionsField, readSentOptions, storedOptions } from './options-field';
import { readQuestions, saveQuestions } from './questions-panel';

const rubric = rubricFields('answers');
/** The fields of every question. */
const sharedFields = [
  textField('question', 'Question', 3, 5_000),
  lineField('label', 'Label', 200, 'Candidates see the labels of scored questions before they begin.'),
  numberField('duration', 'Time for the answer (seconds)', [0, 7_200]),
  checkboxField('is_without_scoring', 'Not scored'),
];
/** The fields that only an open question has. A multiple choice has options instead. */
const openFields = (knowledgeBases: readonly Option[]): FieldSpec[] => [
  linesField(
    'question_alternatives',
    'Other wordings',
    3,
    'One per line. Each candidate is asked the question or one of these, drawn at random.',
  ),
  choiceField('knowledge_base_id', 'Compare answers with', withNone(knowledgeBases)),
];
/** Returns the fields of a kind without their choices, which only the form needs. */
const fieldsOf = (kind: Kind, knowledgeBases: readonly Option[] = []): FieldSpec[] =>
  kind === 'choice' ? sharedFields : [...sharedFields, ...openFields(knowledgeBases)];
const blank: EnteredValues = { duration: '120' };
const kinds = ['open', 'choice'] as const;
const kindNames = { open: 'an open question', choice: 'multiple choice' };
type Kind = (typeof kinds)[number];
/** The form shows the kind that the address or the form names, or else that of the question. */
const kindOf = (sent: RequestData, question: Question | undefined): Kind =>
  kinds.find((kind) => kind === (sentText(sent, 'kind') || sent.query['kind'])) ??
  (question?.is_multiple_choice ? 'choice' : 'open');

/** What the form shows. `options` are those of a multiple choice. */
type Shown = { kind: Kind; entered: EnteredValues; options: ReturnType<typeof storedOptions> };

/** Adds the pages with the form of one question and of a new one. */
export function addQuestionPage(site: Site, deps: ConsoleDeps): void {
  const path = '/interviews/:id/questions/:question';
  const newId = 'new';

  const find = async (visit: ConsoleVisit, sent: RequestData) => {
    const { id = '', question: questionId = '' } = sent.params;
    const questions = await readQuestions(deps, visit, id);
    const question = questions.find((each) => each.id === questionId);
    if (questionId !== newId && !uuid.safeParse(questionId).success)
      throw new ApiError('not_found', 'There is no such question.');
    return { id, questionId, questions, question, kind: kindOf(sent, question) };
  };

  const render = async (
    visit: ConsoleVisit,
    id: string,
    questionId: string,
    { kind, entered, options }: Shown,
    error?: ApiError,
  ): Promise<Page> => {
    const own = fieldsOf(kind, kind === 'choice' ? [] : await readKnowledgeBases(deps, visit));
    const address = `/interviews/${id}/questions/${questionId}`;
    const other = kind === 'choice' ? 'open' : 'choice';
    const names = own.map(({ name }) => name);
    return {
      title: questionId === newId ? 'New question' : 'Question',
      at: '/interviews',
      status: error?.status,
      scripts: [reorderScript],
      content: (
        <>
          <p>
            <Link to={`/interviews/${id}`}>Back to the interview</Link> ·{' '}
            <Link to={address} query={{ kind: other }}>
              Make it {kindNames[other]}
            </Link>
          </p>
          <Panel>
            <Form
              path={address}
              names={kind === 'choice' ? [...names, 'question_alternatives'] : [...names, 'strong']}
              aliases={{ questions: 'question', candidate_expectations_json: 'strong' }}
              error={error}
            >
              <HiddenFields fields={{ kind }} />
              <Fields fields={own} entered={entered} />
              {kind === 'choice' ? (
                <OptionsField options={options} />
              ) : (
                <Fields fields={rubric} entered={entered} />
              )}
              <Submit>{questionId === newId ? 'Add question' : 'Save changes'}</Submit>
            </Form>
          </Panel>
        </>
      ),
    };
  };

  site.page('console-question', path, async (visit, sent) => {
    const { id, questionId, question, kind } = await find(visit, sent);
    if (questionId !== newId && !question)
      throw new ApiError(
        'not_found',
        'This question was changed or removed. Open it again from the page of the interview.',
      );
    const entered = question ? enteredQuestion(fieldsOf(kind), question) : blank;
    return render(visit, id, questionId, { kind, entered, options: storedOptions(question) });
  });

  site.post('console-question-save', path, async (visit, sent): Promise<Page | RedirectWithMessage> => {
    const { id, questionId, questions, question, kind } = await find(visit, sent);
    const own = fieldsOf(kind);
    const { options, isChanged } = readSentOptions(sent);
    const shown = { kind, entered: readEntered([...own, ...rubric], sent), options };
    if (isChanged) return render(visit, id, questionId, shown);
    // A changed question is a new record with another id.
    if (questionId !== newId && !question)
      return render(
        visit,
        id,
        newId,
        shown,
        new ApiError(
          'concurrent_change',
          'Somebody else has changed or removed this question since you opened it. You can add your text as a new question.',
        ),
      );
    const saved = {
      ...toOperationInput(own, shown.entered),
      question: shown.entered['question'] ?? '',
      ...(kind === 'choice'
        ? toChoiceFields(options, question?.candidate_expectations_json?.weak ?? [])
        : { is_multiple_choice: false, candidate_expectations_json: rubricOf(shown.entered) }),
    };
    const list = question
      ? questions.map((each) => (each === question ? { ...each, ...saved } : each))
      : [...questions.slice(0, endOf(questions)), saved, ...questions.slice(endOf(questions))];
    const { error } = await saveQuestions(deps, visit, id, list);
    if (error) return render(visit, id, questionId, shown, ofQuestion(error));
    return { goTo: `/interviews/${id}`, flash: question ? 'Question saved.' : 'Question added.' };
  });
}

/** Returns the place of a new question: the last one, but before the prompt in which candidates ask. */
const endOf = (questions: readonly Question[]): number =>
  questions.length - (questions.at(-1)?.is_candidate_asking_recruiter ? 1 : 0);

const enteredQuestion = (own: readonly FieldSpec[], question: Question): EnteredValues => ({
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
