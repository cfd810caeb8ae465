import type { Statement } from './statement';

type IdempotencyRow = {
  id: string;
  same_request: boolean;
  reply_sealed: Buffer | null;
  created: boolean;
};

/**
 * Claims the key for 70 seconds (the default of `lease_until`). If another call has the key, returns that call's row.
 * Returns no row when another call claims the key at the same moment.
 *
 * After 24 hours, the key can be claimed again and gets a new id. If the first call's lease ended without a reply,
 * the key can be claimed again with the same id, so that a retried create finds what the first call created.
 */
export const claimIdempotencyKey = (
  key: string,
  operation: string,
  bodyHash: Buffer,
): Statement<IdempotencyRow> => ({
  name: 'claim_idempotency_key',
  text: `
    with inserted as (
      insert into idempotency_key (key, operation, body_hash) values ($1, $2, $3)
      on conflict do nothing
      returning id
    ),
    resumed as (
      update idempotency_key set
        id = case when created_at < now() - interval '24 hours' then uuidv7() else id end,
        created_at = case when created_at < now() - interval '24 hours' then now() else created_at end,
        operation = $2, body_hash = $3, reply_sealed = null, lease_until = now() + interval '70 seconds'
      where caller_id = app.caller_id() and key = $1 and (
        created_at < now() - interval '24 hours'
        or (operation = $2 and body_hash = $3 and reply_sealed is null and lease_until < now())
      )
      returning id
    )
    select id, true as same_request, null::bytea as reply_sealed, true as created from inserted
    union all
    select id, true, null, true from resumed
    union all
    select id, operation = $2 and body_hash = $3, reply_sealed, false from idempotency_key
    where caller_id = app.caller_id() and key = $1 and not exists (select from resumed)`,
  values: [key, operation, bodyHash],
});

export const keepIdempotentReply = (id: string, replySealed: Buffer): Statement => ({
  name: 'keep_idempotent_reply',
  text: 'update idempotency_key set reply_sealed = $2 where id = $1',
  values: [id, replySealed],
});

export const releaseIdempotencyKey = (id: string): Statement => ({
  text: 'delete from idempotency_key where id = $1 and reply_sealed is null',
  values: [id],
});

/**
 * Releases the key, so that the same call can be retried without waiting for the lease to end. The retry finds what
 * the first call created.
 */
export const endIdempotencyLease = (id: string): Statement => ({
  text: 'update idempotency_key set lease_until = now() where id = $1 and reply_sealed is null',
  values: [id],
});

/** Deletes keys that are older than 24 hours. */
export const deleteExpiredIdempotencyKeys: Statement = {
  text: `delete from idempotency_key where created_at < now() - interval '24 hours'`,
};
