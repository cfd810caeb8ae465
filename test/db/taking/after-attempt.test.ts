import { existsSync } from 'node:fs';
import path from 'node:path';
import { enforceRetention } from '../../../activities/taking/retention';
import { objectPath } from '../../../db/platform/object-path';
import type { ObjectStore } from '../../../db/platform/object-store';
import type { Query } from '../../../db/platform/statement';
import { reopenResult } from '../../../db/results/result-decisions';
import { claimRecording } from '../../../db/taking/recording-work';
import { findExpiredAttempts, findExpiredRecordings } from '../../../db/taking/retention';
import { recordScores, demoScores, typedAnswer } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { expensiveTables, vacuum } from '../platform/plan-cost';
import { createWorld } from '../platform/world';
import type { World } from '../platform/world';
import { insertOf, rowOf, uuid } from '../platform/world-rows';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';
import { createTakingWorld, openTurn } from './taking-world';
import type { TakingWorld } from './taking-world';

describe('attempt ends', () => {
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

  const close = () => world.close();

  describe('the job that closes attempts', () => {
    it.each([
    ['one of two answers', 1, {}, 'completed, stopped early', 12_000],
    ['no typed answer', 0, {}, 'abandoned', 12_000],
    ['no spoken answer', 0, { interview_template_id: platformTemplateIds.interactive_voice }, 'terminated, no speech detected', 12_000],
  ])('ends an attempt with %s at its deadline', async (_, answers, changes, interview_status, duration) => {
    const { result_id } = await taking(answers, changes);
    await shift(result_id, 21);
    await close();
    expect(await world.show(result_id)).toMatchObject({ status: 'draft', interview_status, duration });
  }); // prettier-ignore

    it.each([
      [1, -4],
      [2, -9],
    ])('charges the price of an early end only for one: %s of two answers', async (answers, amount) => {
      const { link, result_id } = await taking(answers);
      await world.change(
        'update attempt_plan set price = 9, price_if_early = 4 where result_id = $1',
        result_id,
      );
      await shift(result_id, 21);
      await close();
      await submit(link);
      const paid = await world.change(
        'select sum(amount)::float8 as amount from credit_entry where result_id = $1',
        result_id,
      );
      expect(paid).toEqual([{ amount }]);
    });

    it('closes the others if it fails to close one, whose id it logs', async () => {
      const [stuck, other] = [await taking(1), await taking(1)];
      await world.change(
        `insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, result_id, attempt, period_started_at)
         select $2, bucket, 'charge', -1, 0, $1, 1, now() from unnest('{monthly,extra}'::text[]) bucket`,
        stuck.result_id,
        world.cell.merchantId,
      );
      for (const { result_id } of [stuck, other]) await shift(result_id, 21);
      expect(await close()).toEqual([{ result_id: stuck.result_id, code: '23505' }]);
      expect(await world.show(stuck.result_id)).toMatchObject({ interview_status: 'started' });
      expect(await world.show(other.result_id)).toMatchObject({
        interview_status: 'completed, stopped early',
      });
      await world.change(
        `update interview_result set interview_status = 'failed' where id = $1`,
        stuck.result_id,
      );
    });

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
      const spoken = { interview_template_id: platformTemplateIds.interactive_voice };
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
        expect(await world.answer(link, turn_id, typedAnswer('Typed.'))).toMatchObject({
          outcome: 'late',
          attempt: { state: 'running' },
        });
        const recorded = {
          ...typedAnswer(''),
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

    it('is read by its link after the submit, until it is reopened or the address changes', async () => {
    for (const [end, ended] of [
      ['reopen', true],
      ['address', true],
    ] as const) {
      const { link, result_id } = await taking(2);
      await submit(link);
      await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, demoScores, []));
      expect(await submit(link)).toMatchObject({ outcome: 'same', attempt: { state: 'submitted' } });
      expect(await world.begin(link)).toMatchObject({ outcome: 'submitted' });
      const turn = openTurn((await world.get(link)).attempt);
      expect(await world.answer(link, turn.turn_id, typedAnswer('Late.'))).toMatchObject({ outcome: 'not_running' });
      await (end === 'reopen'
        ? world.asRecruiter((trx) => reopenResult(trx, result_id))
        : world.change(`update enrolment set email_key = $2, link_generation = 3 where id = $1`, link.enrolmentId, `${result_id}@new.example`));
      expect(await world.get(link)).toMatchObject({ attempt: null, is_ended: ended });
    }
  }); // prettier-ignore

    it('that was reopened begins again with the new link, and has its own plan and answers', async () => {
      const { link, result_id } = await taking(2);
      await submit(link);
      await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, demoScores, []));
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
        await world.writeAsWorker((trx) => recordScores(trx, { result_id, attempt: 1 }, demoScores, []));
        const { attempt } = await world.get(link);
        expect(attempt?.result ? Object.keys(attempt.result).toSorted() : null).toEqual(keys);
      }
    });
  });
});

