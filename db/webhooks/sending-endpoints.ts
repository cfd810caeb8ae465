import type { Statement } from '../platform/statement';

/** The data of an endpoint that the sender needs. */
export type SendingEndpoint = {
  id: string;
  version: number;
  url: string;
  custom_headers_sealed: Buffer | null;
  timeout_seconds: number;
  retry_waits_ms: number[] | null;
  /** The secrets that sign the deliveries. `ends_s` is when a secret ends, in seconds since 1970; null means never. */
  secrets: { id: string; sealed: string; ends_s: number | null }[];
};

/** Returns endpoints with their sealed secrets. `sealed` is base64. */
export const findSendingEndpoints = (ids: readonly string[]): Statement<SendingEndpoint> => ({
  name: 'find_sending_endpoints',
  text: `
    select e.id, e.version, e.url, e.custom_headers_sealed, e.timeout_seconds, e.retry_waits_ms,
      coalesce(s.secrets, '[]') as secrets
    from unnest($1::uuid[]) as asked (id)
    cross join lateral (select * from webhook_endpoint e where e.id = asked.id limit 1) e
    left join lateral (
      select json_agg(json_build_object('id', s.id, 'sealed', translate(encode(s.secret_sealed, 'base64'), E'\\n', ''),
        'ends_s', extract(epoch from s.expires_at)::float8) order by s.id desc) as secrets
      from webhook_secret s
      where s.merchant_id = e.merchant_id and s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())
    ) s on true`,
  values: [ids],
});
