import type { MerchantScope } from '../platform/caller';
import type { Statement } from '../platform/statement';

/*
 * Statements that find and delete what merchants no longer keep (docs/operations.md#retention). Each merchant has
 * settings for how long recordings, drafts and results are kept.
 */

export type ExpiredRecording = { merchant_id: string; result_id: string; attempt: number; path: string };

/**
 * Finds the files of recordings and résumés that are older than their merchant's retention time, and of résumés that were
 * not stored within an hour, over all merchants.
 */
export const findExpiredRecordings = (limitRows: number): Statement<ExpiredRecording> => ({
  name: 'find_expired_recordings',
  text: `
    select found.* from (
      select m.id, now() - make_interval(days => m.recording_retention_days) as cutoff from merchant m
    ) m cross join lateral (
      (
        select c.merchant_id, c.result_id, c.attempt, c.path from recording c
        where c.merchant_id = m.id and c.created_at < m.cutoff limit $1
      ) union (
        select c.merchant_id, c.result_id, c.attempt, c.path from resume c
        where c.merchant_id = m.id and c.created_at < m.cutoff limit $1
      ) union (
        select c.merchant_id, c.result_id, c.attempt, c.path from resume c
        where c.merchant_id = m.id and c.stored_at is null and c.created_at < now() - interval '1 hour' limit $1
      ) union (
        select q.merchant_id, q.result_id, q.attempt, q.recording_local_path from result_question q
        where q.merchant_id = m.id and q.created_at < m.cutoff and q.recording_local_path is not null limit $1
      ) union (
        select r.merchant_id, r.id, r.attempt, p.path
        from interview_result r, unnest(array[r.recording_local_path, r.video_introduction_local_path]) p (path)
        where r.merchant_id = m.id and r.created_at < m.cutoff
          and (r.recording_local_path is not null or r.video_introduction_local_path is not null)
          and coalesce(r.ended_at, r.started_at, r.created_at) < m.cutoff and p.path is not null limit $1
      ) union (
        select a.merchant_id, a.result_id, a.attempt, p.path
        from interview_result_attempt a, unnest(array[a.fields ->> 'recording_local_path',
          a.fields ->> 'video_introduction_local_path']) p (path)
        where a.merchant_id = m.id and a.reopened_at < m.cutoff and p.path is not null
          and (a.fields ->> 'recording_local_path' is not null
            or a.fields ->> 'video_introduction_local_path' is not null)
        limit $1
      )
    ) found limit $1`,
  values: [limitRows],
});

/** Removes the path of a deleted file from the result, and deletes the row of the recording. */
export const forgetRecording = ({ merchant_id, result_id, attempt, path }: ExpiredRecording): Statement => ({
  name: 'forget_recording',
  text: 'select app.forget_recording($1, $2, $3, $4)',
  values: [merchant_id, result_id, attempt, path],
});

export type ExpiredAttempt = MerchantScope & { result_id: string; attempt: number };

/**
 * Finds attempts that are older than the retention times of their merchant. The age of a draft counts from its last
 * activity, and that of a submitted attempt from its submission. The age of an attempt in the history counts from the
 * time when it came there. Skips visits of public avatars, attempts that are still open, and the results in
 * `exceptIds`.
 */
export const findExpiredAttempts = (
  limitRows: number,
  exceptIds: readonly string[],
): Statement<ExpiredAttempt> => ({
  name: 'find_expired_attempts',
  text: `
    select found.* from (
      select m.id, now() - make_interval(days => m.draft_retention_days) as draft_cutoff,
        now() - make_interval(days => m.result_retention_days) as cutoff
      from merchant m
    ) m cross join lateral (
      (
        select r.merchant_id, r.environment, r.id as result_id, r.attempt from interview_result r
        where r.merchant_id = m.id and r.erased_at is null and r.status = 'active' and r.created_at < m.cutoff
          and coalesce(r.submitted_at, r.ended_at, r.created_at) < m.cutoff and r.id <> all ($2)
        limit $1
      ) union all (
        select r.merchant_id, r.environment, r.id, r.attempt from interview_result r
        where r.merchant_id = m.id and r.erased_at is null and r.status = 'draft' and r.created_at < m.draft_cutoff
          and not r.is_visit
          and coalesce(r.last_active_at, r.ended_at, r.started_at, r.created_at) < m.draft_cutoff
          and r.interview_status is distinct from 'started' and r.id <> all ($2)
        limit $1
      ) union all (
        select a.merchant_id, a.environment, a.result_id, a.attempt from interview_result_attempt a
        where a.merchant_id = m.id and a.reopened_at < m.cutoff and a.fields ->> 'status' = 'active'
          and a.result_id <> all ($2)
        limit $1
      ) union all (
        select a.merchant_id, a.environment, a.result_id, a.attempt from interview_result_attempt a
        where a.merchant_id = m.id and a.reopened_at < m.draft_cutoff and a.fields ->> 'status' = 'draft'
          and not a.is_open and a.result_id <> all ($2)
        limit $1
      )
    ) found limit $1`,
  values: [limitRows, exceptIds],
});

/** Deletes the messages that the candidate has sent about an attempt. */
export const eraseMessages = ({ result_id, attempt }: ExpiredAttempt): Statement => ({
  name: 'erase_messages',
  text: 'select app.erase_messages($1, $2)',
  values: [result_id, attempt],
});

/** Deletes requests for more time that have passed their merchant's retention time of drafts, over all merchants. */
export const eraseTimeRequests: Statement = {
  name: 'erase_time_requests',
  text: 'select app.erase_time_requests()',
};

/** Erases the answers, scores and analyses of an attempt. `erased` is false while the attempt is running. */
export const eraseAttempt = ({ result_id, attempt }: ExpiredAttempt): Statement<{ erased: boolean }> => ({
  name: 'erase_attempt',
  text: 'select app.erase_attempt($1, $2) as erased',
  values: [result_id, attempt],
});
