import { randomInt } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { withAdminConnection } from '../../db/platform/credentials';
import { resultScoringId } from '../../workflows/ids';
import { seededRandom } from '../db/reports/random';
import { connectTemporal } from '../harness/platform/patient-client';
import { startPlatform } from '../harness/platform/start-platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { goodAnswer, scoredAttempts } from '../harness/taking/scored-attempts';
import { until, waitFor } from '../harness/wait-for';
import { never, startReceiver, status } from '../harness/webhooks/hook-sink';
import type { Receiver } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';
import type { Webhooks } from '../harness/webhooks/webhooks';

/*
 * Kills the worker while it scores results. The first kill interrupts four results: three in activities that the test holds,
 * and one in a short activity. Each of the others interrupts one result in a short activity that the seed chooses. The title
 * of the test contains the seed. CHAOS_SEED=<seed> repeats the same choice, and CHAOS_KILLS is the number of kills.
 */

const kills = Number(process.env['CHAOS_KILLS'] ?? 2);
const questions = 2;
const seed = Number(process.env['CHAOS_SEED'] ?? randomInt(2 ** 31));
const random = seededRandom(seed);

let platform: OwnPlatform;
let attempts: ReturnType<typeof scoredAttempts>;
let webhooks: Webhooks;
let receiver: Receiver;
let temporal: Client;
type Attempt = { token: string; result_id: string };
/** The attempts that are submitted: four for the first kill, and one for each of the others. */
let collected: Attempt[];
beforeAll(async () => {
  platform = await startPlatform({ worker: true });
  [webhooks, receiver, temporal] = await Promise.all([
    openWebhooks(platform.database, platform.sealingKeys),
    startReceiver(),
    connectTemporal(),
  ]);
  attempts = scoredAttempts(platform);
  await webhooks.endpoint(receiver.url, {
    events: ['interview_result'],
    retry_waits_ms: Array.from({ length: 9 }, () => 300),
  });
  const interview = await attempts.makeInterview(questions, { pdf_export_auto_config: { transcript: true } });
  collected = await Promise.all(Array.from({ length: 3 + kills }, () => attempts.collect(interview)));
  // The model takes a moment, so that a kill can meet an activity that is waiting for it.
  await platform.fault({ provider: 'openai', call: 'assessment', delay_ms: 150, times: 1_000_000 });
});

