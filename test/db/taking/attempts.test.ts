import { answerTurn } from '../../../db/taking/attempts';
import { seen, typed } from '../../../local/demo/candidate';
import { templateIds } from '../../../local/seed/templates';
import { meetAtRow } from '../../harness/platform/row-lock';
import { uuid } from '../platform/world-rows';
import { createTakingWorld, openTurn } from './taking-world';
import type { Link, TakingWorld } from './taking-world';

/* Tests beginning an attempt and answering its turns (docs/taking.md#an-attempt). */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

const two = () =>
  world.open([{ question: 'One?' }, { question: 'Two?' }], {
    interview_template_id: templateIds.offline_avatar_3,
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
        turn: { kind: 'question', text: 'One?', answer: { mode: 'text', required: true }, number: 1, of: 2 },
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
      [templateIds.offline_avatar_3, false],
      [templateIds.interactive_voice, true],
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
    expect(await world.answer(link, turn.turn_id, typed('A.'))).toMatchObject({ outcome: 'stored' });
    for (const [given, outcome] of [
      [typed('A.'), 'same'],
      [typed('B.'), 'conflict'],
      [seen, 'conflict'],
    ] as const)
      expect(await world.answer(link, turn.turn_id, given)).toMatchObject({
        outcome,
        needs_decision: false,
        attempt: { turn: { text: 'Two?' } },
      });
  });

  it('of two tabs at the same time is stored once, and one question follows', async () => {
    const { link, turn, result_id } = await atQuestion();
    const tab = (text: string) => () => world.write(link, answerTurn(turn.turn_id, typed(text)));
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
      expect(await world.answer(link, id, typed('A.'))).toMatchObject({ outcome: 'unknown_turn' });
  });

  it('must suit the turn', async () => {
    const { link, turn } = await atQuestion();
    for (const given of [
      seen,
      { ...typed('A.'), kind: 'choice' as const },
      { ...seen, kind: 'recording' as const, recordingId: uuid() },
    ])
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
      expect(await world.answer(link, turn.turn_id, typed('A.'))).toMatchObject({
        outcome,
        attempt: { state },
      });
    }
  });

  it('is rejected after the link was revoked', async () => {
    const { link, turn } = await atQuestion();
    await world.change('update enrolment set link_generation = 2 where id = $1', link.enrolmentId);
    expect(await world.answer(link, turn.turn_id, typed('A.'))).toMatchObject({
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
    expect(await world.answer(renewed, turn.turn_id, typed('A.'))).toMatchObject({ outcome: 'stored' });
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
      expect(await world.answer(link, undecided_turn ?? '', typed('A.'))).toMatchObject({
        outcome: 'same',
        needs_decision: true,
      });
    }
  });
});
