import type { Statement } from '../platform/statement';
import type { ScoreChange } from './write-scores';

/** A run of the scoring as the console shows it. Times are in ISO 8601. */
export type ReviewedRun = {
  run: number;
  state: string;
  failure: string | null;
  requested_at: string;
  /** Who asked for the run. Null for the run that the submission started. */
  requested_by: string | null;
  ended_at: string | null;
  /** Seconds between the beginning and the end of the run. */
  seconds: number | null;
  model: string | null;
  prompt_version: string | null;
  rubric_version: string | null;
  samples: number | null;
  spread: number | null;
  verified_share: number | null;
  needs_review: boolean | null;
  tokens: number | null;
  cost_usd: number | null;
  score: number | null;
  changes: ScoreChange[];
};

/** A score that a person has set. `score` is null if the decision was withdrawn. */
export type ScoreDecision = {
  question_id: string | null;
  score: number | null;
  score_ai: number | null;
  reason: string;
  decided_by: string | null;
  decided_at: string;
};

/** The runs of the scoring of an attempt and the scores that people have set, latest first. */
export type ScoreReview = { max_score: number; runs: ReviewedRun[]; decisions: ScoreDecision[] };

const instant = (source: string) => `to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
/**
 * Returns SQL for the name of a person in the merchant's team, or of one of its service keys. All others, such as
 * platform admins, have no name here, because they belong to other accounts. `id` is the SQL for the id.
 */
const nameOf = (id: string) => `coalesce(
  (select n.name from app.names_of_team(array[${id}]) n),
  (select coalesce(k.name, 'Service key') from service_key k where k.merchant_id = r.merchant_id and k.id = ${id}),
  'Someone outside your team'
)`;

/** Finds the last 20 runs of the scoring of an attempt and the last 100 scores that people have set. */
export const findScoreReview = (resultId: string, attempt: number): Statement<ScoreReview> => ({
  name: 'find_score_review',
  text: `
    select app.max_score_of(r.merchant_id, r.id, $2)::float8 as max_score,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'run', s.run, 'state', s.state, 'failure', s.failure, 'requested_at', ${instant('s.requested_at')},
          'requested_by', case when s.requested_by is not null then ${nameOf('s.requested_by')} end,
          'ended_at', ${instant('s.ended_at')}, 'seconds', extract(epoch from s.ended_at - s.began_at),
          'model', s.model, 'prompt_version', s.prompt_version, 'rubric_version', s.rubric_version,
          'samples', s.samples, 'spread', s.spread, 'verified_share', s.verified_share,
          'needs_review', s.needs_review, 'tokens', s.prompt_tokens + s.completion_tokens, 'cost_usd', s.cost_usd,
          'score', s.scores -> 'score', 'changes', coalesce(s.changes, '[]')
        ) order by s.run desc)
        from (
          select * from score_record s
          where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = $2
          order by s.run desc limit 20
        ) s
      ), '[]') as runs,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'question_id', d.question_id, 'score', d.score, 'score_ai', d.score_ai, 'reason', d.reason,
          'decided_by', ${nameOf('d.decided_by')}, 'decided_at', ${instant('d.decided_at')}
        ) order by d.id desc)
        from (
          select * from score_decision d
          where d.merchant_id = r.merchant_id and d.result_id = r.id and d.attempt = $2
          order by d.id desc limit 100
        ) d
      ), '[]') as decisions
    from interview_result r where r.id = $1`,
  values: [resultId, attempt],
});
