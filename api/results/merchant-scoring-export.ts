import { z } from 'zod';
import { findScoringRates } from '../../db/scoring/public';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { readers, uuid } from '../platform/operation/vocabulary';
import { boundedText } from '../platform/text/bounded-text';
import { monthsFrom, startOfMonth, writeScoringStatistics } from './scoring-rates-csv';

const maxMonths = 24;
const maxRows = 10_000;

const month = boundedText(20, 'must be a month, such as 2026-01').refine(
  (text) => /^20\d\d-(?:0[1-9]|1[0-2])$/.test(text),
  { error: 'must be a month from 2000-01 to 2099-12, such as 2026-01', params: { code: 'invalid_format' } },
);

export const merchantScoringExport = defineOperation({
  name: 'merchant-scoring-export',
  method: 'GET',
  tag: 'Results',
  summary: 'Export scoring and selection rates as CSV',
  description: `Returns how the results of each interview were scored and decided, without data of people, as input for bias audits.
[The guide]({origin}/docs/results#rates-for-bias-audits) explains the columns.

There is one line for each interview, position and month (UTC) of \`submitted_at\`. Each result counts once, with its latest attempt, if that
was submitted. Only results of the types interview, persona_interview and assessment count, and no test results.

Lines with fewer than 5 results have no numbers but \`submitted\`, and lines with fewer than 5 scores have no statistics of scores. A period
has at most 24 months, and an export at most 10,000 lines.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      from: month.meta({ description: 'The first month of the period, such as 2026-01.' }),
      to: month.meta({ description: 'The last month of the period, such as 2026-12.' }),
      group_by: z.enum(['month', 'period']).default('month').meta({
        description:
          '`month` has a line for each month of the period, `period` one line for the whole period.',
      }),
      interview_id: uuid.optional().meta({
        description: 'Only the results of this interview, or of all steps of this position.',
      }),
    })
    .superRefine(({ from, to }, context) => {
      const months = monthsFrom(from, to);
      if (months >= 1 && months <= maxMonths) return;
      const message =
        months < 1 ? 'must not be before from' : `must be at most ${maxMonths} months from the month of from`;
      context.addIssue({ code: 'custom', path: ['to'], message, params: { code: 'invalid_value' } });
    }),
  example: { from: '2026-01', to: '2026-12', group_by: 'period' },
  reply: z.string().meta({ description: 'The rates as CSV in UTF-8, with the names of the columns first.' }),
  replyExample: writeScoringStatistics([
    {
      interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
      interview_name: 'Backend engineer',
      interview_type: 'interview',
      position_id: null,
      position_name: null,
      period: '2026-01/2026-12',
      submitted: 84,
      scored: 80,
      insufficient_evidence: 3,
      not_scored: 1,
      scores_deleted: 0,
      flagged_for_review: 6,
      overridden: 2,
      mean_score: 6.15,
      median_score: 6.4,
      above_median: 38,
      at_or_above_median: 42,
      weak: 10,
      moderate: 45,
      strong: 25,
      selected: 21,
      rejected: 60,
      undecided: 3,
    },
  ]),
  replyType: 'text/csv',
  statuses: [],
  /** Counts results in one statement (docs/scoring.md#bias-audits). */
  async handle({ input: { from, to, group_by, interview_id }, caller }, { database }) {
    const [found] = await database.query(
      caller,
      findScoringRates({
        from: startOfMonth(from),
        until: startOfMonth(to, 1),
        interview_id,
        label: group_by === 'period' ? `${from}/${to}` : undefined,
        limit: maxRows + 1,
      }),
    );
    if (!found?.is_known)
      throw new ApiError(
        'unknown_id',
        'interview_id must name an interview or position of the merchant.',
        'interview_id',
      );
    if (found.rates.length > maxRows)
      throw new ApiError(
        'invalid_value',
        'This export has more than 10,000 lines: choose a shorter period, one interview_id, or group_by=period.',
        'from',
      );
    return writeScoringStatistics(found.rates);
  },
});