describe('retention', () => {
  /* Tests what the worker deletes after the retention times that merchants have set. The files are in a real folder. */

  let world: RecordingWorld;
  beforeAll(async () => {
    world = await createRecordingWorld();
  });

  const enforce = (objects: Pick<ObjectStore, 'delete' | 'deletePrefix'> = world.objects) =>
    enforceRetention(
      { database: world.worker, objects, log: { warn: (facts: unknown) => world.warned.push(facts) } },
      new AbortController().signal,
    );
  it('deletes the speech of the replies of a visit with the visit', async () => {
    const visitId = uuid();
    const cell = world.cell;
    const { text, values } = insertOf('interview_result', {
      ...rowOf('interview_result', cell, cell.taken, visitId),
      enrolment_id: null,
      is_visit: true,
      is_test: false,
      status: 'draft',
      interview_status: 'completed',
    });
    await world.database.rows(text, values);
    await world.change(
      `update interview_result set created_at = now() - interval '31 days' where id = $1`,
      visitId,
    );
    const speech = `${cell.merchantId}/${cell.environment}/${visitId}/1/speech-${uuid()}.mp3`;
    await world.objects.put(speech, Buffer.from('ID3'));
    await enforce();
    expect(await world.objects.get(speech)).toBeUndefined();
    expect(await world.change('select 1 from interview_result where id = $1', visitId)).toEqual([]);
  });
  const hasFile = (objectPathOf: unknown) => existsSync(path.join(world.folder, String(objectPathOf)));
  /** Moves all times of a result back by this many days. */
  async function age(result: string, days: number): Promise<void> {
    const past = (column: string) => `${column} = ${column} - make_interval(days => $2)`;
    await world.change(
      `update interview_result set ${['created_at', 'started_at', 'ended_at', 'submitted_at', 'last_active_at'].map(past).join(', ')} where id = $1`,
      result,
      days,
    );
    await world.change(`update result_question set ${past('created_at')} where result_id = $1`, result, days);
    for (const table of ['recording', 'resume'])
      await world.change(`update ${table} set ${past('created_at')} where result_id = $1`, result, days);
    await world.change(
      `update interview_result_attempt set ${past('reopened_at')} where result_id = $1`,
      result,
      days,
    );
  }
  const counts = async (result: string) => {
    const [row] = await world.change(
      `select
       (select count(*)::int from result_question where result_id = $1) as turns,
       (select count(*)::int from attempt_step where result_id = $1) as steps,
       (select count(*)::int from recording where result_id = $1)
         + (select count(*)::int from resume where result_id = $1) as recordings,
       (select count(*)::int from interview_result_attempt where result_id = $1) as history`,
      result,
    );
    return row;
  };
  const messages = async () =>
    (await world.change(`select kind from candidate_message where text = 'Mine' order by kind`)).map(
      ({ kind }) => kind,
    );
  /** Stores a request for a human review and one for more time. */
  const putMessages = (result: string) =>
    world.change(
      `insert into candidate_message (merchant_id, environment, kind, enrolment_id, interview_id, result_id, attempt, text,
       time_factor)
     select r.merchant_id, r.environment, m.kind, r.enrolment_id, r.interview_id, m.result_id, m.attempt, 'Mine', m.factor
     from interview_result r, lateral (values ('human_review', r.id, r.attempt, null), ('more_time', null, null, 1.5))
       m (kind, result_id, attempt, factor) where r.id = $1`,
      result,
    );
  const deliveries = async () => (await world.change('select count(*)::int as n from webhook_delivery'))[0];

  /**
   * Begins an attempt with a résumé and two stored recordings: one of the answer to the first question, and one of the
   * session.
   */
  async function recorded() {
    const made = await world.start();
    const id = await world.upload(made.link, made.turn);
    await world.answer(made.link, made.turn, {
    kind: 'recording', text: null, recordingId: id, durationMs: 5_000,
  }); // prettier-ignore
    const session = await world.create(made.link, { kind: 'session' });
    await world.put(made.link, session.recording_id, 1, webm());
    await world.complete(made.link, session.recording_id, 1);
    await world.work();
    const resume = await putResume(made.result);
    return {
      ...made,
      id,
      paths: [(await world.row(id))?.['path'], (await world.row(session.recording_id))?.['path'], resume],
    };
  }
  /** Stores a résumé of an attempt. Returns its path. */
  async function putResume(result: string, isStored = true): Promise<unknown> {
    const [row] = await world.change(
      `insert into resume (merchant_id, environment, result_id, attempt, name, kind, bytes, sha256, text, stored_at)
       select merchant_id, environment, id, attempt, 'ann.pdf', 'pdf', 6, sha256('resume'), 'Ann Lee', case when $2 then now() end
       from interview_result where id = $1 returning path`,
      result,
      isStored,
    );
    await world.objects.put(String(row?.['path']), Buffer.from('resume'));
    return row?.['path'];
  }
  const submit = (result: string) =>
    world.change(
      `update interview_result set status = 'active', interview_status = 'completed', processing_status = 'completed',
       ended_at = now(), submitted_at = now(), score = 7, ai_analysis_recruiter = 'Good.', score_answer = 4,
       recruiter_go_next_round = true, recruiter_risks = '[{"key": "any"}]' where id = $1`,
      result,
    );

  describe('recordings', () => {
    it('are deleted after the days of their merchant, with their paths, and the rest of the result stays', async () => {
      const { result, paths } = await recorded();
      await submit(result);
      await age(result, 179);
      await enforce();
      expect(paths.map(hasFile)).toEqual([true, true, true]);
      await age(result, 2);
      await enforce();
      expect(paths.map(hasFile)).toEqual([false, false, false]);
      const row = await world.show(result);
      expect(row).toMatchObject({
        recording_local_path: null,
        recording_is_video: null,
        score: 7,
        erased_at: null,
      });
      expect(JSON.stringify(row)).not.toContain('.webm');
      expect(await counts(result)).toMatchObject({ recordings: 0 });
      expect((row['interactions'] as unknown[]).length).toBeGreaterThan(1);
    });

    it('are kept as long as the merchant says', async () => {
      const { result, paths } = await recorded();
      await submit(result);
      await age(result, 181);
      await world.change(
        'update merchant set recording_retention_days = 200 where id = $1',
        world.cell.merchantId,
      );
      await enforce();
      expect(paths.map(hasFile)).toEqual([true, true, true]);
      await world.change(
        'update merchant set recording_retention_days = 180 where id = $1',
        world.cell.merchantId,
      );
      await enforce();
      expect(paths.map(hasFile)).toEqual([false, false, false]);
    });

    it('of a résumé that was not stored within an hour are deleted', async () => {
      const { result } = await world.start();
      const path = await putResume(result, false);
      await enforce();
      expect(hasFile(path)).toBe(true);
      await world.change(
        `update resume set created_at = now() - interval '61 minutes' where result_id = $1`,
        result,
      );
      await enforce();
      expect([hasFile(path), (await counts(result))?.['recordings']]).toEqual([false, 0]);
    });

    it('that were not uploaded through the portal are deleted too, and so are those of earlier attempts', async () => {
      const { result } = await world.start();
      const [first, second] = [1, 2].map((attempt) =>
      objectPath({
        merchant_id: world.cell.merchantId, environment: world.cell.environment, interview_result_id: result, attempt,
        name: 'answer-1.wav',
      })); // prettier-ignore
      for (const each of [first, second]) await world.objects.put(each ?? '', Buffer.from('sound'));
      await world.change(
        'update result_question set recording_local_path = $2 where result_id = $1',
        result,
        first,
      );
      await world.change(
        `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
       values ($1, $2, $3, 2, jsonb_build_object('recording_local_path', $4::text, 'score', 5))`,
        world.cell.merchantId,
        world.cell.environment,
        result,
        second,
      );
      await world.change(
        `update interview_result set video_introduction_local_path = 'elsewhere/x.mp4' where id = $1`,
        result,
      );
      await submit(result);
      await age(result, 181);
      await enforce();
      expect([first, second].map(hasFile)).toEqual([false, false]);
      const [history] = await world.change(
        'select fields from interview_result_attempt where result_id = $1',
        result,
      );
      expect(history).toEqual({ fields: { recording_local_path: null, recording_is_video: null, score: 5 } });
      expect(await world.show(result)).toMatchObject({ video_introduction_local_path: null });
    });

    it('stay listed while the object store fails, and are deleted by the next run', async () => {
      const { result, paths } = await recorded();
      await submit(result);
      await age(result, 181);
      const full = { ...world.objects, delete: () => Promise.reject(new Error('away')) };
      await expect(enforce(full)).rejects.toThrow('away');
      expect(await counts(result)).toMatchObject({ recordings: 3 });
      await Promise.all([enforce(), enforce()]);
      expect(paths.map(hasFile)).toEqual([false, false, false]);
      expect(await counts(result)).toMatchObject({ recordings: 0 });
    });
  });

  describe('drafts', () => {
    it('lose their answers and files after the days of their merchant, and keep their states', async () => {
      const { result, paths, link } = await recorded();
      await putMessages(result);
      await age(result, 91);
      await enforce();
      // Nothing of a running attempt is deleted. The worker closes such an attempt first.
      expect(await counts(result)).toMatchObject({ recordings: 3 });
      await world.change(`update interview_result set interview_status = 'abandoned' where id = $1`, result);
      const before = await world.show(result);
      await enforce();
      expect(await messages()).toEqual(['more_time']);
      await world.change(`update candidate_message set created_at = now() - interval '91 days'`);
      await enforce();
      expect(await messages()).toEqual([]);
      expect(paths.map(hasFile)).toEqual([false, false, false]);
      expect(await counts(result)).toEqual({ turns: 0, steps: 0, recordings: 0, history: 0 });
      expect(await world.show(result)).toMatchObject({
        status: 'draft',
        interview_status: 'abandoned',
        erased_at: expect.any(String),
        started_at: before['started_at'],
      });
      // After the candidate has begun the next attempt, the result has content again, so `erased_at` is null.
      await world.change(`update interview_result set extra_attempts = 1 where id = $1`, result);
      expect(await world.begin(link)).toMatchObject({ outcome: 'begun' });
      expect(await world.show(result)).toMatchObject({ erased_at: null });
    });
  });

  describe('results', () => {
    it('lose transcript and scores after the days of their merchant, and announce nothing', async () => {
      const { result, paths } = await recorded();
      const before = await deliveries();
      await submit(result);
      await putMessages(result);
      expect(await deliveries()).not.toEqual(before);
      await age(result, 729);
      await enforce();
      expect(await world.show(result)).toMatchObject({ score: 7, erased_at: null });
      expect(await messages()).toEqual(['human_review', 'more_time']);
      await age(result, 2);
      const announced = await deliveries();
      await enforce();
      expect(await world.show(result)).toMatchObject({
        status: 'active',
        interview_status: 'completed',
        processing_status: 'completed',
        recruiter_go_next_round: true,
        score: null,
        score_answer: null,
        ai_analysis_recruiter: null,
        recruiter_risks: null,
        interactions: null,
        erased_at: expect.any(String),
      });
      expect(paths.map(hasFile)).toEqual([false, false, false]);
      expect(await counts(result)).toEqual({ turns: 0, steps: 0, recordings: 0, history: 0 });
      expect(
        await world.change(
          'select score, recruiter_score, has_risk_flags from report_attempt where result_id = $1',
          result,
        ),
      ).toEqual([{ score: null, recruiter_score: null, has_risk_flags: false }]);
      expect(await deliveries()).toEqual(announced);
    });

    it('lose earlier attempts after the reopening', async () => {
      const { result } = await recorded();
      await submit(result);
      expect((await world.change('select app.erase_attempt($1, 1) as erased', result))[0]).toEqual({
        erased: true,
      });
      const again = await recorded();
      await submit(again.result);
      await world.change(
        `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields)
       select merchant_id, environment, id, attempt, to_jsonb(r) from interview_result r where id = $1`,
        again.result,
      );
      await world.change(
        `update interview_result set attempt = 2, status = 'draft', interview_status = null, processing_status = null where id = $1`,
        again.result,
      );
      await world.change(
        `update interview_result_attempt set reopened_at = now() - interval '731 days' where result_id = $1`,
        again.result,
      );
      await enforce();
      expect(await counts(again.result)).toEqual({ turns: 0, steps: 0, recordings: 0, history: 0 });
      expect(await world.show(again.result)).toMatchObject({ attempt: 2, erased_at: null });
    });

    it('of the history are kept as long as drafts if they were not submitted, and stay while they are open', async () => {
      const { result } = await recorded();
      await submit(result);
      const add = (attempt: number, status: string, is_open: boolean) =>
        world.change(
          `insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, is_open, reopened_at)
           select merchant_id, environment, id, $2, to_jsonb(r) || jsonb_build_object('attempt', $2::int, 'status', $3::text,
             'interview_status', 'completed', 'ended_at', now()), $4, now() - interval '91 days'
           from interview_result r where id = $1`,
          result,
          attempt,
          status,
          is_open,
        );
      await add(2, 'draft', false);
      await add(3, 'active', false);
      await add(4, 'draft', true);
      await enforce();
      const kept = await world.change(
        'select attempt from interview_result_attempt where result_id = $1 order by 1',
        result,
      );
      expect(kept).toEqual([{ attempt: 3 }, { attempt: 4 }]);
    });

    it('are tried again by the next run if their files cannot be deleted, without holding up others', async () => {
      const [one, other] = [await recorded(), await recorded()];
      for (const { result } of [one, other]) {
        await submit(result);
        await age(result, 731);
      }
      world.warned.length = 0;
      const half = {
        delete: world.objects.delete,
        deletePrefix: (prefix: string) =>
          prefix.includes(one.result) && prefix.endsWith('/')
            ? Promise.reject(new Error('away'))
            : world.objects.deletePrefix(prefix),
      };
      await enforce(half);
      expect(world.warned).toMatchObject([{ result_id: one.result }]);
      expect([(await world.show(one.result))['erased_at'], (await world.show(one.result))['score']]).toEqual([
        null,
        7,
      ]);
      expect((await world.show(other.result))['erased_at']).not.toBeNull();
      await enforce();
      expect((await world.show(one.result))['erased_at']).not.toBeNull();
    });
  });
});

