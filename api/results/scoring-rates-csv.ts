import type { ScoringStatistics } from '../../db/scoring/public';
import { writeCsv } from '../reports/public';

/** Numbers about fewer results than this are left out, because they could reveal how a single person did. */
const fewest = 5;

const named = [
  'interview_id',
  'interview_name',
  'interview_type',
  'position_id',
  'position_name',
  'period',
] as const;
const outcomes = [
  'scored',
  'insufficient_evidence',
  'not_scored',
  'scores_deleted',
  'flagged_for_review',
  'overridden',
] as const;
const ofScores = ['mean_score', 'median_score', 'above_median', 'at_or_above_median'] as const;
const bracketNames = ['weak', 'moderate', 'strong'] as const;
const decisions = ['selected', 'rejected', 'undecided'] as const;

/** The columns of the export in their order (docs/scoring.md#bias-audits). */
export const ratesColumns: readonly string[] = [
  ...named,
  'submitted',
  ...outcomes,
  ...ofScores,
  'scoring_rate',
  ...bracketNames,
  ...decisions,
  'selection_rate',
  'notes',
];

/**
 * Writes rates as CSV. A line about fewer than five results has no number except `submitted`, and a line about fewer
 * than five scores has no numbers about scores.
 */
export function writeScoringStatistics(rates: readonly ScoringStatistics[]): string {
  return writeCsv(
    ratesColumns.map((id) => ({ id, label: id })),
    rates.map(lineOf),
  );
}

function lineOf(rates: ScoringStatistics): Record<string, string | number | null> {
  const { submitted, scored, above_median, selected } = rates;
  const hasNumbers = submitted >= fewest;
  const hasScores = hasNumbers && scored >= fewest;
  return {
    ...pick(rates, named),
    submitted,
    ...(hasNumbers && {
      ...pick(rates, [...outcomes, ...decisions]),
      selection_rate: rounded(selected / submitted, 4),
    }),
    ...(hasScores && {
      ...pick(rates, [...ofScores, ...bracketNames]),
      mean_score: rounded(rates.mean_score ?? 0, 2),
      median_score: rounded(rates.median_score ?? 0, 2),
      scoring_rate: rounded(above_median / scored, 4),
    }),
    notes: notesOf(rates, hasNumbers, hasScores).join(' '),
  };
}

function notesOf(
  { undecided, not_scored, insufficient_evidence, scores_deleted }: ScoringStatistics,
  hasNumbers: boolean,
  hasScores: boolean,
): string[] {
  if (!hasNumbers) return [`Fewer than ${fewest} results: numbers left out.`];
  const unscored = not_scored + insufficient_evidence + scores_deleted;
  return [
    ...(hasScores ? [] : [`Fewer than ${fewest} scores: statistics of scores left out.`]),
    ...(unscored > 0 ? [`Results without a score (left out of the scoring rate): ${unscored}.`] : []),
    ...(undecided > 0 ? [`Undecided results (not selected in the selection rate): ${undecided}.`] : []),
  ];
}

const pick = <Key extends keyof ScoringStatistics>(rates: ScoringStatistics, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, rates[key]]));
const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const partsOf = (month: string): [year: number, month: number] => [
  Number(month.slice(0, 4)),
  Number(month.slice(5, 7)),
];

/** Returns the beginning in UTC of a month like 2026-01, or of the month that is `later` months after it. */
export function startOfMonth(month: string, later = 0): string {
  const [year, number] = partsOf(month);
  return new Date(Date.UTC(year, number - 1 + later)).toISOString();
}

/** Returns the month in UTC of an instant, such as 2026-01, or the month that is `later` months after it. */
export const monthOf = (instant: Date, later = 0): string =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + later)).toISOString().slice(0, 7);

/** Returns the number of months from one month to another, including both. */
export function monthsFrom(from: string, to: string): number {
  const [[firstYear, first], [lastYear, last]] = [partsOf(from), partsOf(to)];
  return (lastYear - firstYear) * 12 + last - first + 1;
}
