import { closeAttempts } from '../../../activities/taking/close-attempts';
import { readMerchantStatus } from '../../../db/account/merchant-status';
import { reopenResult } from '../../../db/results/result-decisions';
import { recordScores } from '../../../db/results/results';
import { scores, typed } from '../../../local/demo/candidate';
import { templateIds } from '../../../local/seed/templates';
import { createTakingWorld, openTurn } from './taking-world';
import type { TakingWorld } from './taking-world';

/* Tests how attempts end, and when the next attempt can begin (docs/taking.md#ends). */

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

const close = () => closeAttempts(world.worker);

describe('the job that closes attempts', () => {
  it.each([
    ['one of two answers', 1, {}, 'completed, stopped early', 12_000],
    ['no typed answer', 0, {}, 'abandoned', 12_000],
    ['no spoken answer', 0, { interview_template_id: templateIds.interactive_voice }, 'terminated, no speech detected', 12_000],
  ])('ends an attempt with %s at its deadline', async (_, answers, changes, interview_status, duration) => {
    const { result_id } = await taking(answers, changes);
    await shift(result_id, 21);
    await close();
    expect(await world.show(result_id)).toMatchObject({ status: 'draft', interview_status, duration });
  }); // prettier-ignore

  it('completes an attempt that waits for the decision about its last answer', async () => {
    const { link, result_id } = await taking(1, { max_followups: 1 });
    const { undecided_turn } = await world.get(link);
    expect(undecided_turn).not.toBeNull();
    await world.change(
      `update attempt_step set kind = 'candidate_asks' where result_id = $1 and text = 'Two?'`,
      result_id,
    );
    await shift(result_id, 21);
    await close();
    expect(await world.show(result_id)).toMatchObject({ interview_status: 'completed' });
  });

  it('ends an attempt after an hour without activity, with the time until then', async () => {
    const { result_id } = await taking(1, { max_duration: 7_200 });
    await shift(result_id, 61);
    await close();
    const row = await world.show(result_id);
    expect(row).toMatchObject({ interview_status: 'completed, stopped early' });
    expect(row['ended_at']).toBe(row['last_active_at']);
  });

  it('leaves attempts alone until 30 seconds after the deadline, and those that have ended', async () => {
    const { result_id } = await taking(1);
    const { result_id: done } = await taking(2);
    await world.change(
      `update interview_result set deadline_at = now() - interval '20 seconds' where id = $1`,
      result_id,
    );
    await shift(done, 100);
    await close();
    expect(await world.show(result_id)).toMatchObject({ interview_status: 'started' });
    expect(await world.show(done)).toMatchObject({ interview_status: 'completed', status: 'draft' });
  });

  it('closes each attempt once when two workers do it, and more than a batch', async () => {
    const links = await Promise.all(Array.from({ length: 60 }, () => taking(1)));
    const ids = links.map(({ result_id }) => result_id);
    await world.change(
      `update interview_result set deadline_at = now() - interval '1 minute' where id = any ($1)`,
      ids,
    );
    await Promise.all([close(), close()]);
    await close();
    const rows = await world.database.rows(
      `select interview_status, count(*)::int as results,
         (select count(*)::int from webhook_delivery d where d.result_id = any ($1)) as events
       from interview_result where id = any ($1) group by 1`,
      [ids],
    );
    expect(rows).toEqual([{ interview_status: 'completed, stopped early', results: 60, events: 60 }]);
  });

  it('waits ten minutes for a recording that began before the deadline, and ends with its answer', async () => {
    const spoken = { interview_template_id: templateIds.interactive_voice };
    for (const [minutes, interview_status] of [
      [25, 'started'],
      [31, 'terminated, no speech detected'],
    ] as const) {
      const { link, result_id } = await taking(0, spoken);
      const { turn_id } = openTurn((await world.get(link)).attempt);
      const [recording] = await world.database.rows<{ id: string }>(
        `insert into recording (merchant_id, environment, result_id, attempt, kind, turn_id, media_type, state, verified_type,
           first_part_at)
         select merchant_id, environment, id, 1, 'turn', $2, 'audio/webm', 'completed', 'audio/webm', now() - interval '15 minutes'
         from interview_result where id = $1 returning id`,
        [result_id, turn_id],
      );
      await shift(result_id, minutes);
      await close();
      expect(await world.show(result_id)).toMatchObject({ interview_status });
      if (interview_status !== 'started') continue;
      expect(await world.answer(link, turn_id, typed('Typed.'))).toMatchObject({
        outcome: 'late',
        attempt: { state: 'running' },
      });
      const recorded = {
        ...typed(''),
        kind: 'recording' as const,
        text: null,
        recordingId: recording?.id ?? '',
      };
      expect(await world.answer(link, turn_id, recorded)).toMatchObject({
        outcome: 'stored',
        needs_decision: false,
        attempt: { state: 'collected' },
      });
    }
  });

  it('is not needed for an attempt whose candidate asks first', async () => {
    const { link, result_id } = await taking(1);
    await shift(result_id, 21);
    expect(await finish(link)).toMatchObject({ outcome: 'collected', attempt: { state: 'collected' } });
    expect(await world.show(result_id)).toMatchObject({ duration: 12_000 });
  });
});

