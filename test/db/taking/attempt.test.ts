import { findResultDetails } from '../../../db/results/result-details';
import { askNextTurn, setTranscript } from '../../../db/taking/attempt-work';
import type { NextTurn } from '../../../db/taking/attempt-work';
import { answerTurn, editAnswer, askFallbackTurn } from '../../../db/taking/attempts';
import { findLinkedInterview } from '../../../db/taking/linked-interview';
import { seenAnswer, typedAnswer } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { meetAtRow } from '../../harness/platform/row-lock';
import { uuid } from '../platform/world-rows';
import { createTakingWorld, openTurn } from './taking-world';
import type { Link, StepRow, TakingWorld } from './taking-world';

/* Tests an attempt from its beginning to its review (docs/taking.md#an-attempt). */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

const offline = { interview_template_id: platformTemplateIds.offline_avatar_3 };
const two = () =>
  world.open([{ question: 'One?' }, { question: 'Two?' }], {
    interview_template_id: platformTemplateIds.offline_avatar_3,
  });
const begun = async (link: Link) => {
  const { attempt } = await world.begin(link);
  if (!attempt) throw new Error('the attempt did not begin');
  return attempt;
};

describe('an attempt', () => {
  it('begins with the welcome, and goes on question by question to the thank-you', async () => {
    const link = await two();
    expect(await world.get(link)).toEqual({
      attempt: null,
      undecided_turn: null,
      undecided_ms: null,
      is_ended: false,
    });
    expect(await world.begin(link)).toMatchObject({
      outcome: 'begun',
      attempt: {
        attempt: 1,
        state: 'running',
        closed_reason: null,
        platform_language_code: 'en',
        steps: { done: 0, total: 3 },
        turn: {
          kind: 'welcome',
          text: 'Welcome',
          answer: { mode: 'none', required: false },
          number: 0,
          of: 2,
        },
        waiting_ms: null,
        transcript: null,
        result_view: 'minimal',
        result: null,
      },
    });
    const first = await world.answerOpen(link);
    expect(first).toMatchObject({
      outcome: 'stored',
      needs_decision: false,
      attempt: {
        steps: { done: 1, total: 3 },
        turn: {
          kind: 'question',
          text: 'One?',
          answer: { mode: 'voice', required: true, may_type: true, kept_as: null },
          number: 1,
          of: 2,
        },
      },
    });
    await world.answerOpen(link, 'First.');
    expect(await world.answerOpen(link, 'Second.')).toMatchObject({
      outcome: 'stored',
      attempt: {
        state: 'collected',
        steps: { done: 3, total: 3 },
        turn: { kind: 'thank_you', text: 'Thanks' },
        transcript: [
          { question: 'One?', answer: 'First.', answer_original: null, editable: true },
          { question: 'Two?', answer: 'Second.', answer_original: null, editable: true },
        ],
      },
    });
  });

  it('has speech if its template speaks', async () => {
    for (const [interview_template_id, has_speech] of [
      [platformTemplateIds.offline_avatar_2, false],
      [platformTemplateIds.interactive_voice, true],
    ] as const) {
      const link = await world.open([{ question: 'One?' }], { interview_template_id });
      expect(await begun(link)).toMatchObject({ turn: { has_speech } });
    }
  });

  it('has a deadline after the maximum duration times the factor of the candidate', async () => {
    const link = await two();
    await world.change('update enrolment set time_factor = 1.5 where id = $1', link.enrolmentId);
    const { result_id } = await begun(link);
    const row = await world.show(result_id);
    const ms = Date.parse(String(row['deadline_at'])) - Date.parse(String(row['started_at']));
    expect(ms).toBe(1_800_000);
    expect(row).toMatchObject({ consent_version: '1', consent_language: 'en', link_generation: 1 });
  });

  it('begins once when 50 calls come at the same time', async () => {
    const link = await two();
    const all = await Promise.all(Array.from({ length: 50 }, () => world.begin(link)));
    expect(new Set(all.map(({ attempt }) => attempt?.result_id)).size).toBe(1);
    expect(all.filter(({ outcome }) => outcome === 'begun')).toHaveLength(1);
    expect(all.filter(({ attempt }) => attempt?.turn?.kind === 'welcome')).toHaveLength(50);
  });

  it.each(['archived', 'completed', 'deleted', 'draft'])(
    'does not begin while its interview is %s',
    async (status) => {
      const link = await two();
      await world.change('update interview set status = $2 where id = $1', link.interviewId, status);
      expect(await world.begin(link)).toEqual({ outcome: 'closed', attempt: null });
    },
  );

  it('begins by a test link while its interview is a draft', async () => {
    const link = await two();
    await world.change(`update interview set status = 'draft' where id = $1`, link.interviewId);
    expect(await world.begin({ ...link, isTest: true })).toMatchObject({ outcome: 'begun' });
  });

  it('goes on after its interview was archived and its questions were changed', async () => {
    const link = await two();
    await begun(link);
    await world.change(`update interview set status = 'archived' where id = $1`, link.interviewId);
    await world.change('delete from interview_question where interview_id = $1', link.interviewId);
    expect(await world.takeAll(link)).toEqual(['Welcome', 'One?', 'Two?', 'Thanks']);
  });

  it('is read by nobody with a link of a later generation or to another interview', async () => {
    const link = await two();
    const other = await two();
    for (const wrong of [
      { ...link, generation: 2 },
      { ...link, enrolmentId: uuid() },
      { ...link, interviewId: other.interviewId },
    ])
      await expect(world.get(wrong)).rejects.toMatchObject({ code: 'PA401' });
  });
});

