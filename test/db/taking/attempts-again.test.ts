import { requireCurrentAttempt } from '../../../api/results/require-attempt';
import { setAccommodation } from '../../../db/people/candidate-messages';
import { withdrawCandidate } from '../../../db/people/enrolments';
import { queueSubmitReminders } from '../../../db/people/reminders';
import type { Statement } from '../../../db/platform/statement';
import { decideResult, grantAttempt, reopenResult } from '../../../db/results/result-decisions';
import { findAttemptInput } from '../../../db/scoring/attempt-input';
import { findAttemptState, findTurnForDecision } from '../../../db/taking/attempt-flow';
import { askNextTurn, failAttempt } from '../../../db/taking/attempt-work';
import { beginAttempt } from '../../../db/taking/attempts';
import { eraseAttempt } from '../../../db/taking/retention';
import { listTurnsToSpeak } from '../../../db/taking/speech';
import { sendCandidateMessage } from '../../../db/taking/surroundings';
import { recordScores, demoScores } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { waitFor } from '../../harness/wait-for';
import { createTakingWorld, openTurn } from './taking-world';
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
  const fail = (result_id: string, attempt: number, status: 'failed' | 'abandoned' = 'abandoned') =>
    world.writeAsWorker((trx) =>
      trx.one(failAttempt(result_id, attempt, status, status === 'failed' ? 'technical_error' : 'left')),
    );

  const score = (result_id: string, attempt: number) =>
    world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt }, demoScores, []));
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
  /** Sets columns of the attempt that has begun after a submit. */
  const setFurther = (result_id: string, columns: Record<string, unknown>) =>
    world.change(
      'update interview_result_attempt set fields = fields || $2 where result_id = $1 and is_open',
      result_id,
      columns,
    );
  const past = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  /** Returns the result, its reports and its events, which no attempt changes until it is submitted. */
  const settled = async (result_id: string) => {
    const { interactions: _turns, ...row } = await world.show(result_id);
    const reports = await world.change(
      'select * from report_attempt where result_id = $1 order by attempt',
      result_id,
    );
    return { row, reports, events: await events(result_id) };
  };
  /** Submits and scores the first of this many attempts. */
  const submitted = async (max_retries: number, changes: Record<string, unknown> = {}) => {
    const made = await taking(2, { result_scoring: { max_retries }, ...changes });
    await submit(made.link);
    await score(made.result_id, 1);
    return { ...made, before: await settled(made.result_id) };
  };

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
        interview_template_id: platformTemplateIds.offline_avatar_3,
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

  it.each([
    ['interview', true, 1],
    ['interview', false, 0],
    ['coaching', true, 0],
  ] as const)(
    'of an %s is mailed about when the last one is scored, if mail_reopened is %s',
    async (type, isOn, mails) => {
      const setMails = (isMailed: boolean) =>
        world.change('update merchant set mail_reopened = $2 where id = $1', world.cell.merchantId, isMailed);
      await setMails(isOn);
      const { link, result_id } = await taking(2, { type, result_scoring: { max_retries: 2 } });
      const mailsOf = () => world.change('select kind from mail where enrolment_id = $1', link.enrolmentId);
      await submit(link);
      expect(await mailsOf()).toEqual([]);
      await score(result_id, 1);
      // Neither the same scores again nor those of the last attempt are a reason for another mail.
      await world.change(`update interview_result set processing_status = 'failed' where id = $1`, result_id);
      await score(result_id, 1);
      await world.begin(link);
      await takeAndSubmit(link);
      expect(await mailsOf()).toEqual(Array.from({ length: mails }, () => ({ kind: 'retry_invitation' })));
      await setMails(false);
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
    expect(await score(result_id, 1)).toBe(true);
    expect(await world.show(result_id)).toMatchObject({
      attempt: 1,
      status: 'active',
      score: demoScores.score,
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

  it('changes nothing of the submitted one until it is submitted, and is then the result', async () => {
    const { link, result_id, before } = await submitted(2);
    expect(await world.begin(link)).toMatchObject({
      outcome: 'begun',
      attempt: { result_id, attempt: 2, state: 'running', attempts_left: null },
    });
    expect(await settled(result_id)).toEqual(before);
    await setFurther(result_id, { started_at: past(5) });
    await world.takeAll(link);
    expect(await world.get(link)).toMatchObject({ attempt: { attempt: 2, state: 'collected' } });
    expect(await settled(result_id)).toEqual(before);
    const seen = await world.asRecruiter((trx) =>
      trx.rows({ text: 'select from interview_result_attempt where result_id = $1', values: [result_id] }),
    );
    expect(seen).toEqual([]);
    await world.asRecruiter(async (trx) => {
      await requireCurrentAttempt(trx, result_id, 1);
      await decideResult(trx, result_id, { user_feedback_recruiter: 'Of the first.' });
    });
    // The first attempt lasted too short a time to be charged before its submit.
    const charges = await world.change(
      'select attempt, sum(amount) < 0 as is_paid from credit_entry where result_id = $1 group by 1 order by 1',
      result_id,
    );
    expect(charges).toEqual([1, 2].map((attempt) => ({ attempt, is_paid: true })));
    expect(await submit(link)).toMatchObject({ attempt: { result_id, attempt: 2, attempts_left: 0 } });
    expect(await world.show(result_id)).toMatchObject({
      attempt: 2,
      status: 'active',
      processing_status: 'queued',
      score: null,
      charge: 'charged',
      link_generation: 2,
    });
    await expect(world.asRecruiter((trx) => requireCurrentAttempt(trx, result_id, 1))).rejects.toMatchObject({
      code: 'state_conflict',
      message: 'Attempt 2 is the result now, not attempt 1. Nothing was changed.',
    });
    // What the recruiter wrote about the first attempt stays with it.
    const notes = await world.change(
      `select r.user_feedback_recruiter as now, a.fields ->> 'user_feedback_recruiter' as earlier
       from interview_result r join interview_result_attempt a on a.result_id = r.id where r.id = $1`,
      result_id,
    );
    expect(notes).toEqual([{ now: null, earlier: 'Of the first.' }]);
    await score(result_id, 2);
    expect(await history(result_id)).toEqual([
      { attempt: 1, status: 'active', interview_status: 'completed' },
    ]);
    const after = await settled(result_id);
    expect(after.events).toEqual([...before.events, ...before.events]);
    expect(after.reports).toMatchObject([1, 2].map((attempt) => ({ attempt, status: 'active' })));
  });

  const close = () => world.close();
  it.each<[string, (link: Link, id: string) => Promise<unknown>, string, decided: boolean]>([
    ['failed', (_link, id) => fail(id, 2, 'failed'), 'failed', false],
    [
      'had no answer in its time',
      (_link, id) => setFurther(id, { deadline_at: past(11) }).then(close),
      'abandoned',
      false,
    ],
    [
      'was left for an hour',
      (_link, id) => setFurther(id, { last_active_at: past(61) }).then(close),
      'abandoned',
      false,
    ],
    [
      'was not submitted within two days',
      async (link, id) => {
        await world.takeAll(link);
        await setFurther(id, { ended_at: past(47 * 60) });
        await close();
        expect(await world.get(link)).toMatchObject({ attempt: { attempt: 2, state: 'collected' } });
        await setFurther(id, { ended_at: past(49 * 60) });
        await close();
      },
      'completed',
      false,
    ],
    [
      'was running when a recruiter decided',
      async (link, id) => {
        await world.answerOpen(link);
        await world.asRecruiter((trx) => decideResult(trx, id, { recruiter_go_next_round: false }));
      },
      'abandoned',
      true,
    ],
    [
      'was waiting for its submit when a recruiter decided',
      async (link, id) => {
        await world.takeAll(link);
        await world.asRecruiter((trx) => decideResult(trx, id, { recruiter_go_next_round: true }));
        expect(await submit(link)).toMatchObject({ outcome: 'same', attempt: { attempt: 1 } });
      },
      'completed',
      true,
    ],
  ])(
    'that %s moves to the history, and the submitted one stays the result',
    async (_what, end, status, decided) => {
      const { link, result_id, before } = await submitted(2);
      await world.begin(link);
      await end(link, result_id);
      if (!decided) {
        const { row, events: announced } = await settled(result_id);
        expect([row, announced]).toEqual([before.row, before.events]);
      }
      expect(await world.get(link)).toMatchObject({
        attempt: { attempt: 1, state: 'submitted', attempts_left: decided ? 0 : 1, is_restored: true },
      });
      expect(await history(result_id)).toEqual([{ attempt: 2, status: 'draft', interview_status: status }]);
      const reports = await world.change(
        'select status, interview_status from report_attempt where result_id = $1 and attempt = 2',
        result_id,
      );
      expect(reports).toEqual([{ status: 'draft', interview_status: status }]);
      expect(await world.begin(link)).toMatchObject(
        decided ? { outcome: 'submitted' } : { outcome: 'begun', attempt: { attempt: 3 } },
      );
    },
  );

  it('is worked on, gets more time and is erased like a first one', async () => {
    const { link, result_id } = await submitted(3, {
      interview_template_id: platformTemplateIds.interactive_voice,
    });
    const { attempt } = await world.begin(link);
    const asWorker = <Row>(statement: Statement<Row>) =>
      world.writeAsWorker((trx) => trx.one<Row>(statement));
    expect(await asWorker(findAttemptState(result_id, 2))).toMatchObject({ is_running: true });
    expect(await world.writeAsWorker((trx) => trx.rows(listTurnsToSpeak(result_id, 2, null)))).toHaveLength(
      3,
    );
    await world.answerOpen(link);
    const turn = openTurn((await world.get(link)).attempt).turn_id;
    await world.change('update attempt_step set max_followups = 1 where result_id = $1', result_id);
    await world.answerOpen(link);
    expect(await asWorker(findTurnForDecision(turn))).toMatchObject({ attempt: 2, is_open: true });
    const next = { kind: 'follow_up', text: 'Why?' } as const;
    expect(await asWorker(askNextTurn(result_id, 2, turn, next))).toMatchObject({ outcome: 'asked' });
    const { deadline_at } = await world.asRecruiter((trx) =>
      trx.one(setAccommodation(link.enrolmentId, { timeFactor: 2, mayType: undefined })),
    );
    expect(Date.parse(deadline_at ?? '')).toBeGreaterThan(Date.parse(attempt?.deadline_at ?? ''));
    expect((await world.get(link)).attempt?.deadline_at).toBe(new Date(deadline_at ?? 0).toISOString());
    const key = { ...world.cell, merchant_id: world.cell.merchantId, result_id, attempt: 2 };
    expect(await asWorker(eraseAttempt(key))).toEqual({ erased: false });
    await finish(link);
    await setFurther(result_id, { ended_at: past(25 * 60) });
    expect(await asWorker(queueSubmitReminders(10))).toEqual({ queued: 1 });
    expect(await asWorker(queueSubmitReminders(10))).toEqual({ queued: 0 });
    expect(await asWorker(eraseAttempt(key))).toEqual({ erased: true });
    expect(await world.get(link)).toMatchObject({ attempt: { attempt: 1, state: 'submitted' } });
  });

  it('never has the number of an earlier one, also if that was erased', async () => {
    const { link, result_id } = await submitted(3);
    await world.takeAll(link);
    await setFurther(result_id, { ended_at: past(49 * 60) });
    expect(await world.close()).toEqual([]);
    const key = { ...world.cell, merchant_id: world.cell.merchantId, result_id, attempt: 2 };
    await world.writeAsWorker((trx) => trx.one(eraseAttempt(key)));
    expect(await history(result_id)).toEqual([]);
    expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt: 3 } });
  });

  it('announces its submit also if the submitted one was erased meanwhile', async () => {
    const { link, result_id, before } = await submitted(2);
    await world.begin(link);
    const key = { ...world.cell, merchant_id: world.cell.merchantId, result_id, attempt: 1 };
    await world.writeAsWorker((trx) => trx.one(eraseAttempt(key)));
    await world.takeAll(link);
    await submit(link);
    expect(await events(result_id)).toEqual([...before.events, 'interview_collected']);
  });

  it('leaves the human review and the survey of the submitted one possible', async () => {
    const { link, result_id } = await submitted(2);
    await world.begin(link);
    const about = { timeFactor: null, rating: null, trouble: null, text: 'Mine' };
    for (const message of [
      { ...about, kind: 'human_review' },
      { ...about, kind: 'survey', rating: 5 },
      { ...about, kind: 'trouble', trouble: 'other' },
    ] as const)
      expect(await world.write(link, sendCandidateMessage(message))).toEqual({ outcome: 'stored' });
    const sent = await world.change(
      'select kind, attempt from candidate_message where result_id = $1 order by id',
      result_id,
    );
    expect(sent).toEqual([
      { kind: 'human_review', attempt: 1 },
      { kind: 'survey', attempt: 1 },
      { kind: 'trouble', attempt: 2 },
    ]);
  });

  it('costs nothing and is no attempt without a submit if a recruiter ended it', async () => {
    const { link, result_id } = await submitted(2);
    await world.begin(link);
    await setFurther(result_id, { started_at: past(5) });
    await world.takeAll(link);
    const paid = () =>
      world.change(
        'select sum(amount) < 0 as is_paid from credit_entry where result_id = $1 and attempt = 2',
        result_id,
      );
    expect(await paid()).toEqual([{ is_paid: true }]);
    const decide = (decision: boolean | null) =>
      world.asRecruiter((trx) => decideResult(trx, result_id, { recruiter_go_next_round: decision }));
    await decide(true);
    expect(await paid()).toEqual([{ is_paid: false }]);
    await decide(null);
    await world.begin(link);
    await decide(true);
    const [counted] = await world.change(
      'select app.unsubmitted_attempts(r) as unsubmitted from interview_result r where id = $1',
      result_id,
    );
    expect(counted).toEqual({ unsubmitted: 0 });
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

  it('ends when a recruiter reopens the result, whose next attempt is a draft', async () => {
    const { link, result_id } = await submitted(2);
    await world.begin(link);
    await world.asRecruiter((trx) => reopenResult(trx, result_id));
    expect(await world.get(link)).toMatchObject({ attempt: null, is_ended: true });
    const renewed = { ...link, generation: 2 };
    expect(await world.begin(renewed)).toMatchObject({ outcome: 'begun', attempt: { attempt: 3 } });
    await fail(result_id, 3);
    expect(await world.show(result_id)).toMatchObject({ attempt: 3, interview_status: 'abandoned' });
    expect(await history(result_id)).toMatchObject([
      { attempt: 1, status: 'active' },
      { attempt: 2, interview_status: 'abandoned' },
    ]);
    expect(await world.begin(renewed)).toMatchObject({ outcome: 'begun', attempt: { attempt: 4 } });
  });

  it('begins after three without a submit only if a recruiter has granted it, once. Failed ones do not count', async () => {
    const { link, result_id } = await taking(1);
    const grant = () => world.asRecruiter((trx) => grantAttempt(trx, result_id));
    for (const [index, status] of (
      ['failed', 'abandoned', 'abandoned', 'failed', 'abandoned'] as const
    ).entries()) {
      const attempt = index + 1;
      expect(await grant()).toBe(false);
      if (attempt > 1)
        expect(await world.begin(link)).toMatchObject({ outcome: 'begun', attempt: { attempt } });
      await fail(result_id, attempt, status);
      expect(await world.get(link)).toMatchObject({
        attempt: { state: 'closed', closed_reason: status, attempts_left: attempt === 5 ? 0 : 1 },
      });
    }
    expect(await world.begin(link)).toMatchObject({ outcome: 'none_left' });
    expect([await grant(), await grant()]).toEqual([true, false]);
    expect(await takeAndSubmit(link)).toMatchObject({ attempt: 6, attempts_left: 0 });
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

describe('a candidate who is withdrawn and begins at the same time', () => {
  const oneWaits = () =>
    waitFor('the second call to wait for the first one', async () => {
      const waiting = await world.change(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
  const begin = beginAttempt({ consentVersion: '1', language: null });

  it('cannot begin if the withdrawal was first', async () => {
    const link = await world.open([{ question: 'One?' }]);
    const [withdrawn, begun] = await world.asRecruiter(async (trx) => {
      const first = await trx.one(withdrawCandidate(link.enrolmentId));
      const second = world.begin(link);
      await oneWaits();
      return [first, { second }] as const;
    });
    expect(withdrawn).toMatchObject({ has_begun: false });
    expect(await begun.second).toEqual({ outcome: 'closed', attempt: null });
  });

  it('is not withdrawn if the attempt was first', async () => {
    const link = await world.open([{ question: 'One?' }]);
    const [begun, withdrawn] = await world.api.write(link, async (trx) => {
      const first = await trx.one(begin);
      const second = world.asRecruiter((other) => other.one(withdrawCandidate(link.enrolmentId)));
      await oneWaits();
      return [first, { second }] as const;
    });
    expect(begun).toMatchObject({ outcome: 'begun' });
    expect(await withdrawn.second).toMatchObject({ has_begun: true });
    expect(await world.get(link)).toMatchObject({ attempt: { state: 'running' }, is_ended: false });
  });
});
