import {
  draftJsonSchema,
  draftZodSchema,
  needsNoDraft,
  readDraft,
  toDraftingBrief,
} from '../../../activities/interviews/interview-draft';
import { completePersona } from '../../../activities/interviews/persona-draft';
import type { DraftingBrief } from '../../../activities/interviews/prompts';
import { hiringForCompany } from '../../../api/interviews/interview-options';
import type { Persona } from '../../../db/interviews/public';
import { composeDraft } from '../../../local/fakes/interview-draft';
import { findStrictError } from '../../../local/fakes/strict-schema';
import { rubric } from '../../harness/interviews/definitions';
import { buildInput, parsedQuestion, unbuiltInterview } from '../../harness/interviews/unbuilt-interview';

const brief: DraftingBrief = toDraftingBrief(unbuiltInterview({}, { question_count: 2 }));
const answer = (more: Record<string, unknown> = {}) => ({
  description: 'Two sentences. For you.',
  description_long: '## Purpose',
  seniority_level: 'senior',
  candidate_expectations: rubric,
  questions: [
    { question: 'One?', candidate_expectations: rubric },
    { question: 'Two?', candidate_expectations: rubric },
  ],
  ...more,
});
const ask = (text: string) => ({ question: text, candidate_expectations: rubric });
const validate = (more: Record<string, unknown>, changed: Partial<DraftingBrief> = {}) =>
  readDraft(JSON.stringify(answer(more)), { ...brief, ...changed });
const items = (length: number) => Array.from({ length }, (_, index) => `item ${index}`);
const count = (length: number) => Array.from({ length }, (_, index) => ask(`Question ${index}?`));

describe('draftJsonSchema', () => {
  it.each([
    [false, false],
    [true, true],
  ])('is strict JSON schema without bounds, with choices and examples: %s', (wants_choices, enhanced) => {
    const wanted = { wants_choices, enhanced_expectations: enhanced };
    const schema = draftJsonSchema(wanted);
    expect(findStrictError(schema)).toBeUndefined();
    expect(JSON.stringify(schema)).not.toMatch(/minLength|maxLength|minItems|maxItems|pattern|\$schema/);
    expect(Object.keys(schema['properties'] as object)).toEqual(Object.keys(draftZodSchema(wanted).shape));
  });
});

describe('readDraft of an assessment', () => {
  const choice = (right = 'a', wrong = ['b', 'c']) => ({
    question: `Which is ${right}?`,
    candidate_expectations: { weak: [], moderate: [], strong: [] },
    choice: { right, wrong },
  });
  const open = { ...ask('Why?'), choice: null };
  const read = (questions: unknown[]) =>
    readDraft(JSON.stringify(answer({ questions })), {
      ...brief,
      wants_choices: true,
      question_count: questions.length,
    });

  it.each<[string | undefined, unknown[]]>([
    [undefined, [choice(), open]],
    [undefined, [choice()]],
    ['it needs multiple choices and open questions', [choice('a'), choice('b', ['c'])]],
    ['it needs multiple choices and open questions', [open]],
    ['questions[1].choice has 1 options and needs 2 to 10', [open, choice('a', [])]],
    ['questions[1].choice has 11 options and needs 2 to 10', [open, choice('a', items(10))]],
    ['questions[1].choice has an option twice', [open, choice('a', ['b', 'A'])]],
    ['questions.1.choice.wrong.0: it has no visible text', [open, choice('a', [' '])]],
    [
      'questions.1.choice.right: Invalid input: expected string, received array',
      [open, { ...choice(), choice: { right: ['a', 'b'], wrong: ['c'] } }],
    ],
    [
      'questions.1.choice: Invalid input: expected object, received undefined',
      [open, { ...choice(), choice: undefined }],
    ],
  ])('reports %s', (problem, questions) => {
    expect(read(questions).problem).toBe(problem);
  });
});

