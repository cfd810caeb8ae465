import { closeAttempts } from '../../../activities/taking/close-attempts';
import { grantAttempt, reopenResult } from '../../../db/results/result-decisions';
import { recordScores } from '../../../db/results/results';
import { findAttemptInput } from '../../../db/scoring/attempt-input';
import { failAttempt } from '../../../db/taking/attempt-work';
import { scores } from '../../../local/demo/candidate';
import { templateIds } from '../../../local/seed/templates';
import { createTakingWorld } from './taking-world';
import type { Link, TakingWorld } from './taking-world';

/* Tests how many attempts a candidate may submit, and which of them is the result (docs/taking.md#attempts). */

let world: TakingWorld;
let taking: TakingWorld['taking'];
let finish: TakingWorld['finish'];
let submit: TakingWorld['submit'];
let events: TakingWorld['events'];
beforeAll(async () => {
  world = await createTakingWorld();
  await world.insertEndpoint();
  ({ taking, finish, submit, events } = world);
});

describe('the next attempt', () => {
  const fail = (result_id: string, attempt: number) =>
    world.writeAsWorker((trx) => trx.one(failAttempt(result_id, attempt, 'failed', 'The uploads failed.')));

  const score = (result_id: string, attempt: number) =>
    world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt }, scores, []));
  /** Takes the attempt that has begun to its end, submits and scores it. Returns it as its candidate then sees it. */
  const takeAndSubmit = async (link: Link) => {
    await world.takeAll(link);
    const { attempt } = await submit(link);
    if (!attempt) throw new Error('the attempt was not submitted');
    await score(attempt.result_id, attempt.attempt);
    return attempt;
  };
  const history = (result_id: string) =>
    world.database.rows<{ attempt: number; status: string; interview_status: string }>(
      `select attempt, fields ->> 'status' as status, fields ->> 'interview_status' as interview_status
       from interview_result_attempt where result_id = $1 order by attempt`,
      [result_id],
    );

  it.each([
    ['interview', null, [0]],
    ['assessment', 1, [0]],
    ['persona_interview', 3, [2, 1, 0]],
    ['coaching', 1, [null, null]],
    ['persona', null, [null, null]],
  ] as const)(
    'of an %s with interview_attempts %s can be submitted as often, with the same link',
    async (type, max_retries, left) => {
      const link = await world.open([{ question: 'One?' }], {
        interview_template_id: templateIds.offline_avatar_3,
        type,
        result_scoring: max_retries === null ? null : { max_retries },
      });
      let result_id = '';
      for (const [index, attempts_left] of left.entries()) {
        const submitted = await takeAndSubmit(link);
        expect(submitted).toMatchObject({ attempt: index + 1, state: 'submitted', attempts_left });
        ({ result_id } = submitted);
      }
      const isOver = left.at(-1) === 0;
      expect(await world.begin(link)).toMatchObject({ outcome: isOver ? 'submitted' : 'begun' });
      expect(await history(result_id)).toHaveLength(isOver ? left.length - 1 : left.length);
      const [{ generation } = {}] = await world.database.rows<{ generation: number }>(
        'select link_generation as generation from enrolment where id = $1',
        [link.enrolmentId],
      );
      expect(generation).toBe(isOver ? 2 : 1);
    },
  );

  it('waits for the scores of the submitted one, at most 15 minutes, and for no decision', async () => {
    const { link, result_id } = await taking(2, { result_scoring: { max_retries: 3 } });
    await submit(link);
    expect(await world.begin(link)).toMatchObject({ outcome: 'submitted', attempt: { attempts_left: 2 } });
    await world.change(
      `update interview_result set submitted_at = submitted_at - interval '16 minutes' where id = $1`,
      result_id,
    );
    expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
    // The scoring of the first attempt ends too late to be written.
    expect(await score(result_id, 1)).toBe(false);
    expect(await world.show(result_id)).toMatchObject({
      attempt: 2,
      interview_status: 'started',
      score: null,
    });
  });

  it.each([true, false])('does not begin after the decision %s', async (recruiter_go_next_round) => {
    const { link, result_id } = await taking(2, { result_scoring: { max_retries: 3 } });
    await submit(link);
    await score(result_id, 1);
    await world.change(
      'update interview_result set recruiter_go_next_round = $2 where id = $1',
      result_id,
      recruiter_go_next_round,
    );
    expect(await world.begin(link)).toMatchObject({ outcome: 'submitted', attempt: { attempts_left: 0 } });
  });

  it('that ends without a submit leaves the submitted one as the result', async () => {
    const { link, result_id } = await taking(2, { result_scoring: { max_retries: 2 } });
    await submit(link);
    await score(result_id, 1);
    const before = await world.show(result_id);
    await world.begin(link);
    expect(await world.show(result_id)).toMatchObject({ attempt: 2, status: 'draft', score: null });
    await fail(result_id, 2);
    const { updated_at: _at, revision: _revision, interactions: _turns, ...kept } = before;
    expect(await world.show(result_id)).toMatchObject(kept);
    expect(await world.get(link)).toMatchObject({
      attempt: { attempt: 1, state: 'submitted', attempts_left: 1, is_restored: true },
    });
    expect(await history(result_id)).toEqual([{ attempt: 2, status: 'draft', interview_status: 'failed' }]);
    // Several endpoints get each event.
    const announced = await events(result_id);
    expect(announced.filter((event, index) => event !== announced[index - 1])).toEqual([
      'interview_collected',
      'interview_result',
      'interview_failed',
      'interview_result',
    ]);
    const third = await takeAndSubmit(link);
    expect(third).toMatchObject({ attempt: 3, attempts_left: 0, is_restored: false });
  });

  it('is compared with the last submitted one, also if another one ended without a submit in between', async () => {
    const { link, result_id } = await taking(2, { type: 'coaching' });
    await submit(link);
    await score(result_id, 1);
    await world.change('update interview_result set ai_analysis_other = $2 where id = $1', result_id, {
      takeaways: { next_steps: [{ text: 'Name the cost.' }] },
    });
    await world.begin(link);
    await fail(result_id, 2);
    await world.takeAll(link);
    await submit(link);
    await world.change(
      `update score_record set state = 'running' where result_id = $1 and attempt = 3`,
      result_id,
    );
    const key = { result_id, attempt: 3, run: 1 };
    const input = await world.writeAsWorker((trx) => trx.maybeOne(findAttemptInput(key, null)));
    expect(input?.previous_steps).toEqual(['Name the cost.']);
  });

  it('that is answered and not submitted leaves the submitted one as the result after two days', async () => {
    const { link, result_id } = await taking(2, { result_scoring: { max_retries: 2 } });
    await submit(link);
    await score(result_id, 1);
    await world.takeAll(link);
    const age = (hours: number) =>
      world.change(
        `update interview_result set ended_at = now() - make_interval(hours => $2) where id = $1`,
        result_id,
        hours,
      );
    for (const [hours, shown] of [
      [47, { attempt: 2, status: 'draft' }],
      [49, { attempt: 1, status: 'active', score: scores.score }],
    ] as const) {
      await age(hours);
      await closeAttempts(world.worker);
      expect(await world.show(result_id)).toMatchObject(shown);
    }
  });

  it('is scored again as the result if it began before the scores of the submitted one', async () => {
    const { link, result_id } = await taking(2, { result_scoring: { max_retries: 2 } });
    await submit(link);
    await world.change(
      `update interview_result set submitted_at = submitted_at - interval '16 minutes' where id = $1`,
      result_id,
    );
    await world.begin(link);
    await fail(result_id, 2);
    expect(await world.show(result_id)).toMatchObject({
      attempt: 1,
      processing_status: 'queued',
      scoring_run: 2,
    });
  });

  it('does not bring back one that a recruiter has reopened', async () => {
    const { link, result_id } = await taking(2);
    await submit(link);
    await score(result_id, 1);
    await world.asRecruiter((trx) => reopenResult(trx, result_id));
    const renewed = { ...link, generation: 3 };
    await world.begin(renewed);
    await fail(result_id, 2);
    expect(await world.show(result_id)).toMatchObject({ attempt: 2, interview_status: 'failed' });
    expect(await world.begin(renewed)).toMatchObject({ outcome: 'begun', attempt: { attempt: 3 } });
  });

  it('begins after three without a submit only if a recruiter has granted it, once', async () => {
    const { link, result_id } = await taking(1);
    const grant = () => world.asRecruiter((trx) => grantAttempt(trx, result_id));
    for (const attempt of [1, 2, 3]) {
      expect(await grant()).toBe(false);
      if (attempt > 1)
        expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt } });
      await fail(result_id, attempt);
      expect(await world.get(link)).toMatchObject({
        attempt: { state: 'closed', closed_reason: 'failed', attempts_left: attempt === 3 ? 0 : 1 },
      });
    }
    expect(await world.begin(link)).toMatchObject({ outcome: 'none_left' });
    expect([await grant(), await grant()]).toEqual([true, false]);
    const fourth = await takeAndSubmit(link);
    expect(fourth).toMatchObject({ attempt: 4, attempts_left: 0 });
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
