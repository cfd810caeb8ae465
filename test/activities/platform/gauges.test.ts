import { createWorkerMetrics } from '../../../activities/metrics';
import { updateWaitingMetrics } from '../../../activities/show-waiting';
import { openDatabase } from '../../../db/platform/database';
import type { Database } from '../../../db/platform/database';
import { openPool } from '../../../db/platform/pool';
import { merchants, people } from '../../../local/seed/accounts';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
let worker: Database;
beforeAll(async () => {
  database = await createDatabase();
  const pool = { url: database.workerUrl, size: 1, applicationName: 'test', onIdleError: () => undefined };
  worker = openDatabase(openPool(pool));
});

/** Returns the exported lines of metrics that match `wanted`. */
const shown = async (wanted: RegExp): Promise<string[]> => {
  const metrics = createWorkerMetrics();
  await updateWaitingMetrics(worker, metrics);
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => wanted.test(line));
};
const valueOf = (line = '') => Number(line.split(' ')[1]);

describe('the outbox gauges', () => {
  it('export how many starts wait, and since when', async () => {
    await database.rows('delete from workflow_start');
    expect(await shown(/^workflow_starts_(waiting|age)/)).toEqual([
      'workflow_starts_waiting 0',
      'workflow_starts_age_seconds 0',
    ]);
    await database.rows(
      `insert into workflow_start (merchant_id, environment, workflow_type, workflow_id, argument, created_at)
       select $1, 'production', 'any', n::text, '{}', now() - interval '1 hour' from generate_series(1, 3) n`,
      [merchants.main.id],
    );
    const [waiting, age] = await shown(/^workflow_starts_(waiting|age)/);
    expect(waiting).toBe('workflow_starts_waiting 3');
    expect(valueOf(age)).toBeGreaterThanOrEqual(3_600);
  });
});

describe('the gauges of issues', () => {
  it('show how many issues support has not received, and how long the oldest one has waited', async () => {
    await database.rows('delete from technical_issue');
    const none = ['technical_issues{state="queued"} 0', 'technical_issues{state="gave_up"} 0'];
    expect(await shown(/^technical_issue/)).toEqual([...none, 'technical_issue_age_seconds 0']);
    await database.rows(
      `insert into technical_issue (merchant_id, profile_id, description, status, reference, sent_at, gave_up_at, created_at)
       values ($1, $2, 'Queued for long', 'queued', null, null, null, now()),
         ($1, $2, 'Was given up', 'queued', null, null, now(), now() - interval '1 hour'),
         ($1, $2, 'Arrived long ago', 'sent', '#1', now(), null, now() - interval '1 day')`,
      [merchants.main.id, people.merchant.id],
    );
    const [queued, gaveUp, age] = await shown(/^technical_issue/);
    expect([queued, gaveUp]).toEqual([
      'technical_issues{state="queued"} 1',
      'technical_issues{state="gave_up"} 1',
    ]);
    expect(valueOf(age)).toBeGreaterThanOrEqual(3_600);
    expect(valueOf(age)).toBeLessThan(86_400);
  });
});