describe('readDraft of enhanced expectations', () => {
  const five = (bracket: string, length = 5) =>
    Array.from({ length }, (_, index) => ({ shows: `${bracket} ${index}`, example: `as in ${bracket}` }));
  const enhanced = { weak: five('weak'), moderate: five('moderate'), strong: five('strong') };
  const read = (rubrics: unknown) =>
    readDraft(JSON.stringify(answer({ candidate_expectations: rubrics, questions: [] })), {
      ...brief,
      question_count: 0,
      enhanced_expectations: true,
    });

  it('keeps five items a bracket, each with its example', () => {
    const { weak } = read(enhanced).draft?.candidate_expectations ?? { weak: [] };
    expect([weak.length, weak[0]]).toEqual([5, 'weak 0 – as in weak']);
  });

  it.each<[string, unknown]>([
    ['candidate_expectations.strong has 4 items and needs exactly 5', five('strong', 4)],
    ['candidate_expectations.strong has 6 items and needs exactly 5', five('strong', 6)],
    [
      'candidate_expectations.strong.0.example: it has no visible text',
      [{ shows: 'a', example: ' ' }, ...five('strong', 4)],
    ],
    [
      'candidate_expectations.strong.0: Invalid input: expected object, received string',
      ['a', ...five('strong', 4)],
    ],
  ])('reports %s', (problem, strong) => {
    expect(read({ ...enhanced, strong }).problem).toBe(problem);
  });
});

