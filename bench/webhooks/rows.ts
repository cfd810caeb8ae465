import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { createSeal } from '../../db/platform/sealed';
import { merchants } from '../../local/seed/accounts';
import { interviewId } from '../../local/seed/fixed-id';

export const sealingKeys = `bench:${Buffer.alloc(32, 7).toString('base64')}`;
const resultRows = 1_000;
export const merchantIds: readonly string[] = [merchants.main.id, merchants.other.id, merchants.sub.id];

/**
 * Inserts a thousand results for each merchant. Their payloads have about `payloadBytes` bytes of words that do not
 * repeat.
 */
export async function insertResults(admin: Client, payloadBytes: number): Promise<void> {
  const words = Array.from({ length: 4_000 }, () => randomBytes(3).toString('hex'));
  const text = (bytes: number, from: number) => {
    let found = '';
    for (let at = from; found.length < bytes; at = (at * 31 + 7) % words.length) found += `${words[at]} `;
    return found.slice(0, bytes);
  };
  // Names, ids and scores take about 600 bytes of every payload.
  const half = Math.max(0, Math.floor((payloadBytes - 600) / 2));
  // The interview of the first merchant is copied for the other merchants.
  const { rows } = await admin.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'interview' and is_generated = 'NEVER' and column_name not in ('id', 'merchant_id', 'slug')`,
  );
  const columns = rows[0]?.columns ?? '';
  for (const merchantId of merchantIds) {
    const interview = merchantId === merchants.main.id ? interviewId('active') : randomUUID();
    await admin.query(
      `insert into interview (id, merchant_id, ${columns}) select $1, $2, ${columns} from interview where id = $3
       on conflict do nothing`,
      [interview, merchantId, interviewId('active')],
    );
    await admin.query(
      `insert into interview_result (id, merchant_id, environment, interview_id, status, interview_status, processing_status,
         score, ai_analysis, ai_analysis_recruiter)
       select id, $2, 'production', $3, 'active', 'completed', 'completed', 7.5, analysis, recruiter
       from unnest($1::uuid[], $4::text[], $5::text[]) as r (id, analysis, recruiter)`,
      [
        Array.from({ length: resultRows }, () => randomUUID()),
        merchantId,
        interview,
        Array.from({ length: resultRows }, (_, index) => text(half, index)),
        Array.from({ length: resultRows }, (_, index) => text(half, index + 1_000)),
      ],
    );
  }
}

/** Inserts endpoints with these addresses, each with a secret and a custom header, and returns their ids. */
export async function insertEndpoints(
  admin: Client,
  urls: readonly string[],
  merchantId: string = merchants.main.id,
): Promise<string[]> {
  const seal = createSeal(sealingKeys);
  const ids = urls.map(() => randomUUID());
  const secretIds = urls.map(() => randomUUID());
  await admin.query(
    `with made as (
       insert into webhook_endpoint (id, merchant_id, environment, url, events, custom_headers_sealed)
       select id, $1, 'production', url, '{interview_result}', headers from unnest($2::uuid[], $3::text[], $4::bytea[]) as e (id, url, headers)
     )
     insert into webhook_secret (id, merchant_id, environment, endpoint_id, secret_sealed)
     select id, $1, 'production', endpoint_id, secret from unnest($5::uuid[], $2::uuid[], $6::bytea[]) as s (id, endpoint_id, secret)`,
    [
      merchantId,
      ids,
      urls,
      ids.map((id) =>
        seal.seal('{"x-api-key":"b1946ac92492d2347c6235b4d2611184"}', `webhook_endpoint/${id}`),
      ),
      secretIds,
      secretIds.map((id) => seal.seal(`whsec_${randomBytes(32).toString('base64')}`, `webhook_secret/${id}`)),
    ],
  );
  return ids;
}

/** Inserts deliveries for the 1,000 results of the merchant, evenly distributed over the endpoints. */
export async function insertDeliveries(
  admin: Client,
  endpointIds: readonly string[],
  count: number,
): Promise<void> {
  await admin.query(
    `with endpoint as (select merchant_id from webhook_endpoint where id = ($1::uuid[])[1]),
     result as (
       select array_agg(id) as ids from (
         select id from interview_result where merchant_id = (select merchant_id from endpoint) order by random() limit ${resultRows}
       ) r
     )
     insert into webhook_delivery (merchant_id, environment, endpoint_id, event, result_id, reason)
     select endpoint.merchant_id, 'production', ($1::uuid[])[1 + n % cardinality($1::uuid[])], 'interview_result',
       ids[1 + n % cardinality(ids)], 'score'
     from endpoint, result, generate_series(1, $2) n`,
    [endpointIds, count],
  );
}
