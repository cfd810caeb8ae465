import type { Client } from 'pg';
import { merchants, people } from '../accounts';
import { fixedId } from '../fixed-id';
import { dayMs } from './seasons';

const results = { dataset: 'interview_results' };
const definitionOf = (title: string, period: string, blocks: readonly object[]) => ({
  schema: 'platform.report/v1',
  title,
  filters: { period: { preset: period } },
  blocks,
});

const numbers = {
  ...results,
  id: 'numbers',
  type: 'kpi',
  title: 'This year',
  measures: ['completed', 'avg_score', 'shortlist_rate', 'avg_time_to_decision'],
  compare: 'previous_year',
  width: 12,
};
const months = {
  ...results,
  id: 'months',
  type: 'bar',
  title: 'Completed interviews by month',
  dimensions: [{ field: 'completed_at', grain: 'month' }],
  measures: ['completed', 'shortlisted'],
  compare: 'previous_year',
  width: 8,
};
const decisions = {
  ...results,
  id: 'decisions',
  type: 'pie',
  title: 'Decisions',
  dimensions: ['decision'],
  measures: ['completed'],
  width: 4,
};
const departments = {
  ...results,
  id: 'departments',
  type: 'line',
  title: 'Completed by department',
  dimensions: [{ field: 'completed_at', grain: 'month' }, 'department'],
  where: [{ field: 'department', op: 'not_null' }],
  measures: ['completed'],
  width: 12,
};
const funnel = {
  ...results,
  id: 'funnel',
  type: 'funnel',
  title: 'From start to the next round',
  measures: ['started', 'completed', 'advanced'],
  width: 6,
};
const scores = {
  ...results,
  id: 'scores',
  type: 'bar',
  title: 'Scores',
  dimensions: ['score_band'],
  measures: ['completed'],
  sort: [{ field: 'score_band', dir: 'asc' }],
  width: 6,
};
const positions = {
  dataset: 'position_pipeline',
  id: 'positions',
  type: 'table',
  title: 'Where candidates are',
  dimensions: ['position_name', 'step_name'],
  measures: ['candidates', 'in_progress', 'awaiting_decision', 'advanced', 'rejected'],
  width: 12,
};
const invited = {
  dataset: 'invitations',
  id: 'invited',
  type: 'line',
  title: 'Invitations',
  dimensions: [{ field: 'invited_at', grain: 'week' }],
  measures: ['sent', 'started', 'completed'],
  width: 8,
};
const note = {
  id: 'note',
  type: 'text',
  content_md:
    '**Support** hires for the end of the year from September on, the other departments in spring and autumn.',
  width: 4,
};

/** Reports that people of the main merchant have built. The last version of each report is the published one. */
const reports = [
  {
    key: 'overview',
    creator: people.merchant,
    isShared: true,
    daysAgo: [40, 26, 3],
    versions: [
      definitionOf('Hiring overview', 'last_90_days', [numbers, months]),
      definitionOf('Hiring overview', 'this_year', [numbers, months, decisions, funnel, scores]),
      definitionOf('Hiring overview', 'this_year', [
        numbers,
        months,
        decisions,
        departments,
        funnel,
        scores,
        positions,
      ]),
    ],
  },
  {
    key: 'invitations',
    creator: people.operator,
    isShared: true,
    daysAgo: [12],
    versions: [definitionOf('Invitations and replies', 'last_180_days', [invited, note])],
  },
  {
    key: 'owner',
    creator: people.merchant_owner,
    isShared: false,
    daysAgo: [9, 1],
    versions: [
      definitionOf('Board, quarterly', 'last_quarter', [{ ...numbers, title: 'This period' }, funnel]),
      definitionOf('Board, quarterly', 'last_quarter', [
        { ...numbers, title: 'This period' },
        funnel,
        scores,
      ]),
    ],
  },
];

/** Seeds reports with their versions. */
export async function seedReports(client: Client, now: number): Promise<void> {
  for (const { key, creator, isShared, daysAgo, versions } of reports) {
    const times = daysAgo.map((days) => new Date(now - days * dayMs).toISOString());
    const id = fixedId(`report ${key}`);
    await client.query(
      `insert into report (id, merchant_id, title, creator_id, is_shared, version, published_version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
      [
        id,
        merchants.main.id,
        versions.at(-1)?.title,
        creator.id,
        isShared,
        versions.length,
        times[0],
        times.at(-1),
      ],
    );
    for (const [at, definition] of versions.entries())
      await client.query(
        `insert into report_version (merchant_id, report_id, version, definition, created_by, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [merchants.main.id, id, at + 1, JSON.stringify(definition), creator.id, times[at]],
      );
  }
}