const started = 2; // PENDING_ACTIVITY_STATE_STARTED
/** Waits until a worker is running this activity of the scoring. */
const running = (activity: string) => (resultId: string) =>
  waitFor(activity, async () => {
    try {
      const { raw } = await temporal.workflow.getHandle(resultScoringId(resultId, 1, 1)).describe();
      return (raw.pendingActivities ?? []).some(
        ({ activityType, state }) => activityType?.name === activity && Number(state) === started,
      );
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  });

/** Activities that are over soon. */
const passing = ['scoreSession', 'summarizeResult', 'renderResultPdf'];

/** Each submits an attempt, and calls `kill` while the worker is in the activity of this name. */
const holding = {
  // The lock makes the transaction that records the scores wait after its first statements.
  recordScoring: ({ token, result_id }: Attempt, kill: () => Promise<void>) =>
    withAdminConnection(platform.database.adminUrl, async (holder) => {
      await holder.query('begin');
      await holder.query('select from result_question where result_id = $1 for no key update', [result_id]);
      await attempts.submit(token);
      await running('recordScoring')(result_id);
      await waitFor('the scores to wait for the lock', async () => {
        const waiting = await platform.database.rows(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%with scored as%'`,
        );
        return waiting.length > 0;
      });
      await kill();
      await holder.query('rollback');
    }),
  // There is no recording to transcribe. The time of the answer keeps the cleanup job from starting a transcription, which
  // would mark the transcript as failed.
  waitForTranscripts: async ({ token, result_id }: Attempt, kill: () => Promise<void>) => {
    const [turn] = await platform.database.rows<{ id: string }>(
      `update result_question set answer = null, answer_kind = 'recording', transcript_status = 'pending',
         answered_at = now() + interval '1 hour'
       where id = (select id from result_question where result_id = $1 and kind = 'question' limit 1) returning id`,
      [result_id],
    );
    await attempts.submit(token);
    await running('waitForTranscripts')(result_id);
    await kill();
    await platform.database.rows(
      `update result_question set answer = $2, transcript_status = 'done' where id = $1`,
      [turn?.id, goodAnswer],
    );
  },
  announcing: async ({ token, result_id }: Attempt, kill: () => Promise<void>) => {
    const isOwn = (received: { body: string }) => received.body.includes(result_id);
    receiver.answer = (received, response) => (isOwn(received) ? never : status(200))(received, response);
    await attempts.submit(token);
    await waitFor('the event', async () => receiver.received.some(isOwn));
    await kill();
    receiver.answer = status(200);
  },
};

/** Submits an attempt, and kills the worker while it is in this activity. */
async function killIn(activity: string, { token, result_id }: Attempt): Promise<void> {
  await attempts.submit(token);
  await running(activity)(result_id);
  await platform.worker?.kill();
}

const samplesOfRun = [
  ...Array.from({ length: questions }, () => ['answer 1', 'answer 2', 'answer 3']).flat(),
  'session 1',
  'session 2',
  'session 3',
  'summary 1',
];
/** Calls `check` for each result. */
const forEachResult = async (check: (id: string) => Promise<void>) => {
  for (const { result_id } of collected) await check(result_id);
};

describe(`the scoring with seed ${seed}`, () => {
  it('goes on after the worker was killed', async () => {
    const [first, second, third, fourth] = collected as [Attempt, Attempt, Attempt, Attempt];
    // The scores wait for the lock only until the soonest of the short activities begins.
    await holding.announcing(first, () =>
      holding.waitForTranscripts(second, () =>
        holding.recordScoring(third, () => killIn('scoreAnswer', fourth)),
      ),
    );
    await platform.startWorker();
    for (const attempt of collected.slice(4)) {
      await killIn(random.pick(passing), attempt);
      await platform.startWorker();
    }
  });

  it('announces every result once, with its score', async () => {
    // Temporal waits for up to a minute before it repeats an activity that several kills have hit.
    await until(
      'all results to be announced',
      () =>
        platform.database.rows(
          `select r.id, r.processing_status, r.pdf_export_url is not null as has_pdf, d.state, d.last_outcome
           from interview_result r
           left join webhook_delivery d on d.result_id = r.id and d.event = 'interview_result'
           where r.id = any ($1) and d.state is distinct from 'acknowledged'`,
          [collected.map(({ result_id }) => result_id)],
        ),
      (missing) => missing.length === 0,
      100_000,
    );
    await forEachResult(async (id) => {
      const events = await attempts.eventsOf(id);
      expect(events.map(({ event }) => event)).toEqual(['interview_result']);
      const [result] = await platform.database.rows<{ score: number; pdf_export_url: string | null }>(
        'select score::float8, pdf_export_url from interview_result where id = $1',
        [id],
      );
      expect(result).toEqual({ score: expect.any(Number), pdf_export_url: expect.any(String) });
      const received = receiver.received.filter(({ body }) => body.includes(id));
      expect(new Set(received.map((one) => one.id))).toEqual(new Set(events.map((event) => event.id)));
      for (const { body } of received) expect(JSON.parse(body)).toMatchObject({ id, ...result });
    });
  });

  it('scores every result once', () =>
    forEachResult(async (id) => {
      const [record, ...more] = await attempts.runsOf(id);
      expect([record?.state, more]).toEqual(['scored', []]);
      const [result] = await platform.database.rows<{ score: number }>(
        'select score::float8 from interview_result where id = $1',
        [id],
      );
      expect(record?.scores?.score).toBe(result?.score);
    }));

  it('stores every sample once, and counts the tokens of each once', () =>
    forEachResult(async (id) => {
      const [record] = await attempts.runsOf(id);
      const samples = await platform.database.rows<{ name: string; tokens: number }>(
        `select subject || ' ' || number as name, (sample ->> 'prompt_tokens')::int as tokens
         from score_sample where result_id = $1 order by subject, place, number`,
        [id],
      );
      expect(samples.map(({ name }) => name)).toEqual(samplesOfRun);
      const tokens = samples.reduce((sum, sample) => sum + sample.tokens, 0);
      expect(record).toMatchObject({ samples: samples.length, prompt_tokens: tokens });
    }));

  it('charges every result once', () =>
    forEachResult(async (id) => {
      const charges = await platform.database.rows('select kind from credit_entry where result_id = $1', [
        id,
      ]);
      expect(charges).toEqual([{ kind: 'charge' }]);
    }));
});