describe('readDraft', () => {
  it('returns the draft of a valid answer', () => {
    expect(readDraft(JSON.stringify(answer()), brief)).toEqual({ draft: answer() });
  });

  it.each<[string, string]>([
    ['', 'it is not valid JSON'],
    ['{"description":', 'it is not valid JSON'],
    ['null', 'the answer: Invalid input: expected object, received null'],
    ['[]', 'the answer: Invalid input: expected object, received array'],
  ])('reports that %j is invalid: %s', (content, problem) => {
    expect(readDraft(content, brief)).toEqual({ problem });
  });

  const twice = { ...rubric, strong: ['Names one example!', 'b', 'c'] };
  it.each<[string, Record<string, unknown>, Partial<DraftingBrief>]>([
    ['it has 1 questions and needs exactly 2', { questions: [ask('One?')] }, {}],
    ['it has 3 questions and needs exactly 2', { questions: count(3) }, {}],
    ['it has 4 questions and needs 5 to 8', { questions: count(4) }, { question_count: null }],
    ['it has 9 questions and needs 5 to 8', { questions: count(9) }, { question_count: null }],
    ['a question occurs twice', { questions: [ask('One?'), ask(' one ')] }, {}],
    ['a question occurs twice', { questions: [ask('Ｏｎｅ？'), ask('One')] }, {}],
    ['the description is empty', { description: ' \n' }, {}],
    ['description_long is empty', { description_long: ' ' }, {}],
    ['the description is empty', { description: '\u200b\u2060' }, {}],
    ['description_long is empty', { description_long: '\u3164' }, {}],
    ['questions.0.question: it has no visible text', { questions: [ask('\u200b')] }, {}],
    [
      'candidate_expectations.strong.1: it has no visible text',
      { candidate_expectations: { ...rubric, strong: ['a', '\u200d', 'c'] } },
      {},
    ],
    ['a question occurs twice', { questions: [ask('Why C#?'), ask('why  c#')] }, {}],
    ['a question occurs twice', { questions: [ask('Why "full-stack"?'), ask('Why full stack...')] }, {}],
    ['a question occurs twice', { questions: [ask('Why\u200b?'), ask('Why')] }, {}],
    ...(
      [
        ['weak', 0],
        ['moderate', 2],
        ['strong', 6],
      ] as const
    ).flatMap(([bracket, length]): [string, Record<string, unknown>, Partial<DraftingBrief>][] => {
      const candidate_expectations = { ...rubric, [bracket]: items(length) };
      const problem = `candidate_expectations.${bracket} has ${length} items and needs 3 to 5`;
      return [
        [problem, { candidate_expectations }, {}],
        [
          `questions[1].${problem}`,
          { questions: [ask('One?'), { question: 'Two?', candidate_expectations }] },
          {},
        ],
      ];
    }),
    ['candidate_expectations lists an item twice', { candidate_expectations: twice }, {}],
    [
      'questions[0].candidate_expectations lists an item twice',
      { questions: [{ question: 'One?', candidate_expectations: twice }, ask('Two?')] },
      {},
    ],
    [
      'candidate_expectations.weak.0: it has no visible text',
      { candidate_expectations: { ...rubric, weak: [' ', 'b', 'c'] } },
      {},
    ],
    ['questions.0.question: it has no visible text', { questions: [ask(' ')] }, {}],
    ['description: Invalid input: expected string, received undefined', { description: undefined }, {}],
  ])('reports: %s', (problem, more, changed) => {
    expect(validate(more, changed)).toEqual({ problem });
  });

  describe.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
  ])('with %s', (_what, torn) => {
    it.each<[string, Record<string, unknown>, Partial<DraftingBrief>]>([
      ['description', { description: torn }, {}],
      ['description', { description: torn }, { given_description: 'Given' }],
      ['description_long', { description_long: torn }, {}],
      ['questions.1.question', { questions: [ask('One?'), ask(torn)] }, {}],
      [
        'questions.0.candidate_expectations.weak.2',
        {
          questions: [
            { question: 'One?', candidate_expectations: { ...rubric, weak: ['a', 'b', torn] } },
            ask('Two?'),
          ],
        },
        {},
      ],
      [
        'candidate_expectations.moderate.0',
        { candidate_expectations: { ...rubric, moderate: [torn, 'b', 'c'] } },
        {},
      ],
    ])('reports the place: %s', (place, more, changed) => {
      expect(validate(more, changed)).toEqual({
        problem: `${place}: it contains a NUL character or half of a surrogate pair`,
      });
    });
  });

  it.each([
    ['Why C#?', 'Why C?'],
    ['Why C++?', 'Why C?'],
    ['Why .NET?', 'Why NET?'],
    ['Why (.NET)?', 'Why (NET)?'],
  ])('treats %j and %j as two questions', (one, other) => {
    expect(validate({ questions: [ask(one), ask(other)] }).problem).toBeUndefined();
  });

  it('reports the place of an unknown seniority', () => {
    expect(validate({ seniority_level: 'junior' }).problem).toMatch(/^seniority_level: /);
  });

  it.each<[string, Record<string, unknown>, Partial<DraftingBrief>]>([
    ['5 questions where it picks', { questions: count(5) }, { question_count: null }],
    ['8 questions where it picks', { questions: count(8) }, { question_count: null }],
    [
      'five items a bracket',
      {
        candidate_expectations: {
          weak: ['a', 'b', 'c', 'd', 'e'],
          moderate: ['f', 'g', 'h'],
          strong: ['i', 'j', 'k'],
        },
      },
      {},
    ],
    [
      'given questions that repeat',
      { questions: [ask('One?'), ask('One?')] },
      { given_questions: ['One?', 'One?'] },
    ],
    ['no description where one is given', { description: '' }, { given_description: 'Given' }],
    ['no long description where none is needed', { description_long: '' }, { needs_description_long: false }],
  ])('accepts %s', (_what, more, changed) => {
    expect(validate(more, changed)).toEqual({ draft: answer(more) });
  });
});

