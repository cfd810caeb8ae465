import pino from 'pino';
import { Registry } from 'prom-client';
import { runWebhookMaintenance } from '../../../activities/webhooks/webhook-maintenance';
import { createWebhookGauges } from '../../../activities/webhooks/webhook-metrics';
import { until } from '../../harness/wait-for';
import { ours } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});

describe('webhook_queue_age_seconds', () => {
  it.each([
    ['paused ones with deliveries', `'by_hand'`],
    ['open ones with deliveries', 'null'],
  ])('includes an old queue whose id comes after 2,100 other endpoints: %s', async (_, reason) => {
    const { rows } = webhooks.database;
    await rows('truncate webhook_delivery, webhook_attempt, webhook_endpoint cascade');
    await rows(
      `insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at)
       select $1, $2, 'http://a.example', '{interview_failed}', ${reason}, case when ${reason} is not null then now() end
       from generate_series(1, 2100)`,
      [ours.merchant_id, ours.environment],
    );
    await rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason, next_attempt_at)
       select merchant_id, environment, id, 'test', 'test', case when ${reason} is not null then now() - interval '1 day' else now() end
       from webhook_endpoint`,
    );
    // The scan visits endpoints in the order of their ids, so this endpoint comes last.
    const id = 'ffffffff-0000-7000-8000-000000000000';
    await rows(
      `insert into webhook_endpoint (id, merchant_id, environment, url, events)
       values ($1, $2, $3, 'http://a.example', '{interview_failed}')`,
      [id, ours.merchant_id, ours.environment],
    );
    await webhooks.deliveries(id, 1, { next_attempt_at: new Date(Date.now() - 7_200_000) });
    const registry = new Registry();
    const stop = new AbortController();
    const maintenance = runWebhookMaintenance(
      {
        database: webhooks.worker,
        retentionDays: 90,
        gauges: createWebhookGauges(registry),
        log: pino({ level: 'silent' }),
      },
      stop.signal,
    );
    const valueOf = async (name: string) =>
      (await registry.getSingleMetric(name)?.get())?.values.map(({ value }) => value) ?? [];
    await until(
      'the gauge of queued deliveries',
      () => valueOf('webhook_deliveries'),
      ([queued]) => queued === 2_101,
    );
    stop.abort();
    await maintenance;
    const [age = 0] = await valueOf('webhook_queue_age_seconds');
    expect([age >= 7_200, age < 43_200]).toEqual([true, true]);
  });
});
