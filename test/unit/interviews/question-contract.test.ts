import {
  checkQuestions,
  questionInput,
  questionList,
  questionUpdate,
} from '../../../api/interviews/question';

const create = questionInput;
const update = questionUpdate;
const id = '0198a000-0000-7000-8000-0000000000ff';
/** Returns the paths of all validation errors for a list of questions. */
const at = (shape: typeof create | typeof update, questions: unknown) => {
  const issues = questionList(shape).safeParse(questions).error?.issues ?? [];
  const paths = [
    ...issues.map(({ path }) => path.join('.')),
    ...checkQuestions(questions, shape).map(({ name }) => String(name).replace(/^questions\[(\d+)\]/, '$1')),
  ];
  return paths.length > 0 ? paths : undefined;
};

describe('a question', () => {
  it('treats null as left out on create, and as a value on update', () => {
    const sent = { question: 'Why?', duration: null, label: null, external_data: null, id: null };
    expect(questionInput.parse(sent)).toEqual({ question: 'Why?' });
    expect(questionUpdate.parse(sent)).toEqual({
      question: 'Why?',
      duration: null,
      label: null,
      external_data: null,
    });
  });

  it('drops an unknown key and converts an id to lower case', () => {
    const sent = { question: ' Why? ', view: 'welcome', merchant_id: id, id: id.toUpperCase() };
    for (const shape of [questionInput, questionUpdate])
      expect(shape.parse(sent)).toEqual({ question: 'Why?', id });
  });

  it.each<[string, unknown, string]>([
    ['a blank text', { question: ' ' }, 'question'],
    ['a text of 5,001', { question: 'x'.repeat(5_001) }, 'question'],
    ['a duration below 0', { question: 'x', duration: -1 }, 'duration'],
    ['a duration over two hours', { question: 'x', duration: 7_201 }, 'duration'],
    ['half a second', { question: 'x', duration: 0.5 }, 'duration'],
    ['an id of 201 characters', { question: 'x', id: 'x'.repeat(201) }, 'id'],
    ['an unknown language', { question: 'x', platform_language_code: 'xx' }, 'platform_language_code'],
    ['a text for a boolean', { question: 'x', is_expert: 'true' }, 'is_expert'],
    ['an empty alternative', { question: 'x', question_alternatives: ['a', ''] }, 'question_alternatives.1'],
    ['an empty external_id', { question: 'x', external_id: '' }, 'external_id'],
    ['a list as external_data', { question: 'x', external_data: [] }, 'external_data'],
    ['16 KiB of external_data', { question: 'x', external_data: { a: 'x'.repeat(16_384) } }, 'external_data'],
    [
      'a rubric without strong',
      { question: 'x', candidate_expectations_json: { weak: [], moderate: [] } },
      'candidate_expectations_json.strong',
    ],
  ])('reports the field of %s', (_what, sent, path) => {
    for (const list of [create, update])
      expect(at(list, [{ question: 'first' }, sent])).toEqual([`1.${path}`]);
  });
});

describe('the id of a question', () => {
  it('may be any text on create, and must be a UUID on update', () => {
    for (const handle of ['abc', ' q 1 ', 'x'.repeat(200)]) {
      expect(questionInput.parse({ question: 'x', id: handle })).toEqual({ question: 'x', id: handle });
      expect(at(update, [{ question: 'x', id: handle }])).toEqual(['0.id']);
    }
    expect(questionInput.parse({ question: 'x', id: '' })).toEqual({ question: 'x' });
  });

  it('must be unique on create, where upper and lower case differ', () => {
    const two = (one: string, other: string) => [
      { question: 'x', id: one },
      { question: 'y', id: other, conditional_question_main_id: one },
    ];
    expect(at(create, two('q1', 'q1'))).toEqual(['1.id']);
    expect(at(create, two('q1', 'Q1'))).toBeUndefined();
  });
});

describe('a list of questions', () => {
  it.each<[string, unknown[], string[] | undefined, string[] | undefined]>([
    ['no questions', [], [''], ['']],
    ['101 questions', Array.from({ length: 101 }, () => ({ question: 'x' })), [''], ['']],
    ['100 questions', Array.from({ length: 100 }, () => ({ question: 'x' })), undefined, undefined],
    [
      'an id twice',
      [
        { question: 'x', id },
        { question: 'y', id: id.toUpperCase() },
      ],
      ['1.id'],
      ['1.id'],
    ],
    [
      'an external_id that is an earlier id',
      [
        { question: 'x', id },
        { question: 'y', external_id: id },
      ],
      ['1.external_id'],
      ['1.external_id'],
    ],
    [
      'a parent named by its id in capitals',
      [
        { question: 'x', id },
        { question: 'y', conditional_question_main_id: id.toUpperCase() },
      ],
      undefined,
      undefined,
    ],
    [
      'itself as its parent',
      [{ question: 'x', external_id: 'a', conditional_question_main_id: 'a' }],
      ['0.conditional_question_main_id'],
      ['0.conditional_question_main_id'],
    ],
    [
      'conditional with the parent left out: carried over on update only',
      [{ question: 'x', is_conditional: true }],
      ['0.conditional_question_main_id'],
      undefined,
    ],
    [
      'a parent that an earlier question with a broken name may mean',
      [
        { question: 'x', external_id: 5 },
        { question: 'y', conditional_question_main_id: '5' },
      ],
      ['0.external_id'],
      ['0.external_id'],
    ],
    ['entries that are no questions', [null, 5, []], ['0', '1', '2'], ['0', '1', '2']],
    [
      'conditional with null as parent',
      [{ question: 'x', is_conditional: true, conditional_question_main_id: null }],
      ['0.conditional_question_main_id'],
      ['0.conditional_question_main_id'],
    ],
  ])(
    'is accepted or rejected as documented, on create and on update: %s',
    (_what, questions, onCreate, onUpdate) => {
      expect([at(create, questions), at(update, questions)]).toEqual([onCreate, onUpdate]);
    },
  );
});