describe('an answer', () => {
  const atQuestion = async () => {
    const link = await two();
    await begun(link);
    const { attempt } = await world.answerOpen(link);
    return { link, turn: openTurn(attempt), result_id: attempt?.result_id ?? '' };
  };

  it('is stored once, the same again is the same, and another one is a conflict', async () => {
    const { link, turn } = await atQuestion();
    expect(await world.answer(link, turn.turn_id, typedAnswer('A.'))).toMatchObject({ outcome: 'stored' });
    for (const [given, outcome] of [
      [typedAnswer('A.'), 'same'],
      [typedAnswer('B.'), 'conflict'],
      [seenAnswer, 'conflict'],
    ] as const)
      expect(await world.answer(link, turn.turn_id, given)).toMatchObject({
        outcome,
        needs_decision: false,
        attempt: { turn: { text: 'Two?' } },
      });
  });

  it('of two tabs at the same time is stored once, and one question follows', async () => {
    const { link, turn, result_id } = await atQuestion();
    const tab = (text: string) => () => world.write(link, answerTurn(turn.turn_id, typedAnswer(text)));
    const both = await meetAtRow(world.database, 'interview_result', { key: 'id', id: result_id }, [
      tab('A.'),
      tab('B.'),
    ]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['conflict', 'stored']);
    const { interactions } = await world.show(result_id);
    expect(interactions).toHaveLength(3);
  });

  it('to a turn of another candidate is one to an unknown turn', async () => {
    const { turn } = await atQuestion();
    const { link } = await atQuestion();
    for (const id of [turn.turn_id, uuid()])
      expect(await world.answer(link, id, typedAnswer('A.'))).toMatchObject({ outcome: 'unknown_turn' });
  });

  it('must suit the turn', async () => {
    const { link, turn } = await atQuestion();
    for (const given of [seenAnswer, { ...typedAnswer('A.'), kind: 'choice' as const }])
      expect(await world.answer(link, turn.turn_id, given)).toMatchObject({ outcome: 'invalid' });
  });

  it('is accepted until 30 seconds after the deadline', async () => {
    for (const [seconds, outcome, state] of [
      [20, 'stored', 'running'],
      [31, 'late', 'closed'],
    ] as const) {
      const { link, turn, result_id } = await atQuestion();
      await world.change(
        `update interview_result set deadline_at = now() - make_interval(secs => $2) where id = $1`,
        result_id,
        seconds,
      );
      expect(await world.answer(link, turn.turn_id, typedAnswer('A.'))).toMatchObject({
        outcome,
        attempt: { state },
      });
    }
  });

  it('is rejected after the link was revoked', async () => {
    const { link, turn } = await atQuestion();
    await world.change('update enrolment set link_generation = 2 where id = $1', link.enrolmentId);
    expect(await world.answer(link, turn.turn_id, typedAnswer('A.'))).toMatchObject({
      outcome: 'not_running',
      attempt: null,
    });
    expect(await world.get(link)).toEqual({
      attempt: null,
      undecided_turn: null,
      undecided_ms: null,
      is_ended: true,
    });
    const renewed = { ...link, generation: 2 };
    expect(await world.answer(renewed, turn.turn_id, typedAnswer('A.'))).toMatchObject({ outcome: 'stored' });
  });
});

