import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { listenForNotifications } from '../../../db/platform/listen';
import { openPool } from '../../../db/platform/pool';
import { lockShard } from '../../../db/webhooks/sender-shards';
import type { RunningProcess } from '../../../local/processes';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { infrastructure } from '../../harness/platform/infrastructure';
import { findPgbouncer, startPgbouncer } from '../../harness/platform/pgbouncer';
import { newInterview } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import { startPlatform } from '../../harness/platform/start-platform';
import type { OwnPlatform } from '../../harness/platform/start-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { mediaFile } from '../../harness/taking/media-file';
import { goodAnswer, scoredAttempts } from '../../harness/taking/scored-attempts';
import { waitFor } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { makeEndpoint } from '../../harness/webhooks/webhook-calls';

/*
 * The platform behind PgBouncer in transaction mode, with five connections to Postgres for each login. No npm package
 * contains PgBouncer, so the tests need the program of the machine.
 */

const isInstalled = findPgbouncer() !== undefined;
const reason = isInstalled
  ? ''
  : ' (skipped, because there is no pgbouncer: install it, or set PGBOUNCER_PATH)';

(isInstalled ? describe : describe.skip)(`behind PgBouncer${reason}`, () => {
  let pgbouncer: RunningProcess & { port: number };
  let database: TestDatabase;
  let worker: Database;
  beforeAll(async () => {
    pgbouncer = await startPgbouncer({ ...infrastructure(), port: await takePort() });
    database = await createDatabase({ poolPort: pgbouncer.port });
    const pool = { url: database.workerUrl, size: 20, applicationName: 'test', onIdleError: () => undefined };
    worker = openDatabase(openPool(pool));
  });
  afterAll(async () => {
    await worker.close();
    await pgbouncer.stop();
  });

  /** Listens at an address until a notification arrives or the connection fails. Returns its payload or the error. */
  async function firstNotification(url: string, notify: () => Promise<unknown>): Promise<string> {
    const stop = new AbortController();
    let found: string | undefined;
    const listening = listenForNotifications({
      url,
      applicationName: 'test',
      channels: {
        recording_stored: (payload) => {
          // The first call, without a payload, says that the session listens.
          if (payload === '') void notify();
          else found = payload;
        },
      },
      onError: (error) => (found = String(error)),
      signal: stop.signal,
    });
    const first = await waitFor('a notification or an error', async () => found);
    stop.abort();
    await listening;
    return first;
  }

  it('delivers a notification of a transaction to a session at the direct address', async () => {
    const notify = () => worker.queryAsWorker({ text: `select pg_notify('recording_stored', 'turn')` });
    expect(await firstNotification(database.workerDirectUrl, notify)).toBe('turn');
  });

  it('rejects LISTEN and the lock of a sender at its own address, where both would be lost', async () => {
    const rejected = /unsupported startup parameter in options: idle_session_timeout/;
    expect(await firstNotification(database.workerUrl, async () => undefined)).toMatch(rejected);
    const { signal: stop } = new AbortController();
    const locked = lockShard(database.workerUrl, {
      shard: 0,
      owner: 'test',
      onNotified: () => undefined,
      stop,
    });
    await expect(locked).rejects.toThrow(rejected);
  });

  it('runs prepared statements in any session, also after one failed and after the sessions were ended', async () => {
    const square = (value: number) => ({
      name: 'square',
      text: 'select 10 / $1::int as value, pg_backend_pid() as pid',
      values: [value],
    });
    await expect(worker.queryAsWorker(square(0))).rejects.toMatchObject({ code: '22012' });
    const inAll = async () => {
      const rows = await Promise.all(
        Array.from({ length: 100 }, () => worker.queryAsWorker<{ value: number; pid: number }>(square(5))),
      );
      expect(rows.flat().filter(({ value }) => value === 2)).toHaveLength(100);
      return new Set(rows.flat().map(({ pid }) => pid));
    };
    const pids = await inAll();
    expect(pids.size).toBeLessThanOrEqual(5);
    await database.rows('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [[...pids]]);
    await waitFor('the sessions to be gone', async () => {
      const left = await database.rows('select from pg_stat_activity where pid = any ($1)', [[...pids]]);
      return left.length === 0;
    });
    expect([...(await inAll())].filter((pid) => pids.has(pid))).toEqual([]);
  });

  describe('an API and a worker', () => {
    let platform: OwnPlatform;
    let receiver: Receiver;
    beforeAll(async () => {
      const own = await createDatabase({ poolPort: pgbouncer.port });
      [platform, receiver] = await Promise.all([startPlatform({ database: own }), startReceiver()]);
    });
    afterAll(async () => {
      await receiver.close();
    });

    it('create an interview, take it with a recording, score it and deliver its webhooks', async () => {
      const { url } = receiver;
      await makeEndpoint(platform, { url, events: ['interview_collected', 'interview_result'] });
      const created = await platform.call('job-interview-create', { body: newInterview(platform.stack) });
      expect(created.status).toBe(200);

      const calls = candidateCalls(platform);
      const attempts = scoredAttempts(platform);
      const interviewId = await attempts.makeInterview(1, { recording: 'audio_all' });
      const { token, turnId } = await calls.beginAt(interviewId);
      const recording = await calls.call('recording-create', {
        token,
        body: { media_type: 'audio/webm', turn_id: turnId },
      });
      const recording_id = String(recording.body['recording_id']);
      await calls.call('recording-part', {
        token,
        method: 'PUT',
        rawBody: await mediaFile('webm', 3_000, { text: goodAnswer, packetBytes: 300 }),
        query: `?recording_id=${recording_id}&part=1`,
      });
      const duration_ms = 3_000;
      await calls.call('recording-complete', { token, body: { recording_id, parts: 1, duration_ms } });
      let { attempt } = await calls.answer(token, turnId, { recording_id, duration_ms });
      const resultId = attempt.result_id ?? '';
      while (attempt.state === 'running') {
        const { turn_id } = turnOf(attempt);
        ({ attempt } = await calls.answer(token, turn_id, { seen: true }));
      }
      await attempts.submit(token);
      expect((await attempts.scored(resultId)).scores?.score).toEqual(expect.any(Number));
      const events = await waitFor('both webhooks', async () => {
        const names = receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
        return new Set(names).size === 2 && names;
      });
      expect(new Set(events)).toEqual(new Set(['interview_collected', 'interview_result']));
      const [turn] = await platform.database.rows<{ answer: string }>(
        'select answer from result_question where result_id = $1 and recording_id is not null',
        [resultId],
      );
      expect(turn).toEqual({ answer: goodAnswer });
    });
  });
});
