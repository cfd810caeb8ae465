import { setTimeout as wait } from 'node:timers/promises';
import { machine, median, scaled } from '../stack';
import { assertRuns, end } from '../worker';
import { openGround } from './ground';
import type { Ground } from './ground';
import { insertDeliveries, insertEndpoints, insertResults } from './rows';

const kills = Number(process.env['KILLS'] || scaled(20));
const deliveries = scaled(20_000);

/**
 * `npm run chaos:webhooks`: 20 times, it fills the queue, kills the worker with SIGKILL at a random point while the
 * worker sends the deliveries, and starts another worker. KILLS sets another number of times.
 */
async function main(): Promise<void> {
  console.log(`machine: ${machine()}`);
  const ground = await openGround();
  const rounds: Round[] = [];
  try {
    await insertResults(ground.admin, 2_000);
    for (let kill = 0; kill < kills; kill++) {
      const round = await killOnce(ground);
      rounds.push(round);
      console.log(
        `  killed after ${String(round.killedAfter).padStart(6)} requests: lost ${round.lost}, twice ${round.twice}, all delivered ${(round.ms / 1_000).toFixed(1)} s after the restart, without a record ${round.unrecorded}`,
      );
    }
  } finally {
    await ground.close();
  }
  const all = (pick: (round: Round) => number) => rounds.map(pick);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  console.log(`kill -9 of the worker, ${kills} times in a drain of ${deliveries}`);
  console.log(`  lost                               ${sum(all(({ lost }) => lost))} (bar: 0)`);
  console.log(`  sent twice by one kill, max        ${Math.max(...all(({ twice }) => twice))} (bar: 200)`);
  console.log(
    `  from the restart until the last reclaimed one is sent, median / max ${(median(all(({ reclaimMs }) => reclaimMs)) / 1_000).toFixed(1)} / ${(Math.max(...all(({ reclaimMs }) => reclaimMs)) / 1_000).toFixed(1)} s (bar: 10 s)`,
  );
  console.log(`  requests without a record          ${sum(all(({ unrecorded }) => unrecorded))} (bar: 0)`);
  console.log(
    `  max attempts of a series           ${Math.max(...all(({ max_attempts }) => max_attempts))} (bar: 10)`,
  );
}

type Round = {
  killedAfter: number;
  lost: number;
  twice: number;
  /** The milliseconds from the restart of the worker until the queue is empty. */
  ms: number;
  /**
   * The milliseconds from the restart until the deliveries that were leased when the worker was killed are all
   * delivered.
   */
  reclaimMs: number;
  unrecorded: number;
  max_attempts: number;
};

async function killOnce(ground: Ground): Promise<Round> {
  await ground.clean();
  const urls = Array.from({ length: 50 }, (_, index) => `${ground.sinkUrl}/ok/${index}`);
  const ids = await insertEndpoints(ground.admin, urls);
  await insertDeliveries(ground.admin, ids, deliveries);
  const worker = await ground.startWorker();
  const point = Math.floor(deliveries * (0.02 + 0.9 * Math.random()));
  while ((await ground.count()).requests < point) {
    assertRuns(worker);
    await wait(1);
  }
  await end(worker, 'SIGKILL');
  const killedAfter = (await ground.count()).requests;
  const { rows: leases } = await ground.admin.query<{ id: string }>(
    `select d.id from webhook_lease l cross join lateral unnest(l.delivery_ids) as held (id)
     join webhook_delivery d on d.id = held.id where d.state = 'queued'`,
  );
  const held = leases.map(({ id }) => id);
  const again = await ground.startWorker();
  const startedAt = performance.now();
  let reclaimMs = 0;
  for (let left = deliveries; left > 0; await wait(10)) {
    assertRuns(again);
    left = (await ground.states())['queued'] ?? 0;
    const { rows } = await ground.admin.query<{ open: number }>(
      `select count(*)::int as open from webhook_delivery where id = any ($1) and state = 'queued'`,
      [held],
    );
    if (reclaimMs === 0 && rows[0]?.open === 0) reclaimMs = performance.now() - startedAt;
  }
  const ms = performance.now() - startedAt;
  const { requests, ids: delivered } = await ground.report();
  const { rows } = await ground.admin.query<{ attempts: number; max_attempts: number }>(
    `select count(*)::int as attempts, (select max(attempts)::int from webhook_delivery) as max_attempts from webhook_attempt`,
  );
  await end(again, 'SIGKILL');
  return {
    killedAfter,
    lost: deliveries - delivered,
    twice: requests - delivered,
    ms,
    reclaimMs,
    unrecorded: Math.max(0, requests - (rows[0]?.attempts ?? 0)),
    max_attempts: rows[0]?.max_attempts ?? 0,
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