describe('retention plans', () => {
  /*
   * Tests the query plans of the statements with which the worker looks for work. One merchant has 5,000 results, half
   * of them a year old. Each result has a turn, a stored recording of this month and an earlier attempt.
   */

  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    const { rows } = world.database;
    const [{ merchantId, environment, taken }] = world.cells;
    await rows('set session_replication_role = replica');
    await rows(
      `with result as (
       insert into interview_result (merchant_id, environment, interview_id, status, submitted_at, created_at)
       select $1, $2, $3, 'active', at, at from (
         select now() - make_interval(days => n % 2 * 365) as at from generate_series(1, 5000) n
       ) n
       returning id, created_at
     ), turn as (
       insert into result_question (merchant_id, environment, result_id, attempt, step_order, is_answer, view, created_at,
         recording_local_path)
       select $1, $2, id, 1, 1, true, 'with listening', created_at, case when created_at > now() - interval '30 days' then 'any' end
       from result
     ), history as (
       insert into interview_result_attempt (merchant_id, environment, result_id, attempt, fields, reopened_at)
       select $1, $2, id, 1, '{}', created_at from result
     )
     insert into recording (merchant_id, environment, result_id, attempt, kind, media_type, state, verified_type)
     select $1, $2, id, 1, 'session', 'audio/webm', 'stored', 'audio/webm' from result`,
      [merchantId, environment, taken.interview],
    );
    await rows('set session_replication_role = origin');
    await vacuum(rows, 'interview_result', 'result_question', 'interview_result_attempt', 'recording');
  });

  it.each([
    ['recordings to join', claimRecording(false)],
    ['recordings to measure', claimRecording(true)],
    ['expired recordings', findExpiredRecordings(50)],
    ['expired attempts', findExpiredAttempts(50, [])],
  ] as [string, Query][])('reads few rows to find %s', async (_, statement) => {
    const asWorker = (work: Parameters<typeof world.worker.writeAsWorker<never>>[0]) =>
      world.worker.writeAsWorker(async (trx) => {
        // `queryAsWorker` runs statements with the same two settings.
        await trx.rows({
          text: `select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
        });
        return work(trx);
      });
    expect(await expensiveTables(asWorker, statement)).toEqual([]);
  });
});
