import type { Statement } from '../platform/statement';
import type { Environment } from '../platform/vocabulary';

/*
 * The runs of the scoring of an attempt (docs/results.md#scoring). A run is open if it is the latest run of the
 * current attempt and has no outcome yet. Every statement that writes checks that its run is open.
 */

export type RunKey = { result_id: string; attempt: number; run: number };

/** SQL that is true for an open run. `r` is the result and `s` the record of the run. */
const isOpen = `(
    r.attempt = $2 and r.scoring_run = $3 and r.status = 'active' and r.erased_at is null
    and s.state in ('queued', 'running')
    and (s.requested_by is not null or r.processing_status in ('queued', 'processing'))
  )`;
const ofRun = `score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = $2 and s.run = $3`;
const valuesOf = ({ result_id, attempt, run }: RunKey) => [result_id, attempt, run];

/**
 * Locks a run and its result until the end of the transaction. No row means that the run is not open, also if it has
 * ended while this waited for the lock.
 */
export const lockRun = (
  key: RunKey,
): Statement<{ merchant_id: string; environment: Environment; is_rescore: boolean }> => ({
  name: 'lock_scoring_run',
  text: `
    select r.merchant_id, r.environment, s.requested_by is not null as is_rescore
    from interview_result r join ${ofRun} where r.id = $1 and ${isOpen} for update of r, s`,
  values: valuesOf(key),
});

/** Marks a run as running, and its result as being scored. The caller has locked the result (`lockRun`). */
export const beginRun = (key: RunKey, merchantId: string): Statement => ({
  name: 'begin_scoring_run',
  text: `
    with begun as (
      update score_record set state = 'running', began_at = coalesce(began_at, clock_timestamp())
      where merchant_id = $4 and result_id = $1 and attempt = $2 and run = $3
    )
    update interview_result set processing_status = 'processing' where id = $1 and processing_status = 'queued'`,
  values: [...valuesOf(key), merchantId],
});

/**
 * Ends a run without scores. The caller has locked the result (`lockRun`). A result that was scored before keeps its
 * scores and its `processing_status`. Another one is refunded.
 */
export const failRun = (key: RunKey, merchantId: string, failure: string): Statement => ({
  name: 'fail_scoring_run',
  text: `
    with failed as (
      update score_record set state = 'failed', failure = $5, ended_at = clock_timestamp()
      where merchant_id = $4 and result_id = $1 and attempt = $2 and run = $3
    ), unscored as (
      update interview_result set processing_status = 'failed'
      where id = $1 and processing_status in ('queued', 'processing') returning id
    )
    select app.refund_result(id, $2) from unscored`,
  values: [...valuesOf(key), merchantId, failure],
});

/**
 * Fails an attempt whose answers are all lost because of the platform, and returns whether they are. The caller has locked
 * the result (`lockRun`).
 */
export const failIfAnswersLost = ({ result_id, attempt }: RunKey): Statement<{ is_failed: boolean }> => ({
  name: 'fail_unheard_attempt',
  text: 'select app.fail_unheard($1, $2) as is_failed',
  values: [result_id, attempt],
});

/** Finds out if a run has written its scores. No row means that it has not. */
export const findScoredRun = (key: RunKey): Statement => ({
  name: 'find_scored_run',
  text: `select from interview_result r join ${ofRun} where r.id = $1 and s.state = 'scored'`,
  values: valuesOf(key),
});

/**
 * Marks a run as superseded if it is no longer open but has no outcome, so that the console does not show it as
 * running.
 */
export const supersedeRun = (key: RunKey): Statement => ({
  name: 'supersede_scoring_run',
  text: `
    update score_record s set state = 'superseded', ended_at = clock_timestamp()
    from interview_result r
    where r.id = $1 and s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = $2 and s.run = $3
      and s.state in ('queued', 'running') and not ${isOpen}`,
  values: valuesOf(key),
});

/** Counts the answers of a run's attempt that have no transcript yet. */
export const countPendingTranscripts = ({ result_id, attempt }: RunKey): Statement<{ pending: number }> => ({
  name: 'count_pending_transcripts',
  text: `
    select count(*)::int as pending from interview_result r
    join result_question q on q.merchant_id = r.merchant_id and q.result_id = r.id and q.attempt = $2
    where r.id = $1 and q.transcript_status = 'pending'`,
  values: [result_id, attempt],
});

export type OpenRun = RunKey & { requested_at: string };

/**
 * Lists runs of all merchants that have not ended, oldest first, starting after the run `after`. Leaves out runs that
 * were requested in the last minute and runs whose workflow has not started yet.
 */
export const listOpenRuns = (after: OpenRun | undefined, limit: number): Statement<OpenRun> => ({
  name: 'list_open_scoring_runs',
  text: `
    select s.result_id, s.attempt, s.run, s.requested_at::text as requested_at
    from score_record s
    where s.state in ('queued', 'running') and s.requested_at < now() - interval '1 minute'
      and ($1::timestamptz is null or (s.requested_at, s.result_id) > ($1, $2::uuid))
      and not exists (
        select from workflow_start w
        where w.workflow_id = 'result-scoring/' || s.result_id || '/' || s.attempt || '/' || s.run
      )
    order by s.requested_at, s.result_id limit $3`,
  values: [after?.requested_at ?? null, after?.result_id ?? null, limit],
});

export type ScoringCounts = {
  /**
   * `open` is the number of results whose scoring run has not ended. `oldest_age_s` is the number of seconds since
   * the oldest of these runs was requested.
   */
  open: number;
  oldest_age_s: number;
  failed: number;
};

/** Counts results, over all merchants, whose scoring has not ended or has failed. */
export const countUnfinishedScoring: Statement<ScoringCounts> = {
  name: 'count_scoring',
  text: `
    select count(*) filter (where s.state in ('queued', 'running'))::int as open,
      coalesce(extract(epoch from now() - min(s.requested_at) filter (where s.state in ('queued', 'running'))), 0)::float8
        as oldest_age_s,
      count(*) filter (where s.state = 'failed')::int as failed
    from score_record s
    join interview_result r on r.merchant_id = s.merchant_id and r.id = s.result_id and r.attempt = s.attempt
      and r.scoring_run = s.run
    where s.state in ('queued', 'running', 'failed')`,
};