describe('what follows an answer', () => {
  it('waits for a decision when a follow-up or a conditional question is possible', async () => {
    const followUps = await world.open([{ question: 'One?' }], { max_followups: 1 });
    const conditional = await world.open([
      { question: 'One?' },
      { question: 'If?', conditional_question_main: 'One?' },
    ]);
    for (const link of [followUps, conditional]) {
      await begun(link);
      await world.answerOpen(link);
      const stored = await world.answerOpen(link, 'A.');
      expect(stored).toMatchObject({
        needs_decision: true,
        attempt: { state: 'running', turn: null, waiting_ms: 1_000 },
      });
      const { undecided_turn } = await world.get(link);
      expect(await world.answer(link, undecided_turn ?? '', typedAnswer('A.'))).toMatchObject({
        outcome: 'same',
        needs_decision: true,
      });
    }
  });
});

type PlannedStep = {
  text: string;
  kind: string;
  mode: string;
  view: string;
  parent_place: number | null;
  max_followups: number;
};
/** Creates a candidate who begins an interview with these questions. Returns the plan of the attempt. */
async function planOf(questions: StepRow[], changes: Record<string, unknown> = {}): Promise<PlannedStep[]> {
  const link = await world.open(questions, changes);
  const { attempt } = await world.begin(link);
  return world.database.rows<PlannedStep>(
    `select text, kind, mode, view, parent_place, max_followups from attempt_step where result_id = $1 order by place`,
    [attempt?.result_id],
  );
}
const named = (count: number): StepRow[] =>
  Array.from({ length: count }, (_, index) => ({ question: `Q${index + 1}` }));
const textsOf = (plan: PlannedStep[]) => plan.slice(1, -1).map(({ text }) => text);

