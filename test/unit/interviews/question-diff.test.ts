import { isDeepStrictEqual } from 'node:util';
import { questionUpdate } from '../../../api/interviews/question';
import { diffQuestions } from '../../../api/interviews/question-diff';
import type { InterviewStep } from '../../../db/interviews/steps';

let made = 0;
const uuid = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
const step = (question: string, more: Partial<InterviewStep> = {}): InterviewStep => ({
  id: uuid(),
  view: 'question',
  question,
  duration: 60,
  platform_language_code: 'en',
  label: 'label',
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
  ...more,
});
const surround = (questions: InterviewStep[]) => [
  step('Hello', { view: 'welcome' }),
  step('Film', { view: 'instructional_video' }),
  ...questions,
  step('Bye', { view: 'thank_you' }),
];
type Sent = Record<string, unknown> & { question: string };
const diff = (existing: InterviewStep[], sent: Sent[], records: InterviewStep[] = []) =>
  diffQuestions(
    existing,
    sent.map((question) => questionUpdate.parse(question)),
    new Map(records.map((record) => [record.id, record])),
    'en',
  );

/** Creates a random generator from a seed, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed * 2_654_435_761;
  return (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return (state >>> 8) % below;
  };
}

/**
 * Returns up to 6 questions as a caller may send them: unchanged, edited, moved and new questions, which refer to
 * each other by ids and external_ids.
 */
function edit(existing: InterviewStep[], seed: number): Sent[] {
  const pick = random(seed);
  const sent: Sent[] = [];
  for (const record of existing) {
    const { id, view: _view, external_id, ...content } = record;
    const parentless = { ...content, is_conditional: false, conditional_question_main_id: null };
    const named = [{ id }, { external_id: external_id ?? undefined }, { id, external_id }, {}][pick(4)];
    const kind = pick(5);
    if (kind === 0) continue;
    if (kind === 1) sent.push({ ...named, question: `${record.question} edited` });
    else if (kind === 2) sent.push({ ...named, question: record.question });
    else sent.push({ ...parentless, ...named });
    if (pick(4) === 0) sent.push({ question: `New ${pick(3)}?` });
    if (pick(3) === 0) sent.reverse();
  }
  return sent.length > 0 ? sent : [{ question: 'Only?' }];
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed);
const existingFor = (seed: number) => {
  const pick = random(seed + 1_000);
  return Array.from({ length: 1 + pick(5) }, (_, index) =>
    step(`Question ${pick(3)}?`, {
      external_id: pick(2) ? `ext-${index}` : null,
      duration: pick(2) ? 60 : 90,
    }),
  );
};

describe('diffQuestions', () => {
  it.each(seeds)('keeps its invariants for a random edit: seed %d', (seed) => {
    const questions = existingFor(seed);
    const existing = surround(questions);
    const frozen = structuredClone(existing);
    const sent = edit(questions, seed);
    const { steps, records, isChanged, report } = diff(existing, sent);
    const before = questions.map(({ id }) => id);
    const after = steps.filter(({ view }) => view === 'question');

    // The result has all questions that were sent, in their order, between the steps that stay.
    expect(after.map(({ question }) => question)).toEqual(sent.map(({ question }) => question));
    expect(steps.filter(({ view }) => view !== 'question')).toEqual(
      existing.filter(({ view }) => view !== 'question'),
    );
    expect(steps.slice(2, -1)).toEqual(after);
    expect(report.question_ids).toEqual(steps.map(({ id }) => id));
    expect(new Set(report.question_ids).size).toBe(steps.length);
    // Every old question is kept, replaced or removed. Every new question is kept, replaces another question or is
    // added.
    const from = report.replaced.map((pair) => pair.from);
    const to = report.replaced.map((pair) => pair.to);
    expect([...report.kept, ...from, ...report.removed].sort()).toEqual([...before].sort());
    expect([...report.kept, ...to, ...report.added].sort()).toEqual(after.map(({ id }) => id).sort());
    // Records are inserted for exactly those questions that did not exist before. Existing records never change.
    expect(records.map(({ id }) => id).sort()).toEqual([...to, ...report.added].sort());
    expect(existing).toEqual(frozen);
    for (const id of report.kept)
      expect(after.find((entry) => entry.id === id)).toEqual(questions.find((entry) => entry.id === id));
    // A stored question has the values that were sent, and its old values in fields that were not sent.
    sent.forEach((entry, index) => expect(after[index]).toMatchObject(withoutId(entry)));
    for (const pair of report.replaced) {
      const old = questions.find(({ id }) => id === pair.from);
      const index = after.findIndex(({ id }) => id === pair.to);
      const { id: _id, ...carried } = { ...old, ...withoutId(sent[index] ?? {}) };
      expect(after[index]).toMatchObject(carried);
    }
    expect(isChanged).toBe(
      !isDeepStrictEqual(
        report.question_ids,
        existing.map(({ id }) => id),
      ),
    );
    // If the resulting questions are sent again, nothing changes.
    const again = diff(
      steps,
      after.map(({ view: _view, ...question }) => question),
    );
    expect([again.isChanged, again.records, again.report.kept]).toEqual([
      false,
      [],
      after.map(({ id }) => id),
    ]);
  });
});