describe('an attempt', () => {
  it('is announced, submitted and charged once at its last answer if result_view is none', async () => {
    const { link, result_id } = await taking(1, { result_view: 'none' });
    await shift(result_id, 5);
    expect(await world.answerOpen(link)).toMatchObject({ outcome: 'stored', attempt: { state: 'submitted', transcript: null } });
    expect(await world.show(result_id)).toMatchObject({
      status: 'active',
      processing_status: 'queued',
      is_successful: true,
      charge: 'charged',
      link_generation: 2,
    });
    expect(await events(result_id)).toEqual(['interview_collected']);
    expect(await submit(link)).toMatchObject({ outcome: 'same' });
    const charges = await world.database.rows('select from credit_entry where result_id = $1', [result_id]);
    expect(charges).toHaveLength(1);
  }); // prettier-ignore

  it('counts as ongoing until it ends', async () => {
    const ongoing = async () => {
      const [status] = await world.api.query(world.cell.user, readMerchantStatus);
      return (status as { counts: { ongoing: number } } | undefined)?.counts.ongoing ?? 0;
    };
    const before = await ongoing();
    const { link } = await taking(1);
    expect((await ongoing()) - before).toBe(1);
    await finish(link);
    expect(await ongoing()).toBe(before);
  });

  it('ends early after at least one answer, with the thank-you', async () => {
    const { link } = await taking(0);
    expect(await finish(link)).toMatchObject({ outcome: 'no_answers', attempt: { state: 'running' } });
    await world.answerOpen(link);
    for (const _ of [1, 2])
      expect(await finish(link)).toMatchObject({
        outcome: 'collected',
        attempt: { state: 'collected', turn: { kind: 'thank_you', text: 'Thanks' } },
      });
    expect(await submit(link)).toMatchObject({ outcome: 'submitted', attempt: { state: 'submitted' } });
    expect(await finish(link)).toMatchObject({ outcome: 'collected', attempt: { state: 'submitted' } });
  });

  it('is not submitted while it is running', async () => {
    const { link } = await taking(1);
    expect(await submit(link)).toMatchObject({ outcome: 'not_collected', attempt: { state: 'running' } });
  });

  it('is read by its link after the submit, until it is reopened or the address changes', async () => {
    for (const [end, ended] of [
      ['reopen', true],
      ['address', true],
    ] as const) {
      const { link, result_id } = await taking(2);
      await submit(link);
      await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, scores, []));
      expect(await submit(link)).toMatchObject({ outcome: 'same', attempt: { state: 'submitted' } });
      expect(await world.begin(link)).toMatchObject({ outcome: 'submitted' });
      const turn = openTurn((await world.get(link)).attempt);
      expect(await world.answer(link, turn.turn_id, typed('Late.'))).toMatchObject({ outcome: 'not_running' });
      await (end === 'reopen'
        ? world.asRecruiter((trx) => reopenResult(trx, result_id))
        : world.change(`update enrolment set email_key = $2, link_generation = 3 where id = $1`, link.enrolmentId, `${result_id}@new.example`));
      expect(await world.get(link)).toMatchObject({ attempt: null, is_ended: ended });
    }
  }); // prettier-ignore

  it('that was reopened begins again with the new link, and has its own plan and answers', async () => {
    const { link, result_id } = await taking(2);
    await submit(link);
    await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, scores, []));
    await world.asRecruiter((trx) => reopenResult(trx, result_id));
    expect(await world.begin(link)).toEqual({ outcome: 'closed', attempt: null });
    const renewed = { ...link, generation: 3 };
    expect(await world.get(renewed)).toMatchObject({ attempt: null, is_ended: false });
    expect(await world.begin(renewed)).toMatchObject({
      outcome: 'begun',
      attempt: { attempt: 2, steps: { done: 0 } },
    });
  });

  it('shows what result_view allows after it was scored', async () => {
    for (const [result_view, keys] of [
      ['minimal', null],
      ['minimal_with_score', ['max_score', 'score']],
      ['advanced', ['ai_analysis', 'max_score', 'questions', 'score', 'score_text', 'takeaways']],
      ['full', ['ai_analysis', 'max_score', 'questions', 'score', 'score_text', 'takeaways']],
    ] as const) {
      const { link, result_id } = await taking(2, { result_view });
      const { attempt: submitted } = await submit(link);
      expect(submitted?.result).toBeNull();
      await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, scores, []));
      const { attempt } = await world.get(link);
      expect(attempt?.result ? Object.keys(attempt.result).toSorted() : null).toEqual(keys);
    }
  });
});