describe('a plan', () => {
  it('has the welcome first, then videos, the questions in their order, and the thank-you last', async () => {
    const plan = await planOf(
      [
        { question: 'One' },
        { question: 'Two', is_multiple_choice: true, question_alternatives: ['a', 'b'] },
        { question: 'Watch', view: 'instructional_video' },
        { question: 'Three', is_expert: true },
        { question: 'Four', is_without_scoring: true },
        { question: 'Ask', is_candidate_asking_recruiter: true, is_without_scoring: true },
      ],
      { ...offline, candidate_video_introduction: 'optional' },
    );
    expect(plan.map(({ text, kind, mode, view }) => [text, kind, mode, view])).toEqual([
      ['Welcome', 'welcome', 'none', 'welcome'],
      ['Watch', 'instructional_video', 'none', 'instructional video'],
      ['', 'introduction', 'video', 'without scoring'],
      ['One', 'question', 'voice', 'with listening'],
      ['Two', 'question', 'choice', 'multiple choice'],
      ['Three', 'question', 'voice', 'with listening expert'],
      ['Four', 'question', 'voice', 'without scoring'],
      ['Ask', 'candidate_asks', 'voice', 'candidate asking recruiter'],
      ['Thanks', 'thank_you', 'none', 'thank you'],
    ]);
  });

  it.each([
    [0.01, 10, 1],
    [0.14, 10, 1],
    [0.15, 10, 2],
    [0.25, 10, 3],
    [null, 7, 7],
  ])('keeps the fraction %s of %d questions: %d, half up and in order', async (fraction, count, kept) => {
    const texts = textsOf(await planOf(named(count), { questions_random_subset: fraction }));
    expect(texts).toHaveLength(kept);
    expect(texts.toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1)))).toEqual(texts);
  });

  it('always keeps unscored questions and those of the candidate, and conditional ones with their parent', async () => {
    const questions: StepRow[] = [
    { question: 'Rapport', is_without_scoring: true },
    ...named(6).flatMap(({ question }) => [{ question }, { question: `${question} if`, conditional_question_main: question }]),
    { question: 'Ask', is_candidate_asking_recruiter: true },
  ]; // prettier-ignore
    const plan = await planOf(questions, { questions_random_subset: 0.5 });
    const texts = textsOf(plan);
    expect(texts).toHaveLength(2 + 3 * 2);
    expect([texts[0], texts.at(-1)]).toEqual(['Rapport', 'Ask']);
    for (const [place, text] of texts.entries())
      if (text.endsWith(' if')) expect(texts[place - 1]).toBe(text.replace(' if', ''));
    const conditional = plan.filter(({ kind }) => kind === 'conditional');
    expect(conditional.map(({ parent_place }) => plan[(parent_place ?? 0) - 1]?.text)).toEqual(
      conditional.map(({ text }) => text.replace(' if', '')),
    );
  });

  it('draws other questions in another attempt, but the same ones whenever it looks', async () => {
    const link = await world.open(named(40), { questions_random_subset: 0.5 });
    const draw = async () => {
      const { attempt } = await world.begin({ ...link, isTest: true });
      const rows = await world.database.rows<{ text: string }>(
        'select text from attempt_step where result_id = $1 and attempt = $2 order by place',
        [attempt?.result_id, attempt?.attempt],
      );
      await world.change(
        `update interview_result set interview_status = 'failed' where id = $1`,
        attempt?.result_id,
      );
      return rows.map(({ text }) => text).join();
    };
    expect(new Set([await draw(), await draw(), await draw()]).size).toBe(3);
  });

  it('moves a conditional question to its parent and nests those of a conditional one', async () => {
    expect(
      textsOf(
        await planOf([
          { question: 'A' },
          { question: 'B' },
          { question: 'A1', conditional_question_main: 'A' },
          { question: 'A11', conditional_question_main: 'A1' },
          { question: 'A2', conditional_question_main: 'A' },
        ]),
      ),
    ).toEqual(['A', 'A1', 'A11', 'A2', 'B']);
  });

  it('asks and counts a conditional question without its parent like any other', async () => {
    const link = await world.open([{ question: 'A', is_conditional: true }, { question: 'B' }]);
    const [page] = await world.api.query(link, findLinkedInterview);
    expect(page?.question_count).toBe(2);
    await world.begin(link);
    expect((await world.answerOpen(link)).attempt?.turn).toMatchObject({
      text: 'A',
      kind: 'question',
      of: 2,
    });
  });

  it('asks one of the wordings of a question, the same one whenever it is read, and keeps options as they are', async () => {
    const wordings = ['Which database?', 'What stores your data?', 'Where does your data live?'];
    const question = { question: 'Which database?', question_alternatives: wordings.slice(1) };
    const options = ['Postgres', 'Another'];
    const choice = { question: 'Which one?', is_multiple_choice: true, question_alternatives: options };
    const link = await world.open([...Array.from({ length: 20 }, () => ({ ...question })), choice], offline);
    await world.begin(link);
    for (let answered = 0; answered < 21; answered += 1) await world.answerOpen(link);
    const turns = await world.database.rows<Record<string, string>>(
      `select q.question_original as original, q.question_asked as asked, s.text as planned, q.choices
       from result_question q join interview_result r on r.id = q.result_id
       join attempt_step s on s.result_id = q.result_id and s.attempt = q.attempt and s.place = q.place
       where r.enrolment_id = $1 and q.kind = 'question' order by q.step_order`,
      [link.enrolmentId],
    );
    expect(turns.at(-1)).toMatchObject({ original: 'Which one?', asked: 'Which one?', choices: options });
    for (const turn of turns.slice(0, -1))
      expect(turn).toMatchObject({ original: wordings[0], planned: turn['asked'], choices: null });
    const drawn = new Set(turns.slice(0, -1).map((turn) => turn['asked']));
    expect([...drawn].every((text) => wordings.includes(text ?? ''))).toBe(true);
    expect(drawn.size).toBeGreaterThan(1);
  });

  it('has all of 100 questions, and the start page counts those that are asked', async () => {
    const questions: StepRow[] = [
      ...named(98),
      { question: 'If', conditional_question_main: 'Q1' },
      { question: 'Ask', is_candidate_asking_recruiter: true },
    ];
    for (const [changes, asked] of [
      [{}, 100],
      [{ questions_random_subset: 0.5 }, 51],
    ] as const) {
      const link = await world.open(questions, changes);
      const [page] = await world.api.query(link, findLinkedInterview);
      await world.begin(link);
      const plan = await world.database.rows<{ text: string; kind: string }>(
        `select text, kind from attempt_step s join interview_result r on r.id = s.result_id
         where r.enrolment_id = $1 order by place`,
        [link.enrolmentId],
      );
      const kinds = plan
        .map(({ kind }) => kind)
        .filter((kind) => kind === 'question' || kind === 'candidate_asks');
      expect(plan.at(-2)).toEqual({ text: 'Ask', kind: 'candidate_asks' });
      expect(kinds).toHaveLength(page?.question_count ?? 0);
      if (asked === 100) expect(plan).toHaveLength(102);
    }
  });

  it.each([
    [platformTemplateIds.interactive_voice, null, 1],
    [platformTemplateIds.offline_avatar_3, null, 0],
    [platformTemplateIds.offline_avatar_3, 2, 2],
    [platformTemplateIds.interactive_voice, 7, 7],
    [platformTemplateIds.interactive_voice, 999, 10],
    [platformTemplateIds.interactive_voice, 0, 0],
  ])(
    'allows the follow-ups of the template %s with max_followups %s: %d',
    async (interview_template_id, max, allowed) => {
      const plan = await planOf(
        [
          { question: 'A' },
          { question: 'B', is_without_scoring: true },
          { question: 'C', is_multiple_choice: true, question_alternatives: ['a'] },
        ],
        { interview_template_id, max_followups: max },
      );
      expect(plan.slice(1, -1).map(({ max_followups }) => max_followups)).toEqual([allowed, 0, 0]);
    },
  );

  it('lets a candidate skip an optional introduction only', async () => {
    for (const [candidate_video_introduction, required] of [
      ['optional', false],
      ['required', true],
    ] as const) {
      const link = await world.open(named(1), { candidate_video_introduction });
      await world.begin(link);
      await world.answerOpen(link);
      const turn = openTurn((await world.get(link)).attempt);
      expect(turn).toMatchObject({
        kind: 'introduction',
        answer: { mode: 'video', required, max_seconds: 60 },
      });
    }
  });
});

