import type { Statement } from '../platform/statement';
import type { DeliveryAttemptRow } from './delivery-history';

/*
 * Statements that read a delivery's attempts for the console. Pages have a limit in bytes, because responses of
 * receivers can have any size.
 */

type AttemptPage = {
  limit: number;
  offset: number;
  /**
   * The maximum number of bytes of requests and responses on a page. The first attempt of a page is returned in full
   * even if it exceeds the limit.
   */
  maxBytes: number;
  /** If set, the page contains only this attempt. */
  only?: { series: number; attempt: number } | undefined;
};

/**
 * An attempt on a page. If `is_left_out` is true, its headers and bodies are null, because they would make the page
 * exceed `maxBytes`.
 */
export type ListedAttempt = DeliveryAttemptRow & { is_left_out: boolean };

/** Returns a page of a delivery's attempts, newest first. */
export const listAttemptPage = (
  deliveryId: string,
  { limit, offset, maxBytes, only }: AttemptPage,
): Statement<ListedAttempt> => ({
  name: 'list_attempt_page',
  text: `
    with page as materialized (
      select *, coalesce(octet_length(request_headers::text), 0) + coalesce(octet_length(request_body), 0)
        + coalesce(octet_length(response_headers::text), 0) + coalesce(octet_length(response_body), 0) as bytes
      from webhook_attempt
      where delivery_id = $1 and ($5::int is null or (series = $5 and attempt = $6::int))
      order by series desc, attempt desc limit $2 offset $3
    ),
    measured as (
      select *, bytes > 0 and row_number() over newest > 1 and sum(bytes) over newest > $4 as is_left_out
      from page window newest as (order by series desc, attempt desc)
    )
    select series, attempt, started_at, outcome, status, error, triggered_by, peer_address, dns_ms, connect_ms, tls_ms,
      first_byte_ms, total_ms, is_truncated, is_left_out,
      case when not is_left_out then request_headers end as request_headers,
      case when not is_left_out then request_body end as request_body,
      case when not is_left_out then response_headers end as response_headers,
      case when not is_left_out then response_body end as response_body
    from measured order by series desc, attempt desc`,
  values: [deliveryId, limit, offset, maxBytes, only?.series ?? null, only?.attempt ?? null],
});

export type LastAttempt = Pick<DeliveryAttemptRow, 'attempt' | 'outcome' | 'status' | 'error'> & {
  total: number;
};

/**
 * Returns the newest attempt of a delivery and the number of the delivery's attempts. Returns no row before the first
 * attempt.
 */
export const findLastAttempt = (deliveryId: string): Statement<LastAttempt> => ({
  name: 'find_last_attempt',
  text: `
    select attempt, outcome, status, error,
      (select count(*)::int from webhook_attempt where delivery_id = $1) as total
    from webhook_attempt where delivery_id = $1 order by series desc, attempt desc limit 1`,
  values: [deliveryId],
});
