import { Logger, run } from 'graphile-worker';
import { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { createWebhookPost } from '../../activities/providers/webhook-post';
import type { PostResult } from '../../activities/providers/webhook-attempt';
import { webhookHeaders } from '../../activities/webhooks/sender/headers';
import { openSigningSecret } from '../../activities/webhooks/sender/sign';
import { addressRanges } from '../../api/platform/text/webhook-url';
import { renderedPayload } from '../../db/webhooks/webhook-payload';

/*
 * Other senders for comparison, on the same tables and with the same client, signature and record of each attempt. KIND is
 * `per-row` (one transaction per delivery, 40 at once), `graphile-worker` or `pg-boss`, each at its fastest settings here.
 * Prints `ready` and runs until a signal ends it.
 */
const atOnce = 40;
const pool = new Pool({ connectionString: process.env['ADMIN_URL'], max: atOnce });
const { post } = createWebhookPost({
  allowedRanges: addressRanges.parse('127.0.0.0/8'),
  allowedPorts: 'any',
  allowHttp: true,
});
const keys = [openSigningSecret(`whsec_${Buffer.alloc(32, 1).toString('base64')}`)];

type Row = {
  id: string;
  merchant_id: string;
  endpoint_id: string;
  event: string;
  url: string;
  payload: string;
};
type Asker = Pick<Pool, 'query'>;

const rendered = (where: string) => `
  select d.id, d.merchant_id, d.endpoint_id, d.event, e2.url, ${renderedPayload} as payload from webhook_delivery d
  join webhook_endpoint e2 on e2.id = d.endpoint_id
  left join interview_result r on r.merchant_id = d.merchant_id and r.id = d.result_id
  left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id where ${where}`;

async function send(row: Row): Promise<{ headers: Record<string, string>; result: PostResult }> {
  const headers = webhookHeaders({
    delivery_id: row.id,
    event: row.event,
    attempt: 1,
    custom_headers: { 'x-api-key': 'b1946ac92492d2347c6235b4d2611184' },
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body: row.payload,
    keys,
  });
  return { headers, result: await post({ url: row.url, headers, body: row.payload }) };
}

const record = async (asker: Asker, row: Row, headers: Record<string, string>, result: PostResult) => {
  await asker.query({
    name: 'record',
    text: `with attempt as (
        insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome, status,
          request_headers, request_body, response_headers, response_body, total_ms)
        values ($1, 'production', $2, 1, 1, now(), $3, $4, $5, $6, $7, $8, $9)
      )
      update webhook_delivery set state = 'acknowledged', attempts = 1, finished_at = now(), next_attempt_at = null where id = $2`,
    values: [
      row.merchant_id,
      row.id,
      result.outcome,
      result.status,
      JSON.stringify(headers),
      row.payload,
      JSON.stringify(result.response_headers),
      result.response_body,
      result.ms.total,
    ],
  });
};

async function perRow(): Promise<void> {
  const client = await pool.connect();
  for (;;) {
    await client.query('begin');
    const { rows } = await client.query<Row>({
      name: 'claim',
      text: rendered(`d.id = (
        select id from webhook_delivery where state = 'queued' and owner is null limit 1 for update skip locked
      )`),
    });
    const [row] = rows;
    if (row) {
      const { headers, result } = await send(row);
      await record(client, row, headers, result);
    }
    await client.query('commit');
    if (!row) await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function deliver(id: string): Promise<void> {
  const { rows } = await pool.query<Row>({ name: 'find', text: rendered('d.id = $1'), values: [id] });
  const [row] = rows;
  if (!row) return;
  const { headers, result } = await send(row);
  await record(pool, row, headers, result);
}

async function main(): Promise<void> {
  const connectionString = process.env['ADMIN_URL'] ?? '';
  const kind = process.env['KIND'];
  const { rows } = await pool.query<{ id: string }>('select id from webhook_delivery');
  if (kind === 'graphile-worker') {
    const logger = new Logger(() => () => undefined);
    const idle = await run({ connectionString, logger, taskList: { none: () => undefined } });
    await idle.stop();
    await pool.query(
      `select graphile_worker.add_job('deliver', json_build_object('id', id)) from webhook_delivery`,
    );
    process.send?.('ready');
    await run({
      connectionString,
      logger,
      concurrency: atOnce,
      maxPoolSize: atOnce,
      pollInterval: 100,
      taskList: { deliver: (payload) => deliver((payload as { id: string }).id) },
    });
  } else if (kind === 'pg-boss') {
    const boss = new PgBoss({ connectionString, max: atOnce });
    boss.on('error', console.error);
    await boss.start();
    await boss.createQueue('deliver');
    await boss.insert(rows.map(({ id }) => ({ name: 'deliver', data: { id } })));
    process.send?.('ready');
    for (let worker = 0; worker < 4; worker++)
      await boss.work<{ id: string }>(
        'deliver',
        { batchSize: 100, pollingIntervalSeconds: 0.5 },
        async (jobs) => {
          await Promise.all(jobs.map(({ data }) => deliver(data.id)));
        },
      );
  } else {
    process.send?.('ready');
    await Promise.all(Array.from({ length: atOnce }, perRow));
  }
}

void main();