describe('an edit', () => {
  const edit = (link: Link, turnId: string, text: string) => world.write(link, editAnswer(turnId, text));
  const firstAnswer = async (link: Link) => (await world.get(link)).attempt?.transcript?.[0]?.turn_id ?? '';

  it('keeps the first text, until the submit', async () => {
    const { link } = await world.taking(2);
    const turn = await firstAnswer(link);
    for (const text of ['Edited.', 'Edited again.'])
      expect(await edit(link, turn, text)).toMatchObject({
        outcome: 'stored',
        attempt: {
          transcript: [
            { answer: text, answer_original: 'Answer 1.', editable: true },
            { answer: 'Answer 2.' },
          ],
        },
      });
    // A repeated call with the first text is still recognized as the same answer, although the text was edited.
    expect(await world.answer(link, turn, typedAnswer('Answer 1.'))).toMatchObject({ outcome: 'same' });
    await world.submit(link);
    expect(await edit(link, turn, 'Late.')).toMatchObject({ outcome: 'not_editable' });
  });

  it('is rejected if the interview allows none, after the review and of unknown turns', async () => {
    const { link: fixed } = await world.taking(2, { result_enable_edit_transcript: false });
    expect(await edit(fixed, await firstAnswer(fixed), 'Edited.')).toMatchObject({
      outcome: 'not_editable',
    });
    const { link, result_id } = await world.taking(2);
    const turn = await firstAnswer(link);
    expect(await edit(fixed, turn, 'Mine.')).toMatchObject({ outcome: 'unknown_turn' });
    await world.shift(result_id, 31);
    expect(await edit(link, turn, 'Edited.')).toMatchObject({
      outcome: 'not_editable',
      attempt: { state: 'collected', transcript: [{ editable: false }, { editable: false }] },
    });
    expect(await world.submit(link)).toMatchObject({ outcome: 'submitted' });
  });
});

