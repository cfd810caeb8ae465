import { askNextTurn, setTranscript } from '../../../db/taking/attempt-work';
import type { NextTurn } from '../../../db/taking/attempt-work';
import { fallBack } from '../../../db/taking/attempts';
import { templateIds } from '../../../local/seed/templates';
import { uuid } from '../platform/world-rows';
import { createTakingWorld, openTurn } from './taking-world';
import type { Link, StepRow, TakingWorld } from './taking-world';

/*
 * Tests which question follows a decision of the model, and which question follows if there is no decision
 * (docs/taking.md#which-question-comes-next).
 */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

const offline = { interview_template_id: templateIds.offline_avatar_3 };
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
  it('asks follow-ups, with the number and the mode of their question', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], { max_followups: 2 });
    for (const text of ['Why?', 'When?']) {
      expect(await ask(link, result_id, { kind: 'follow_up', text })).toMatchObject({ outcome: 'asked' });
      expect(await open(link)).toMatchObject({
        kind: 'follow_up',
        text,
        number: 1,
        of: 2,
        answer: { mode: 'text' },
      });
      await world.answerOpen(link);
    }
    expect(await open(link)).toMatchObject({ kind: 'question', text: 'B' });
  });

  it('asks no more follow-ups than the plan allows', async () => {
    const { link, result_id } = await undecided(conditional);
    await ask(link, result_id, { kind: 'follow_up', text: 'Why?' });
    expect(await open(link)).toMatchObject({ kind: 'conditional', text: 'A1' });
  });

  it('is made once: a late one and the fallback ask nothing more', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], { max_followups: 2 });
    const after = await lastTurn(link);
    const [late, first] = await Promise.all([
      ask(link, result_id, { kind: 'follow_up', text: 'Why?' }, after),
      world.write(link, fallBack(after)),
    ]);
    expect([
      ['asked', 'same'],
      ['exists', 'stored'],
    ]).toContainEqual([late.outcome, first.outcome]);
    expect(await world.write(link, fallBack(after))).toMatchObject({ outcome: 'same' });
    const { interactions } = await world.show(result_id);
    expect(interactions).toHaveLength(3);
  });

  it('asks the conditional question, or skips it with those that depend on it', async () => {
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
      ['One.', 'text'],
      ['Two.', 'text'],
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

  it('ends the attempt when nothing is left to ask', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }], { max_followups: 1 });
    expect(await ask(link, result_id, 'next_planned')).toMatchObject({ outcome: 'asked' });
    expect((await world.get(link)).attempt).toMatchObject({
      state: 'collected',
      turn: { kind: 'thank_you' },
    });
  });

  it('asks nothing in another attempt or after the end', async () => {
    const { link, result_id } = await undecided([{ question: 'A' }, { question: 'B' }], { max_followups: 1 });
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
    expect(await world.write(link, fallBack(await lastTurn(link)))).toMatchObject({
      outcome: 'stored',
      attempt: { turn: { text: 'A1' } },
    });
    const other = await undecided([{ question: 'A' }, { question: 'B' }], { max_followups: 1 });
    expect(await world.write(other.link, fallBack(await lastTurn(other.link)))).toMatchObject({
      outcome: 'stored',
      attempt: { turn: { text: 'B' } },
    });
    expect(await world.write(other.link, fallBack(uuid()))).toMatchObject({ outcome: 'unknown_turn' });
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
    const { attempt } = await world.write(link, fallBack(turn));
    expect(attempt).toMatchObject({ state: 'collected', transcript: [{ answer: 'Spoken.' }] });
  });

  it('without a word ends an attempt that has no other answer', async () => {
    const { link, turn } = await recorded();
    await transcribe(turn, '', 'done');
    expect(await world.write(link, fallBack(turn))).toMatchObject({
      attempt: { state: 'closed', closed_reason: 'terminated, no speech detected', turn: null },
    });
  });
});