describe('toDraftingBrief', () => {
  it('does not name an undisclosed client, in either spelling', () => {
    const told = (company: object) =>
      toDraftingBrief(unbuiltInterview({}, { hiring_for_company: hiringForCompany.parse(company) })).company;
    expect(told({ name: 'Acme', undisclosed: true, sector: 'Mining' })).toMatchObject({
      name: 'an unnamed client',
      sector: 'Mining',
    });
    expect(told({ name: 'Undisclosed ' })).toMatchObject({ name: 'an unnamed client' });
    expect(told({ name: 'Acme' })).toMatchObject({ name: 'Acme' });
    expect(toDraftingBrief(unbuiltInterview()).company).toEqual({ name: 'Northwind Talent' });
  });

  it.each([
    ['interview', null, true],
    ['assessment', null, true],
    ['interview', 'Given', false],
    ['coaching', null, false],
    ['persona', null, false],
    ['persona_interview', null, false],
    ['public_avatar', null, false],
  ])(
    'returns for type %s with long description %j whether it needs one: %s',
    (type, interview_description_long, needed) => {
      expect(
        toDraftingBrief(unbuiltInterview({ type, interview_description_long })).needs_description_long,
      ).toBe(needed);
    },
  );
});

describe('the draft of a role-play', () => {
  const rolePlay = (given: Partial<Persona> = {}) =>
    unbuiltInterview({ type: 'persona' }, { question_count: 2, persona: given });

  it('has a person, in whom what was given wins', () => {
    const brief = toDraftingBrief(rolePlay({ mood: 'stubborn' }));
    const content = composeDraft({ ...brief, given_persona: {} });
    const { draft } = readDraft(JSON.stringify(content), brief);
    const interview = { ...rolePlay({ mood: 'stubborn' }), draft: draft ?? null };
    expect(completePersona(interview)).toEqual({ ...content.persona, mood: 'stubborn' });
    const { persona, ...without } = content;
    for (const [wrong, problem] of [
      [without, 'persona: '],
      [{ ...content, persona: { ...persona, goal: ' ' } }, 'persona.goal: '],
      [{ ...content, persona: { ...persona, goal: 'x'.repeat(1_001) } }, 'persona.goal: '],
    ] as const)
      expect(readDraft(JSON.stringify(wrong), brief).problem).toMatch(new RegExp(`^${problem}`));
  });

  it('is asked for with a schema of its own, and other drafts have no person', () => {
    expect(draftJsonSchema(toDraftingBrief(rolePlay()))).toHaveProperty('properties.persona');
    expect(draftJsonSchema(toDraftingBrief(unbuiltInterview()))).not.toHaveProperty('properties.persona');
    expect(toDraftingBrief(unbuiltInterview())).not.toHaveProperty('given_persona');
    expect(completePersona(unbuiltInterview({}, { persona: null }))).toBeNull();
  });
});

describe('needsNoDraft', () => {
  const full = { description: 'D', interview_description_long: 'L' };
  const question = parsedQuestion('x', 'One?', { candidate_expectations_json: rubric });
  const input = buildInput({
    questions: [question],
    candidate_expectations_json: rubric,
    seniority_level: 'senior',
  });
  it.each<[string, Parameters<typeof unbuiltInterview>[0], Parameters<typeof buildInput>[0], boolean]>([
    ['nothing missing', {}, {}, true],
    ['no questions', {}, { questions: null }, false],
    ['a question without a rubric', {}, { questions: [parsedQuestion('x', 'One?')] }, false],
    [
      'a question without scoring and without a rubric',
      {},
      { questions: [parsedQuestion('x', 'One?', { is_without_scoring: true })] },
      true,
    ],
    [
      'a multiple choice without a rubric',
      {},
      {
        questions: [
          parsedQuestion('x', 'One?', { is_multiple_choice: true, question_alternatives: ['a', 'b'] }),
        ],
      },
      true,
    ],
    ['no rubric of the session', {}, { candidate_expectations_json: null }, false],
    ['no seniority', {}, { seniority_level: null }, false],
    ['no description', { description: null }, {}, false],
    ['no long description', { interview_description_long: null }, {}, false],
    ['no person whom the AI plays', { type: 'persona' }, { persona: { name: 'Grace' } }, false],
    ['no long description of a coaching', { type: 'coaching', interview_description_long: null }, {}, true],
  ])('returns for an interview with %s: %s', (_what, row, more, complete) => {
    expect(needsNoDraft(unbuiltInterview({ ...full, ...row }, { ...input, ...more }))).toBe(complete);
  });
});