const conditional: StepRow[] = [
  { question: 'A' },
  { question: 'A1', conditional_question_main: 'A' },
  { question: 'A11', conditional_question_main: 'A1' },
  { question: 'B' },
];

/** Creates a candidate who has answered the first question. The decision about this answer is still missing. */
async function undecided(questions: StepRow[], changes: Record<string, unknown> = {}) {
  const link = await world.open(questions, { ...offline, ...changes });
  const { attempt } = await world.begin(link);
  await world.answerOpen(link);
  await world.answerOpen(link);
  return { link, result_id: attempt?.result_id ?? '' };
}
const lastTurn = async (link: Link) => (await world.get(link)).undecided_turn ?? '';
const ask = async (link: Link, result_id: string, next: NextTurn, after?: string) => {
  const turn = after ?? (await lastTurn(link));
  return world.writeAsWorker((trx) => trx.one(askNextTurn(result_id, 1, turn, next)));
};
const open = async (link: Link) => openTurn((await world.get(link)).attempt);

describe('a decision', () => {
  it('asks up to ten follow-ups, with the number and the mode of their question', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], {
      max_followups: 999,
    });
    for (let left = 9; left >= 0; left -= 1) {
      const text = `Why ${left}?`;
      expect(await ask(link, result_id, { kind: 'follow_up', text })).toMatchObject({ outcome: 'asked' });
      expect(await open(link)).toMatchObject({
        kind: 'follow_up',
        text,
        number: 1,
        of: 2,
        answer: { mode: 'voice' },
      });
      expect(await world.answerOpen(link)).toMatchObject({ needs_decision: left > 0 });
    }
    expect(await open(link)).toMatchObject({ kind: 'question', text: 'B' });
  });

  it.each([
    [245, 'follow_up'],
    [246, 'question'],
  ])('after %d more turns, when four are asked or planned, asks a %s', async (count, kind) => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], {
      max_followups: 1,
    });
    await world.change(
      `insert into result_question select copy.* from result_question q, generate_series(1, $2) n,
         jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid(), 'step_order', -n,
           'after_turn', gen_random_uuid())) copy
       where q.result_id = $1 and q.kind = 'welcome'`,
      result_id,
      count,
    );
    await ask(link, result_id, { kind: 'follow_up', text: 'Why?' });
    expect(await open(link)).toMatchObject({ kind });
  });

  it('is made once: a late one and the fallback ask nothing more', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], {
      max_followups: 2,
    });
    const after = await lastTurn(link);
    const [late, first] = await Promise.all([
      ask(link, result_id, { kind: 'follow_up', text: 'Why?' }, after),
      world.write(link, askFallbackTurn(after)),
    ]);
    expect([
      ['asked', 'same'],
      ['exists', 'stored'],
    ]).toContainEqual([late.outcome, first.outcome]);
    expect(await world.write(link, askFallbackTurn(after))).toMatchObject({ outcome: 'same' });
    const { interactions } = await world.show(result_id);
    expect(interactions).toHaveLength(3);
  });

  it('asks the conditional question, also instead of a follow-up that the plan does not allow, or skips it with those that depend on it', async () => {
    const instead = await undecided(conditional);
    await ask(instead.link, instead.result_id, { kind: 'follow_up', text: 'Why?' });
    expect(await open(instead.link)).toMatchObject({ kind: 'conditional', text: 'A1' });
    const asked = await undecided(conditional);
    await ask(asked.link, asked.result_id, 'conditional');
    expect(await open(asked.link)).toMatchObject({ kind: 'conditional', text: 'A1', number: 1 });
    const skipped = await undecided(conditional);
    await ask(skipped.link, skipped.result_id, 'next_planned');
    expect(await open(skipped.link)).toMatchObject({ kind: 'question', text: 'B', number: 2, of: 2 });
  });

  it('replies to three questions of the candidate', async () => {
    const { link, result_id } = await undecided([{ question: 'Ask', is_candidate_asking_recruiter: true }]);
    for (const [reply, mode] of [
      ['One.', 'voice'],
      ['Two.', 'voice'],
      ['Three.', 'none'],
    ]) {
      await ask(link, result_id, { kind: 'candidate_asks', text: reply ?? '' });
      expect(await open(link)).toMatchObject({
        kind: 'candidate_asks',
        text: reply,
        answer: { mode, required: false },
      });
      await world.answerOpen(link);
    }
    expect((await world.get(link)).attempt).toMatchObject({ state: 'collected' });
  });

  it('tells candidates and recruiters alike which questions the AI wrote', async () => {
    const { link, result_id } = await undecided(
      [
        { question: 'A', question_alternatives: ['A2'] },
        { question: 'Ask', is_candidate_asking_recruiter: true },
      ],
      { max_followups: 1 },
    );
    await ask(link, result_id, { kind: 'follow_up', text: 'Why?' });
    await world.answerOpen(link);
    await world.answerOpen(link);
    await ask(link, result_id, { kind: 'candidate_asks', text: 'Yes.' });
    await world.answerOpen(link);
    await ask(link, result_id, 'next_planned');
    await world.answerOpen(link);
    const written = [false, true, false, true];
    const { attempt } = await world.get(link);
    expect(attempt?.transcript?.map(({ ai_generated: isWritten }) => isWritten)).toEqual(written);
    const details = await world.api.query(world.cell.user, findResultDetails(result_id, undefined));
    const [{ transcript = [] } = {}] = details as {
      transcript?: { is_answer: boolean; ai_generated: boolean }[];
    }[];
    const shown = transcript.filter((turn) => turn.is_answer);
    expect(shown.map(({ ai_generated: isWritten }) => isWritten)).toEqual(written);
  });

  it('ends the attempt when nothing is left to ask', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }], { max_followups: 1 });
    expect(await ask(link, result_id, 'next_planned')).toMatchObject({ outcome: 'asked' });
    expect((await world.get(link)).attempt).toMatchObject({
      state: 'collected',
      turn: { kind: 'thank_you' },
    });
  });

  it('asks nothing in another attempt or after the end', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], {
      max_followups: 1,
    });
    const after = await lastTurn(link);
    const other = (await undecided([{ question: 'A' }], { max_followups: 1 })).result_id;
    for (const [id, attempt] of [
      [result_id, 2],
      [other, 1],
    ] as const)
      expect(
        await world.writeAsWorker((trx) => trx.one(askNextTurn(id, attempt, after, 'next_planned'))),
      ).toEqual({ outcome: 'not_running', turn_id: null });
    await world.change(`update interview_result set interview_status = 'failed' where id = $1`, result_id);
    expect(await ask(link, result_id, 'next_planned', after)).toMatchObject({ outcome: 'not_running' });
  });
});

