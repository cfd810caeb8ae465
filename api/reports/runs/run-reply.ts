import { z } from 'zod';
import { timestamp } from '../../platform/operation/vocabulary';
import { fieldKind } from '../report-fields';

/* The reply of report-preview and report-run. */

const row = z.record(z.string(), z.unknown()).meta({
  description:
    'One value per column, by its id. `partial` is true in the last bucket of a period that still runs.',
});
const column = z
  .object({
    id: z.string().meta({ description: 'The key of this column in `rows`.' }),
    label: z.string().meta({ description: 'Name to show.' }),
    kind: fieldKind,
    type: z.string().meta({ description: 'Type of the field, as in the catalog.' }),
    format: z.string().meta({ description: 'How to show its values, as in the catalog.' }),
    grain: z.string().optional().meta({ description: 'The unit of a date dimension.' }),
  })
  .meta({ id: 'ReportColumn', description: 'A column of a block.' });
export type Column = z.output<typeof column>;
const range = {
  from: timestamp.nullable().meta({ description: 'Its first instant. Null if the period has no beginning.' }),
  to: timestamp.meta({ description: 'The instant after its last one.' }),
};
const change = z.object({
  abs: z.number().nullable().meta({ description: 'The value minus the previous value.' }),
  pct: z
    .number()
    .nullable()
    .meta({ description: 'The same as a fraction of the previous value. Null if that was 0.' }),
});

export type MeasureChange = z.output<typeof change>;

export const blockReply = z
  .object({
    block_id: z.string().meta({ description: 'Id of the block.' }),
    type: z.string().nullable().meta({ description: 'Type of the block. Null if the block is not valid.' }),
    title: z.string().nullable().meta({ description: 'Title of the block.' }),
    width: z.int().nullable().meta({ description: 'Width in a grid of 12 columns.' }),
    ok: z.boolean().meta({ description: 'False if the block has no data; `error` says why.' }),
    error: z.string().optional().meta({ description: 'One sentence. Present if `ok` is false.' }),
    details: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .meta({ description: 'The issues of a stored block that is no longer valid, as in an error reply.' }),
    dataset: z.string().optional().meta({ description: 'Dataset of the block. Absent for a text.' }),
    columns: z.array(column).meta({ description: 'The columns in their order. Empty for a text.' }),
    rows: z.array(row).meta({ description: 'The data, at most 500 rows. Empty for a text.' }),
    truncated: z.boolean().meta({ description: 'True if there are more rows than `limit`.' }),
    totals: row.nullable().meta({
      description: 'The measures over all rows, whatever `limit`. Null unless the block has `totals`.',
    }),
    others: row.nullable().meta({
      description:
        'The measures over the rows after `limit`. Null unless the block has `others` and is truncated.',
    }),
    previous: z
      .object({
        period: z.object(range).meta({ description: 'The period to compare with.' }),
        rows: z.array(row).meta({
          description:
            'Its data, at most 500 rows, whatever `limit`. In a line or a bar with a date there are as many dates as in `rows`, and each stands for the one at the same place; those that this period does not have are null. Other rows are matched by their dimensions.',
        }),
        truncated: z.boolean().meta({ description: 'True if that period has more than 500 rows.' }),
        totals: row.nullable().optional().meta({
          description: 'The measures over all of its rows. Null unless the block has `totals`.',
        }),
        delta: z
          .record(z.string(), change)
          .optional()
          .meta({ description: 'The change of each measure of a kpi.' }),
      })
      .nullable()
      .meta({ description: 'The comparison. Null if the block has none.' }),
    period: z
      .object({
        preset: z.string().meta({ description: 'The preset.' }),
        first_day: z
          .string()
          .nullable()
          .meta({ description: 'Its first local day. Null if it has no beginning.' }),
        last_day: z.string().meta({ description: 'Its last local day.' }),
        ...range,
      })
      .nullable()
      .meta({ description: 'The period of the block. Null for a snapshot and a text.' }),
    goal: z.number().nullable().optional().meta({ description: 'The value to reach.' }),
    not_applied: z
      .array(z.string())
      .optional()
      .meta({ description: 'Filters that were sent and that the dataset cannot apply.' }),
    content_md: z.string().optional().meta({ description: 'The Markdown of a text.' }),
  })
  .meta({ id: 'ReportBlock', description: 'The result of a block.' });

export const runReply = z.object({
  filters: z.record(z.string(), z.unknown()).meta({
    description: 'The filters in effect: those of the report, the saved ones, and those of the request.',
  }),
  blocks: z.array(blockReply).meta({ description: 'One entry per block, in the order of the report.' }),
  report_id: z.string().nullable().meta({ description: 'Id of the report. Null in a preview.' }),
  title: z.string().meta({ description: 'Title of the report.' }),
  version: z.int().nullable().meta({ description: 'Version that ran. Null in a preview.' }),
});

const period = {
  preset: 'last_30_days',
  first_day: '2025-12-18',
  last_day: '2026-01-16',
  from: '2025-12-17T23:00:00.000Z',
  to: '2026-01-16T23:00:00.000Z',
};

/** The example of a reply, with one block. */
export const runExample: z.input<typeof runReply> = {
  filters: { period: { preset: 'last_30_days' }, include_test: false, timezone: 'Europe/Amsterdam' },
  blocks: [
    {
      block_id: 'completed',
      type: 'kpi',
      title: 'Completed',
      width: 4,
      ok: true,
      dataset: 'interview_results',
      columns: [{ id: 'completed', label: 'Completed', kind: 'measure', type: 'integer', format: 'integer' }],
      rows: [{ completed: 42 }],
      truncated: false,
      totals: null,
      others: null,
      previous: {
        period: { from: '2025-11-17T23:00:00.000Z', to: '2025-12-17T23:00:00.000Z' },
        rows: [{ completed: 40 }],
        truncated: false,
        totals: null,
        delta: { completed: { abs: 2, pct: 0.05 } },
      },
      period,
      goal: null,
      not_applied: [],
    },
  ],
  report_id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
  title: 'Completed interviews',
  version: 2,
};
