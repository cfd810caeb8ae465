import type { Statement } from '../platform/statement';

type RatesFilter = {
  /** The beginning (inclusive) and the end (exclusive) of the period, in ISO 8601. */
  from: string;
  until: string;
  /** Limits the counts to this interview, or to the interviews of this position. */
  interview_id: string | undefined;
  /** If set, the rows are not split into months, and this is the name of the whole period. */
  label: string | undefined;
  limit: number;
};

/**
 * The counts of one interview, position and period. Scores are the computed ones, scaled to 0–10. The counts `scored`,
 * `insufficient_evidence`, `not_scored` and `scores_deleted` add up to `submitted`.
 */
export type ScoringStatistics = {
  interview_id: string;
  interview_name: string;
  interview_type: string;
  position_id: string | null;
  position_name: string | null;
  period: string;
  submitted: number;
  scored: number;
  insufficient_evidence: number;
  not_scored: number;
  scores_deleted: number;
  flagged_for_review: number;
  overridden: number;
  mean_score: number | null;
  median_score: number | null;
  above_median: number;
  at_or_above_median: number;
  weak: number;
  moderate: number;
  strong: number;
  selected: number;
  rejected: number;
  undecided: number;
};

/** `is_known` is false if the caller has no interview or position with the id. */
type Found = { is_known: boolean; rates: ScoringStatistics[] };

/**
 * Counts the results of each interview, position and month, without data of people (docs/scoring.md#bias-audits). Each
 * result counts once, with its latest attempt, if that was submitted. Test results do not count.
 */
export const findScoringRates = ({
  from,
  until,
  interview_id,
  label,
  limit,
}: RatesFilter): Statement<Found> => ({
  text: `
    with counted as (
      select a.interview_id, a.position_id, coalesce($4, to_char(a.submitted_at at time zone 'UTC', 'YYYY-MM')) as period,
        a.decision, r.processing_status = 'completed' as is_processed, r.erased_at is not null as is_deleted,
        coalesce(run.needs_review, false) as needs_review, person.score is not null as is_overridden,
        -- A person's score replaces the computed one in the result, so the computed one is read where it is kept.
        case when person.score is null then a.score
          else case when run.is_scored then run.score else person.score_ai end * 10
            / app.max_score_of(a.merchant_id, a.result_id, a.attempt)
        end::float8 as score
      from report_attempt a
      join interview_result r
        on r.merchant_id = a.merchant_id and r.id = a.result_id and r.attempt = a.attempt and r.status = 'active'
      join interview i on i.merchant_id = a.merchant_id and i.id = a.interview_id
      left join lateral (
        select true as is_scored, s.needs_review, (s.scores ->> 'score')::numeric as score from score_record s
        where s.merchant_id = a.merchant_id and s.result_id = a.result_id and s.attempt = a.attempt
          and s.state = 'scored'
        order by s.run desc limit 1
      ) run on true
      left join lateral (
        select d.score, d.score_ai from score_decision d
        where d.merchant_id = a.merchant_id and d.result_id = a.result_id and d.attempt = a.attempt
          and d.question_id is null
        order by d.id desc limit 1
      ) person on true
      -- The instant is never after the submit. Its condition only lets Postgres use the index.
      where a.submitted_at >= $1 and a.submitted_at < $2 and a.instant < $2 and not a.is_test
        and i.type in ('interview', 'persona_interview', 'assessment')
        and ($3::uuid is null or a.interview_id = $3 or a.position_id = $3)
    ), grouped as (
      select interview_id, position_id, period, count(*)::int as submitted, count(score)::int as scored,
        count(*) filter (where score is null and is_processed and not is_deleted)::int as insufficient_evidence,
        count(*) filter (where score is null and is_processed is not true and not is_deleted)::int as not_scored,
        count(*) filter (where score is null and is_deleted)::int as scores_deleted,
        count(*) filter (where needs_review)::int as flagged_for_review,
        count(*) filter (where is_overridden)::int as overridden,
        avg(score) as mean_score, percentile_cont(0.5) within group (order by score) as median_score,
        array_agg(score) filter (where score is not null) as scores,
        count(*) filter (where score < 4)::int as weak,
        count(*) filter (where score >= 4 and score < 7)::int as moderate,
        count(*) filter (where score >= 7)::int as strong,
        count(*) filter (where decision)::int as selected, count(*) filter (where not decision)::int as rejected,
        count(*) filter (where decision is null)::int as undecided
      from counted group by interview_id, position_id, period
    ), named as (
      select g.interview_id, i.name as interview_name, i.type as interview_type, g.position_id, p.name as position_name,
        g.period, g.submitted, g.scored, g.insufficient_evidence, g.not_scored, g.scores_deleted, g.flagged_for_review,
        g.overridden, g.mean_score, g.median_score,
        (select count(*) from unnest(g.scores) s where s > g.median_score)::int as above_median,
        (select count(*) from unnest(g.scores) s where s >= g.median_score)::int as at_or_above_median,
        g.weak, g.moderate, g.strong, g.selected, g.rejected, g.undecided
      from grouped g
      join interview i on i.id = g.interview_id
      left join position p on p.id = g.position_id
      order by i.name, g.interview_id, p.name nulls first, g.position_id, g.period limit $5
    )
    select $3::uuid is null or exists (select from interview i where i.id = $3 and i.status <> 'deleted')
        or exists (select from position p where p.id = $3 and p.status <> 'deleted') as is_known,
      coalesce((select jsonb_agg(n) from named n), '[]') as rates`,
  values: [from, until, interview_id ?? null, label ?? null, limit],
});