describe('without a decision', () => {
  it('a conditional question is asked and a follow-up is not', async () => {
    const { link } = await undecided(conditional);
    expect(await world.write(link, askFallbackTurn(await lastTurn(link)))).toMatchObject({
      outcome: 'stored',
      attempt: { turn: { text: 'A1' } },
    });
    const other = await undecided([{ question: 'A' }, { question: 'B' }], { max_followups: 1 });
    expect(await world.write(other.link, askFallbackTurn(await lastTurn(other.link)))).toMatchObject({
      outcome: 'stored',
      attempt: { turn: { text: 'B' } },
    });
    expect(await world.write(other.link, askFallbackTurn(uuid()))).toMatchObject({ outcome: 'unknown_turn' });
  });

  it('no follow-up is possible in the last minute', async () => {
    const link = await world.open([{ question: 'A' }, { question: 'B' }], { ...offline, max_followups: 1 });
    const { attempt } = await world.begin(link);
    await world.answerOpen(link);
    await world.change(
      `update interview_result set deadline_at = now() + interval '50 seconds' where id = $1`,
      attempt?.result_id,
    );
    expect(await world.answerOpen(link)).toMatchObject({
      needs_decision: false,
      attempt: { turn: { text: 'B' } },
    });
  });
});

describe('a transcript', () => {
  const recorded = async () => {
    const { link, result_id } = await undecided([{ question: 'A' }], { max_followups: 1 });
    const turn = await lastTurn(link);
    await world.change(
      `update result_question set answer = null, answer_kind = 'recording', transcript_status = 'pending' where id = $1`,
      turn,
    );
    return { link, result_id, turn };
  };
  const transcribe = (turn: string, text: string | null, status: 'done' | 'failed') =>
    world.writeAsWorker((trx) => trx.one(setTranscript(turn, text, status)));

  it('is stored once, also after a failure', async () => {
    const { link, turn } = await recorded();
    expect(await transcribe(turn, null, 'failed')).toEqual({ stored: true });
    expect(await transcribe(turn, 'Spoken.', 'done')).toEqual({ stored: true });
    expect(await transcribe(turn, 'Other.', 'done')).toEqual({ stored: false });
    const { attempt } = await world.write(link, askFallbackTurn(turn));
    expect(attempt).toMatchObject({ state: 'collected', transcript: [{ answer: 'Spoken.' }] });
  });

  it('without a word ends an attempt that has no other answer', async () => {
    const { link, turn } = await recorded();
    await transcribe(turn, '', 'done');
    expect(await world.write(link, askFallbackTurn(turn))).toMatchObject({
      attempt: { state: 'closed', closed_reason: 'terminated, no speech detected', turn: null },
    });
  });
});

