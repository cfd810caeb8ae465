import { existsSync } from 'node:fs';
import path from 'node:path';
import { enforceRetention } from '../../../activities/taking/retention';
import { objectPath } from '../../../db/platform/object-path';
import type { ObjectStore } from '../../../db/platform/object-store';
import { createRecordingWorld, webm } from './recording-world';
import type { RecordingWorld } from './recording-world';

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
  await world.change(`update recording set ${past('created_at')} where result_id = $1`, result, days);
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
       (select count(*)::int from recording where result_id = $1) as recordings,
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

/** Begins an attempt with two stored recordings: one of the answer to the first question, and one of the session. */
async function recorded() {
  const made = await world.start();
  const id = await world.upload(made.link, made.turn);
  await world.answer(made.link, made.turn, {
    kind: 'recording', text: null, recordingId: id, durationMs: 5_000,
  }); // prettier-ignore
  const session = await world.create(made.link, { kind: 'session' });
  await world.put(made.link, session.recording_id, 1, webm('session'));
  await world.complete(made.link, session.recording_id, 1);
  await world.work();
  return {
    ...made,
    id,
    paths: [(await world.row(id))?.['path'], (await world.row(session.recording_id))?.['path']],
  };
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
    expect(paths.map(hasFile)).toEqual([true, true]);
    await age(result, 2);
    await enforce();
    expect(paths.map(hasFile)).toEqual([false, false]);
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
    expect(paths.map(hasFile)).toEqual([true, true]);
    await world.change(
      'update merchant set recording_retention_days = 180 where id = $1',
      world.cell.merchantId,
    );
    await enforce();
    expect(paths.map(hasFile)).toEqual([false, false]);
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
    expect(await counts(result)).toMatchObject({ recordings: 2 });
    await Promise.all([enforce(), enforce()]);
    expect(paths.map(hasFile)).toEqual([false, false]);
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
    expect(await counts(result)).toMatchObject({ recordings: 2 });
    await world.change(`update interview_result set interview_status = 'abandoned' where id = $1`, result);
    const before = await world.show(result);
    await enforce();
    expect(await messages()).toEqual(['more_time']);
    await world.change(`update candidate_message set created_at = now() - interval '91 days'`);
    await enforce();
    expect(await messages()).toEqual([]);
    expect(paths.map(hasFile)).toEqual([false, false]);
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
    expect(paths.map(hasFile)).toEqual([false, false]);
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
