import type { Value } from '../../../db/reports/checked-report';
import { localMs } from './local-time';

/** A row of report_attempt with its interview, template, position and recruiter. Times are in milliseconds. */
export type Attempt = {
  instant: number;
  started_at: number | null;
  ended_at: number | null;
  submitted_at: number | null;
  decided_at: number | null;
  interview_status: string | null;
  status: string;
  processing_status: string | null;
  attempt: number;
  interview_id: string;
  position_id: string | null;
  profile_id: string | null;
  environment: string;
  language: string;
  source: string | null;
  is_test: boolean;
  is_shortlisted: boolean;
  has_risk_flags: boolean;
  decision: boolean | null;
  score: number | null;
  recruiter_score: number | null;
  pronunciation: number | null;
  words_per_minute: number | null;
  coverage: number | null;
  evidence_verified: number | null;
  duration: number | null;
  interview: { type: string; name: string; interview_department: string | null; interview_location: string };
  template: { type: string };
  position: { name: string; interview_department: string | null; interview_location: string } | null;
  recruiter: string | null;
};

export const isCompleted = ({ interview_status: status }: Attempt) =>
  status === 'completed' || status === 'completed, stopped early';
const isFailed = ({ interview_status: status }: Attempt) =>
  status === 'failed' || status === 'terminated, no speech detected';
const isUndecided = (row: Attempt) =>
  isCompleted(row) &&
  row.status === 'active' &&
  row.processing_status === 'completed' &&
  row.decision === null;

const bandOf = (score: number | null): string | null => {
  if (score === null) return null;
  if (score < 4) return '0-4';
  if (score < 6) return '4-6';
  return score < 8 ? '6-8' : '8-10';
};

/** The value of each dimension of interview_results. Dates are in milliseconds. */
export const dimensionValues: Record<string, (row: Attempt, zone: string) => Value | null> = {
  completed_at: (row) => (isCompleted(row) ? row.ended_at : null),
  started_at: (row) => row.started_at,
  interview_id: (row) => row.interview_id,
  position_id: (row) => row.position_id,
  interview_type: ({ interview }) => interview.type,
  interview_status: (row) => row.interview_status,
  status: (row) => row.status,
  decision: (row) => {
    if (row.decision !== null) return row.decision ? 'advance' : 'reject';
    return isUndecided(row) ? 'undecided' : null;
  },
  score_band: ({ score }) => bandOf(score),
  environment: (row) => row.environment,
  language: (row) => row.language,
  template_type: ({ template }) => template.type,
  source: (row) => row.source,
  day_of_week: ({ instant }, zone) => String(new Date(localMs(instant, zone)).getUTCDay() || 7),
  hour_of_day: ({ instant }, zone) => new Date(localMs(instant, zone)).getUTCHours(),
  department: ({ position, interview }) => position?.interview_department ?? interview.interview_department,
  attempt: (row) => row.attempt,
  is_test: (row) => row.is_test,
  is_voice_only: ({ template }) => template.type === 'interactive_voice',
  has_risk_flags: (row) => row.has_risk_flags,
  interview_name: ({ interview }) => interview.name,
  position_name: ({ position }) => position?.name ?? null,
  location: ({ position, interview }) => position?.interview_location ?? interview.interview_location,
  recruiter: (row) => row.recruiter,
};

type Rows = readonly Attempt[];
const countOf = (rows: Rows, test: (row: Attempt) => boolean) => rows.filter(test).length;
const valuesOf = (rows: Rows, value: (row: Attempt) => number | null): number[] =>
  rows
    .filter(isCompleted)
    .map(value)
    .filter((each) => each !== null);
const averageOf = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
const ratio = (of: number, by: number): number | null => (by === 0 ? null : of / by);

/** Computes what `percentile_cont` of Postgres returns. */
function percentileOf(values: number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  if (sorted.length === 0) return null;
  const place = share * (sorted.length - 1);
  const [low = 0, high = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (place - Math.floor(place)) * (high - low);
}

const isRetake = (row: Attempt) => isCompleted(row) && row.attempt > 1;

/** The value of each measure of interview_results. */
export const measureValues: Record<string, (rows: Rows) => number | null> = {
  started: (rows) => countOf(rows, (row) => row.started_at !== null),
  completed: (rows) => countOf(rows, isCompleted),
  abandoned: (rows) => countOf(rows, (row) => row.interview_status === 'abandoned'),
  failed: (rows) => countOf(rows, isFailed),
  candidates: (rows) => new Set(rows.flatMap(({ profile_id }) => profile_id ?? [])).size,
  retakes: (rows) => countOf(rows, isRetake),
  shortlisted: (rows) => countOf(rows, (row) => row.is_shortlisted),
  advanced: (rows) => countOf(rows, (row) => row.decision === true),
  rejected: (rows) => countOf(rows, (row) => row.decision === false),
  undecided: (rows) => countOf(rows, isUndecided),
  with_risk_flags: (rows) => countOf(rows, (row) => row.has_risk_flags),
  completion_rate: (rows) =>
    ratio(
      countOf(rows, isCompleted),
      countOf(rows, (row) => row.started_at !== null),
    ),
  shortlist_rate: (rows) =>
    ratio(
      countOf(rows, (row) => isCompleted(row) && row.is_shortlisted),
      countOf(rows, isCompleted),
    ),
  retake_rate: (rows) => ratio(countOf(rows, isRetake), countOf(rows, isCompleted)),
  avg_coverage: (rows) => averageOf(valuesOf(rows, (row) => row.coverage)),
  evidence_verified_rate: (rows) => averageOf(valuesOf(rows, (row) => row.evidence_verified)),
  avg_score: (rows) => averageOf(valuesOf(rows, (row) => row.score)),
  median_score: (rows) =>
    percentileOf(
      valuesOf(rows, (row) => row.score),
      0.5,
    ),
  p90_score: (rows) =>
    percentileOf(
      valuesOf(rows, (row) => row.score),
      0.9,
    ),
  avg_recruiter_score: (rows) => averageOf(valuesOf(rows, (row) => row.recruiter_score)),
  avg_pronunciation: (rows) => averageOf(valuesOf(rows, (row) => row.pronunciation)),
  avg_words_per_minute: (rows) => averageOf(valuesOf(rows, (row) => row.words_per_minute)),
  avg_duration: (rows) => averageOf(valuesOf(rows, (row) => row.duration)),
  median_duration: (rows) =>
    percentileOf(
      valuesOf(rows, (row) => row.duration),
      0.5,
    ),
  avg_time_to_decision: (rows) =>
    averageOf(
      valuesOf(rows, (row) => {
        const submitted = row.submitted_at ?? row.ended_at;
        return row.decided_at === null || submitted === null ? null : (row.decided_at - submitted) / 1000;
      }),
    ),
  last_completed_at: (rows) => {
    const ends = valuesOf(rows, (row) => row.ended_at);
    return ends.length === 0 ? null : Math.max(...ends);
  },
};