describe('an attempt at a step of a position', () => {
  const makePosition = (status: string, steps: string[]) =>
    world.change(
      `with made as (
           insert into position (merchant_id, environment, name, status, visibility, interview_location)
           values ($1, $2, 'Any', $3, 'merchant_invite', 'Any') returning *
         ), placed as (
           insert into position_step (merchant_id, environment, position_id, interview_id, step_order)
           select merchant_id, environment, made.id, step, place from made, unnest($4::uuid[]) with ordinality as s (step, place)
         )
         select id from made`,
      world.cell.merchantId,
      world.cell.environment,
      status,
      steps,
    );
  it.each([
    ['active', 'archived', 'archived'],
    ['active', 'draft', 'draft'],
    ['archived', 'draft', 'archived'],
    ['draft', 'active', 'draft'],
    ['active', 'active', 'active'],
    ['active', 'deleted', 'active'],
  ])(
    'of a step that is %s by itself, in a position that is %s, begins as if it were %s',
    async (own, position, shown) => {
      const link = await two();
      await world.change('update interview set status = $2 where id = $1', link.interviewId, own);
      await makePosition(position, [link.interviewId]);
      expect((await world.api.query(link, findLinkedInterview))[0]?.status).toBe(shown);
      expect((await world.begin(link)).outcome).toBe(shown === 'active' ? 'begun' : 'closed');
    },
  );

  it.each([
    ['is archived', 'active', `update interview set status = 'archived' where id = $1`],
    ['was deleted', 'deleted', `update interview set status = 'deleted' where id = $1`],
    [
      'is not where the candidate is',
      'archived',
      `update enrolment set interview_id = (select o.id from interview i join interview o using (merchant_id, environment) where i.id = $1 and o.id <> $1 limit 1) where interview_id = $1`,
    ],
  ])(
    'of a candidate of an active position, whose step %s, begins as if it were %s',
    async (_, shown, change) => {
      const link = await two();
      const [position] = await makePosition('active', [link.interviewId]);
      await world.change(
        'update enrolment set position_id = $2 where id = $1',
        link.enrolmentId,
        position?.['id'],
      );
      await world.begin({ ...link, isTest: true });
      await world.change(change, link.interviewId);
      expect((await world.api.query(link, findLinkedInterview))[0]?.status).toBe(shown);
      expect((await world.begin(link)).outcome).toBe(shown === 'active' ? 'begun' : 'closed');
    },
  );
});
