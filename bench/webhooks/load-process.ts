import { Pool } from 'pg';
import { merchants } from '../../local/seed/accounts';

/*
 * Changes results at a steady rate. Each change is a transaction, which creates a delivery. Reads ADMIN_URL,
 * PER_SECOND and SECONDS. Sends `ready` to the parent process, and exits when all changes are committed.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env['ADMIN_URL'], max: 8 });
  const perSecond = Number(process.env['PER_SECOND']);
  const total = perSecond * Number(process.env['SECONDS']);
  const { rows } = await pool.query<{ id: string }>(
    `select id from interview_result where status = 'active' and ai_analysis is not null and merchant_id = $1 limit 1000`,
    [merchants.main.id],
  );
  process.send?.('ready');
  const startedAt = performance.now();
  const under: Promise<unknown>[] = [];
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * perSecond));
    for (; sent < due; sent++)
      under.push(
        pool.query({
          name: 'change',
          // The score is always new, because an update that changes nothing creates no delivery.
          text: 'update interview_result set score = mod(coalesce(score, 0) + 0.1, 9) where id = $1',
          values: [rows[sent % rows.length]?.id],
        }),
      );
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
  await pool.end();
  process.disconnect();
}

void main();
