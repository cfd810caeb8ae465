import path from 'node:path';
import type { Pool } from 'pg';
import { updateDaySums } from '../../activities/reports/roll-up-days';
import { openDatabase } from '../../db/platform/database';
import { openPool } from '../../db/platform/pool';
import { databaseUrlFor } from '../../local/environments';
import { readSecrets } from '../../local/secrets';
import type { BenchStack } from '../stack';

export const merchants = 200;

/**
 * Inserts attempts directly, from number `filled` to `all`. Only their number and their spread over three years and
 * fifty interviews matter here. Then computes the sums of their days, as the worker does every 15 s.
 */
export async function fill(
  { stack, folder }: BenchStack,
  admin: Pool,
  filled: number,
  all: number,
): Promise<void> {
  await admin.query('alter table report_attempt disable trigger report_attempt_report_changed');
  await admin.query(
    `insert into report_attempt (merchant_id, environment, result_id, attempt, interview_id, profile_id, source, language,
       is_test, instant, started_at, ended_at, status, interview_status, processing_status, decision, is_shortlisted, has_risk_flags, score)
     select case when n % 1000 < 26 then $1::uuid else md5((n % $2)::text)::uuid end, 'production', gen_random_uuid(), 1,
       coalesce(i.ids[1 + n % cardinality(i.ids)], gen_random_uuid()), md5((n / 2)::text)::uuid, 'invited', 'en', n % 20 = 7,
       t.at, t.at - interval '20 minutes', t.at, 'active', case when n % 7 = 0 then 'abandoned' else 'completed' end, 'completed', n % 3 = 0, n % 5 = 0, n % 50 = 0, (n % 100) / 10.0
     from generate_series($3::int + 1, $4::int) n
     cross join (select array(select id from interview where merchant_id = $1) as ids) i
     cross join lateral (select now() - (n % 1095) * interval '1 day' - (n % 1440) * interval '1 minute' as at) t`,
    [stack.merchant_id, merchants - 1, filled, all],
  );
  await admin.query('alter table report_attempt enable trigger report_attempt_report_changed');
  await admin.query('delete from report_rollup');
  await admin.query('delete from report_day');
  await admin.query('vacuum analyze report_attempt');
  const isBehind = async () => {
    const { rowCount } = await admin.query(
      `select from report_rollup where merchant_id = $1 and environment = 'production' and until >= now()::date - 4`,
      [stack.merchant_id],
    );
    return rowCount === 0;
  };
  const { worker_password: password } = readSecrets(path.join(folder, 'secrets.json'));
  const url = databaseUrlFor(stack.database_url, 'app_worker_login', password);
  const pool = openPool({ url, size: 1, applicationName: 'bench', onIdleError: () => undefined });
  const failing = new AbortController();
  while (await isBehind()) {
    await updateDaySums(openDatabase(pool), {
      signal: failing.signal,
      onError: (error) => failing.abort(error),
    });
    failing.signal.throwIfAborted();
  }
  await pool.end();
  await admin.query('vacuum analyze report_day');
}