const withoutId = (sent: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(sent).filter(([key, value]) => key !== 'id' && value !== undefined));

describe('diffQuestions, matching questions', () => {
  const [a, b] = [step('Same?', { external_id: 'a' }), step('Same?', { external_id: 'b' })];
  it.each<[string, Sent[], string[], number]>([
    ['external_id wins over id', [{ question: 'Same?', external_id: 'b', id: a.id }], [b.id], 0],
    ['id wins over equal content', [{ question: 'Same?' }, { question: 'Same?', id: a.id }], [b.id, a.id], 0],
    [
      'equal content matches the first question that is not matched yet',
      [{ question: 'Same?' }, { question: 'Same?' }],
      [a.id, b.id],
      0,
    ],
    ['an unknown external_id is another question', [{ question: 'Same?', external_id: 'c' }], [], 1],
    ['content with a different field is not equal', [{ question: 'Same?', duration: 61 }], [], 1],
    ['null differs from a value', [{ question: 'Same?', label: null }], [], 1],
  ])('follows the rule: %s', (_rule, sent, kept, added) => {
    const { report } = diff(surround([a, b]), sent);
    expect([report.kept, report.added.length]).toEqual([kept, added]);
  });

  it('adds an existing record of the account with the same content, without a new record', () => {
    const other = step('Other?');
    const { report, records } = diff(surround([a]), [{ question: 'Other?', id: other.id }], [other]);
    expect([report.added, report.removed, records]).toEqual([[other.id], [a.id], []]);
  });

  it('puts new questions between welcome and thank-you', () => {
    const { steps } = diff(surround([a]), [{ question: 'New?' }]);
    expect(steps.map(({ view }) => view)).toEqual([
      'welcome',
      'instructional_video',
      'question',
      'thank_you',
    ]);
    expect(steps[2]).toMatchObject({ duration: 120, label: null, platform_language_code: 'en' });
  });
});

describe('diffQuestions, conditional questions', () => {
  const parent = step('Parent?', { external_id: 'p' });
  const child = step('Child?', { is_conditional: true, conditional_question_main_id: parent.id });
  const existing = surround([parent, child]);
  const refusal = { status: 422, field: 'questions[0].conditional_question_main_id' };

  it('replaces a child when its parent is replaced, through all generations', () => {
    const grandchild = step('Grandchild?', { is_conditional: true, conditional_question_main_id: child.id });
    const { steps, report } = diff(surround([parent, child, grandchild]), [
      { question: 'Parent now?', external_id: 'p' },
      { question: 'Child?' },
      { question: 'Grandchild?' },
    ]);
    const [newParent, newChild, newGrandchild] = steps.slice(2);
    expect(report.replaced.map(({ from }) => from)).toEqual([parent.id, child.id, grandchild.id]);
    expect(newChild?.conditional_question_main_id).toBe(newParent?.id);
    expect(newGrandchild?.conditional_question_main_id).toBe(newChild?.id);
  });

  it('rejects a parent that is removed or comes later', () => {
    expect(() => diff(existing, [{ question: 'Child?' }])).toThrow(expect.objectContaining(refusal));
    expect(() => diff(existing, [{ question: 'Child?' }, { question: 'Parent?' }])).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it('allows the removal of a parent whose child becomes unconditional', () => {
    const sent = { question: 'Child?', is_conditional: false, conditional_question_main_id: null };
    const { steps, report } = diff(existing, [{ ...sent, id: child.id }]);
    expect([report.removed, steps[2]?.conditional_question_main_id]).toEqual([[parent.id], null]);
  });

  it('rejects a conditional question without a parent', () => {
    expect(() => diff(existing, [{ question: 'Parent?', is_conditional: true }])).toThrow(
      expect.objectContaining(refusal),
    );
  });

  it.each(['p', parent.id, parent.id.toUpperCase()])('finds the parent by %s', (name) => {
    const { steps } = diff(existing, [
      { question: 'Parent?', external_id: 'p', id: parent.id },
      { question: 'New?', is_conditional: true, conditional_question_main_id: name },
    ]);
    expect(steps[3]?.conditional_question_main_id).toBe(parent.id);
  });
});
