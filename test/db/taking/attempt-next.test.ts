import { grantAttempt } from '../../../db/results/result-decisions';
import { recordScores } from '../../../db/results/results';
import { failAttempt } from '../../../db/taking/attempt-work';
import { editAnswer } from '../../../db/taking/attempts';
import { scores, typed } from '../../../local/demo/candidate';
import { createTakingWorld } from './taking-world';
import type { Link, TakingWorld } from './taking-world';

/* Tests the review of a collected attempt, and when the next attempt can begin (docs/taking.md#attempts). */

let world: TakingWorld;
let taking: TakingWorld['taking'];
let shift: TakingWorld['shift'];
let finish: TakingWorld['finish'];
let submit: TakingWorld['submit'];
let events: TakingWorld['events'];
beforeAll(async () => {
  world = await createTakingWorld();
  await world.insertEndpoint();
  ({ taking, shift, finish, submit, events } = world);
});

describe('an edit', () => {
  const edit = (link: Link, turnId: string, text: string) => world.write(link, editAnswer(turnId, text));
  const firstAnswer = async (link: Link) => (await world.get(link)).attempt?.transcript?.[0]?.turn_id ?? '';

  it('keeps the first text, until the submit', async () => {
    const { link } = await taking(2);
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
    expect(await world.answer(link, turn, typed('Answer 1.'))).toMatchObject({ outcome: 'same' });
    await submit(link);
    expect(await edit(link, turn, 'Late.')).toMatchObject({ outcome: 'not_editable' });
  });

  it('is rejected if the interview allows none, after the review and of unknown turns', async () => {
    const { link: fixed } = await taking(2, { result_enable_edit_transcript: false });
    expect(await edit(fixed, await firstAnswer(fixed), 'Edited.')).toMatchObject({ outcome: 'not_editable' });
    const { link, result_id } = await taking(2);
    const turn = await firstAnswer(link);
    expect(await edit(fixed, turn, 'Mine.')).toMatchObject({ outcome: 'unknown_turn' });
    await shift(result_id, 31);
    expect(await edit(link, turn, 'Edited.')).toMatchObject({
      outcome: 'not_editable',
      attempt: { state: 'collected', transcript: [{ editable: false }, { editable: false }] },
    });
    expect(await submit(link)).toMatchObject({ outcome: 'submitted' });
  });
});

describe('the next attempt', () => {
  const fail = (result_id: string, attempt: number) =>
    world.writeAsWorker((trx) => trx.one(failAttempt(result_id, attempt, 'failed', 'The uploads failed.')));

  it('begins after a failed one while the interview has some left, with the same link', async () => {
    const { link, result_id } = await taking(1, { result_scoring: '{"max_retries": 2}' });
    await fail(result_id, 1);
    expect(await world.get(link)).toMatchObject({
      attempt: { state: 'closed', closed_reason: 'failed', turn: null },
    });
    expect(await world.begin(link)).toMatchObject({
      outcome: 'begun',
      attempt: { attempt: 2, state: 'running' },
    });
    expect(await events(result_id)).toEqual(['interview_failed']);
    const [history] = await world.database.rows<{ fields: object }>(
      'select fields from interview_result_attempt where result_id = $1',
      [result_id],
    );
    expect(history?.fields).toMatchObject({
      attempt: 1,
      interview_status: 'failed',
      link_generation: 1,
      charge: 'free',
    });
    await fail(result_id, 2);
    expect(await world.begin(link)).toMatchObject({ outcome: 'none_left', attempt: { state: 'closed' } });
  });

  it('begins after a recruiter has granted it, once', async () => {
    const { link, result_id } = await taking(1);
    const grant = () => world.asRecruiter((trx) => grantAttempt(trx, result_id));
    expect(await grant()).toBe(false);
    await fail(result_id, 1);
    expect(await world.begin(link)).toMatchObject({ outcome: 'none_left' });
    expect([await grant(), await grant()]).toEqual([true, false]);
    expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
    await fail(result_id, 2);
    expect(await world.begin(link)).toMatchObject({ outcome: 'none_left' });
  });

  it('does not begin if the interview allows one, except in practice', async () => {
    for (const [type, outcome] of [
      ['interview', 'none_left'],
      ['coaching', 'begun'],
      ['persona', 'begun'],
    ] as const) {
      const { link, result_id } = await taking(1, { type });
      await fail(result_id, 1);
      expect(await world.begin(link)).toMatchObject({ outcome });
    }
  });

  it('of a practice session begins after the submit when the scores exist', async () => {
    const { link, result_id } = await taking(2, { type: 'coaching' });
    await submit(link);
    const renewed = { ...link, generation: 2 };
    expect(await world.begin(renewed)).toMatchObject({ outcome: 'submitted' });
    await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, scores, []));
    expect(await world.begin(renewed)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
  });

  it('of a test begins after its submit, without end', async () => {
    const { link } = await taking(0);
    const test = { ...link, isTest: true };
    for (const attempt of [1, 2, 3]) {
      expect(await world.begin(test)).toMatchObject({ outcome: 'begun', attempt: { attempt } });
      await world.answerOpen(test);
      await world.answerOpen(test);
      await finish(test);
      expect(await submit(test)).toMatchObject({ outcome: 'submitted' });
    }
  });
});
