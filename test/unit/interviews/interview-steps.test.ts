import { buildSteps } from '../../../activities/interviews/interview-steps';
import { languageTexts } from '../../../api/platform/text/language-texts';
import type { BuildInput, InterviewDraft } from '../../../db/interviews/interview-building';
import { rubric } from '../../harness/interviews/definitions';
import { parsedQuestion, unbuiltInterview } from '../../harness/interviews/unbuilt-interview';

const other = { ...rubric, weak: ['other'] };
const draft: InterviewDraft = {
  description: 'D',
  description_long: 'L',
  seniority_level: 'senior',
  candidate_expectations: rubric,
  questions: [
    { question: 'One?', candidate_expectations: rubric },
    { question: 'Two?', candidate_expectations: other },
  ],
};
const build = (input: Partial<BuildInput>, language = 'en') =>
  buildSteps(unbuiltInterview({ draft, platform_language_code: language }, input), (place) => `id-${place}`);
const texts = ({ steps }: ReturnType<typeof build>) =>
  steps.map(({ view, question }) => `${view}: ${question}`);
const en = languageTexts.en.steps;

describe('buildSteps', () => {
  it('builds welcome, questions and thank-you by default', () => {
    const built = build({});
    expect(texts(built)).toEqual([
      `welcome: ${en.welcome}`,
      'question: One?',
      'question: Two?',
      `thank_you: ${en.thank_you}`,
    ]);
    expect(built.generated).toBe(2);
    expect(built.records).toEqual(built.steps);
    expect(new Set(built.steps.map(({ id }) => id)).size).toBe(4);
    expect(built.steps.map(({ duration }) => duration)).toEqual([null, 120, 120, null]);
    expect(built.steps[2]).toMatchObject({ candidate_expectations_json: other, is_without_scoring: false });
  });

  it('builds every requested step in the documented order and in the language of the interview', () => {
    const built = build(
      { instructional_video: true, include_rapport_question: true, include_closing_prompt: true },
      'de',
    );
    const de = languageTexts.de.steps;
    expect(texts(built)).toEqual([
      `welcome: ${de.welcome}`,
      `instructional_video: ${de.instructional_video}`,
      `question: ${de.rapport}`,
      'question: One?',
      'question: Two?',
      `question: ${de.closing}`,
      `thank_you: ${de.thank_you}`,
    ]);
    expect(built.generated).toBe(2);
    const asks = built.steps.map((step) => [step.is_without_scoring, step.is_candidate_asking_recruiter]);
    expect([asks[2], asks[3], asks[5]]).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
    expect(new Set(built.steps.map((step) => step.platform_language_code))).toEqual(new Set(['de']));
  });

  it('uses the texts of the request instead of the default ones', () => {
    const custom = {
      welcome_message: 'Hi',
      thank_you_message: 'Bye',
      instructional_video_custom_text: 'See',
    };
    const built = build({ ...custom, instructional_video: true });
    expect(texts(built)).toEqual([
      'welcome: Hi',
      'instructional_video: See',
      'question: One?',
      'question: Two?',
      'thank_you: Bye',
    ]);
    expect(texts(build({ welcome_message: '', thank_you_message: '' }))).toEqual(texts(build({})));
  });

  it('keeps given questions word for word, and adds rubrics of the draft only where they are missing', () => {
    const { steps, generated } = build({
      questions: [
        parsedQuestion('a', 'Mine?', { duration: 30, external_id: 'x' }),
        parsedQuestion('b', 'Own rubric?', { candidate_expectations_json: rubric }),
        parsedQuestion('c', 'Unscored?', { is_without_scoring: true }),
      ],
    });
    expect(steps.slice(1, -1)).toMatchObject([
      {
        id: 'a',
        question: 'Mine?',
        duration: 30,
        external_id: 'x',
        label: null,
        candidate_expectations_json: rubric,
      },
      { id: 'b', duration: 120, candidate_expectations_json: rubric },
      { id: 'c', is_without_scoring: true, candidate_expectations_json: null },
    ]);
    expect(generated).toBe(3);
  });

  it('stores the drafted options of a multiple choice in a mixed order, with the right one as its key', () => {
    const options = ['b', 'c', 'd'];
    const [question] = draft.questions;
    const places = Array.from({ length: 20 }, (_, index) => {
      const right = `right ${index}`;
      const drafted = {
        question: 'Which?',
        candidate_expectations: rubric,
        choice: { right, wrong: options },
      };
      const [, first, second] = buildSteps(
        unbuiltInterview({ draft: { ...draft, questions: [drafted, ...(question ? [question] : [])] } }),
      ).steps;
      expect(second).toMatchObject({ is_multiple_choice: false, candidate_expectations_json: rubric });
      expect(first).toMatchObject({
        is_multiple_choice: true,
        candidate_expectations_json: { weak: [], moderate: [], strong: [right] },
      });
      expect(first?.question_alternatives?.toSorted()).toEqual([...options, right]);
      return first?.question_alternatives?.indexOf(right);
    });
    expect(new Set(places).size).toBe(4);
  });

  it('gives a choice of the request no drafted rubric, because that names no options', () => {
    const asked = { is_multiple_choice: true, question_alternatives: ['a', 'b'] };
    const { steps } = build({ questions: [parsedQuestion('a', 'Mine?', asked)] });
    expect(steps[1]).toMatchObject({ ...asked, candidate_expectations_json: null });
  });

  it('links a shared record and creates no new one', () => {
    const questions = [parsedQuestion('old', 'Shared?'), parsedQuestion('new', 'New?')];
    const { steps, records } = build({ questions, shared_question_ids: ['old'] });
    expect(steps.map(({ id }) => id)).toEqual(['id-3', 'old', 'new', 'id-4']);
    expect(records.map(({ id }) => id)).toEqual(['id-3', 'new', 'id-4']);
  });

  it('creates random ids by default', () => {
    const ids = [1, 2].flatMap(() => buildSteps(unbuiltInterview({ draft })).steps.map(({ id }) => id));
    expect(new Set(ids).size).toBe(8);
  });
});
