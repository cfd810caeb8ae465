import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { createSeal } from '../../db/platform/sealed';
import { resultEvents } from '../../db/webhooks/vocabulary';
import { renderedPayload } from '../../db/webhooks/webhook-payload';
import { merchants } from './accounts';
import { fixedId } from './fixed-id';
import { resultId } from './results';

export const demoEndpointId = fixedId('webhook endpoint demo');
const secretId = fixedId('webhook secret demo');
/**
 * The signing secret of the demo endpoint. It can be the same on every machine, because the endpoint is the local
 * sink.
 */
export const demoSigningSecret = `whsec_${createHash('sha256').update('demo').digest('base64')}`;

/**
 * Seeds an endpoint that sends all events about results to the sink of the fakes, and deliveries of the last days. Call it after
 * the results are seeded; otherwise inserting them would create deliveries. Existing rows stay as they are.
 */
export async function seedWebhooks(
  adminUrl: string,
  { sealingKeys, fakesUrl }: { sealingKeys: string; fakesUrl: string },
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('begin');
    const { rowCount } = await client.query(
      `insert into webhook_endpoint (id, merchant_id, environment, url, description, events, created_at, updated_at)
       values ($1, $2, 'production', $3, 'Local test receiver', $4, now() - interval '8 days', now() - interval '8 days')
       on conflict do nothing`,
      [demoEndpointId, merchants.main.id, `${fakesUrl}/sink/demo`, [...resultEvents]],
    );
    if (rowCount === 1) {
      await client.query(
        `insert into webhook_secret (id, merchant_id, environment, endpoint_id, secret_sealed)
         values ($1, $2, 'production', $3, $4)`,
        [
          secretId,
          merchants.main.id,
          demoEndpointId,
          createSeal(sealingKeys).seal(demoSigningSecret, `webhook_secret/${secretId}`),
        ],
      );
      for (const delivery of past) await insertDelivery(client, delivery);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}

type Answer = { afterSeconds: number; status: number | null };
type Past = {
  event: string;
  key: string;
  index: number;
  hoursAgo: number;
  reason: string;
  answers: Answer[];
};

const ok: Answer[] = [{ afterSeconds: 0, status: 200 }];
/**
 * The times of the attempts of a series, in seconds after the first attempt and without jitter
 * (docs/webhooks.md#attempts-and-schedule).
 */
const schedule = [0, 5, 305, 2_105, 9_305, 27_305, 63_305, 113_705, 185_705, 272_105];
const finished = 'status, processing_status, interview_status, score, ai_analysis_recruiter_score';

const past: Past[] = [
  { event: 'interview_collected', key: 'active', index: 6, hoursAgo: 170, reason: 'interview_status', answers: ok },
  { event: 'interview_result', key: 'active', index: 0, hoursAgo: 160, reason: finished, answers: ok },
  // The receiver was down for days.
  {
    event: 'interview_result',
    key: 'active',
    index: 1,
    hoursAgo: 150,
    reason: finished,
    answers: schedule.map((afterSeconds, index) => ({ afterSeconds, status: index < 4 ? null : 503 })),
  },
  {
    event: 'interview_result',
    key: 'active',
    index: 3,
    hoursAgo: 72,
    reason: finished,
    answers: [
      { afterSeconds: 0, status: 500 },
      { afterSeconds: 5, status: 500 },
      { afterSeconds: 305, status: 200 },
    ],
  },
  { event: 'interview_failed', key: 'active', index: 8, hoursAgo: 49, reason: 'interview_status', answers: ok },
  { event: 'interview_result', key: 'active', index: 7, hoursAgo: 26, reason: 'recruiter_go_next_round', answers: ok },
]; // prettier-ignore

async function insertDelivery(client: Client, { event, key, index, hoursAgo, reason, answers }: Past) {
  const isDelivered = answers.at(-1)?.status === 200;
  const result = resultId(key, index);
  const {
    rows: [delivery],
  } = await client.query<{ id: string; body: string }>(
    `with d as (
       insert into webhook_delivery (id, merchant_id, environment, endpoint_id, event, result_id, reason, state, attempts,
         next_attempt_at, last_outcome, last_status, created_at, finished_at)
       values (uuidv7(-make_interval(hours => $1)), $2, 'production', $3, $4, $5, $6, $7, $8, null, $9, $10,
         now() - make_interval(hours => $1), now() - make_interval(hours => $1, secs => -$11::int)) returning *
     )
     select d.id, ${renderedPayload} as body from d
     join interview_result r on r.merchant_id = d.merchant_id and r.id = d.result_id
     left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id`,
    [
      hoursAgo,
      merchants.main.id,
      demoEndpointId,
      event,
      result,
      reason,
      isDelivered ? 'acknowledged' : 'gave_up',
      answers.length,
      outcomeOf(answers.at(-1)?.status ?? null),
      answers.at(-1)?.status ?? null,
      answers.at(-1)?.afterSeconds ?? 0,
    ],
  );
  for (const [place, { afterSeconds, status }] of answers.entries())
    await client.query(
      `insert into webhook_attempt (merchant_id, environment, delivery_id, series, attempt, started_at, outcome, status,
         error, request_headers, request_body, response_headers, response_body, peer_address, connect_ms, first_byte_ms,
         total_ms)
       values ($1, 'production', $2, 1, $3, now() - make_interval(hours => $4, secs => -$5::int), $6, $7, $8, $9, $10,
         $11, $12, '127.0.0.1', $13, $14, $15)`,
      [
        merchants.main.id,
        delivery?.id,
        place + 1,
        hoursAgo,
        afterSeconds,
        outcomeOf(status),
        status,
        status === null ? 'connection refused' : null,
        JSON.stringify({
          'content-type': 'application/json',
          'webhook-id': delivery?.id,
          'webhook-signature': 'v1,…',
          'x-platform-event': event,
          'x-platform-attempt': String(place + 1),
        }),
        delivery?.body,
        status === null ? null : JSON.stringify({ 'content-type': 'text/plain; charset=utf-8' }),
        status === null ? null : status === 200 ? 'ok' : 'not now',
        ...(status === null ? [null, null, 0.6] : [0.4, 3.1 + place, 3.4 + place]),
      ],
    );
}

const outcomeOf = (status: number | null) =>
  status === null ? 'network' : status === 200 ? 'acknowledged' : 'refused';
