import { z } from 'zod';
import { datasets } from '../../db/reports/datasets/index';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { buildCatalog } from './language/build-catalog';
import { limits } from './language/limits';
import { fieldKind } from './report-fields';
import { readReportScope } from './report-scope';

const field = z
  .object({
    id: z.string().meta({ description: 'Id to use in a definition.' }),
    kind: fieldKind,
    type: z.string().meta({ description: 'Decides which operators `where` accepts.' }),
    label: z.string().meta({ description: 'Name to show.' }),
    description: z.string().meta({ description: 'What it means, with the unit.' }),
    format: z.string().meta({ description: 'How to show its values.' }),
    values: z.array(z.string()).optional().meta({ description: 'The only values of a text dimension.' }),
    grains: z.array(z.string()).optional().meta({ description: 'The grains of a date dimension.' }),
    ops: z.array(z.string()).meta({ description: 'The operators of conditions on it.' }),
    ordered: z.boolean().optional().meta({ description: 'True if its values are steps of a funnel.' }),
    table_only: z.boolean().meta({ description: 'True if only tables may use it.' }),
  })
  .meta({ id: 'ReportField', description: 'A field of a dataset.' });
const dataset = z
  .object({
    id: z.string().meta({ description: 'Id to use in a definition.' }),
    label: z.string().meta({ description: 'Name to show.' }),
    description: z.string().meta({ description: 'What a row is.' }),
    snapshot: z.boolean().meta({ description: 'True if it describes the present and ignores the period.' }),
    fields: z.array(field).meta({ description: 'Its dimensions and measures.' }),
  })
  .meta({ id: 'ReportDataset', description: 'What a block can be built from.' });

const range = (description: string) => z.array(z.int()).length(2).meta({ description });
const shape = z
  .object({
    type: z.string().meta({ description: 'The type of the block.' }),
    dimensions: range('The fewest and the most dimensions.'),
    measures: range(
      'The fewest and the most measures. A line with a series and a funnel with a dimension have 1, a funnel without one has at least 2, and a table has at least one field.',
    ),
    default_limit: z.int().nullable().meta({
      description: 'The default of `limit`. Null for a text. A bar by date has the most rows.',
    }),
    keys: z.array(z.string()).meta({ description: 'The keys that a block of this type may have.' }),
  })
  .meta({ id: 'ReportBlockShape', description: 'What a block of a type may have.' });

const integer = (description: string) => z.int().meta({ description });

export const reportCatalog = defineOperation({
  name: 'report-catalog',
  method: 'GET',
  tag: 'Reports',
  summary: 'List what reports can be built from',
  description: `Returns the datasets with their fields, and the block types, operators, period presets and limits of the report language. Read it before you write a
definition: ids that are not in it are refused. It lists only what the account and the role of the caller include.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({}),
  example: {},
  reply: z.object({
    schema: z.string().meta({ description: 'The `schema` of a definition.' }),
    datasets: z.array(dataset).meta({ description: 'What blocks can be built from.' }),
    block_types: z.array(z.string()).meta({ description: 'The types of blocks.' }),
    block_shapes: z.array(shape).meta({ description: 'What a block of each type may have.' }),
    compare_values: z.array(z.string()).meta({ description: 'The values of `compare`.' }),
    sort_dirs: z.array(z.string()).meta({ description: 'The values of `dir` in `sort`.' }),
    where_ops: z.array(z.string()).meta({ description: 'The operators of conditions.' }),
    period_presets: z.array(z.string()).meta({ description: 'The presets of `filters.period`.' }),
    limits: z
      .object({
        max_rows: integer('The most rows of a block.'),
        max_blocks: integer('The most blocks of a report.'),
        max_dimensions: integer('The most dimensions of a table.'),
        max_measures: integer('The most measures of a table.'),
        max_conditions: integer('The most conditions of a block.'),
        max_in_values: integer('The most values of `in` and `not_in`.'),
        max_buckets: integer('The most dates of a block.'),
        max_filter_ids: integer('The most `position_ids` or `interview_ids`.'),
        block_timeout_ms: integer('The longest time of a block, in milliseconds.'),
        report_timeout_ms: integer('The longest time of a run, in milliseconds.'),
        max_definition_bytes: integer('The most bytes of a definition as compact JSON.'),
      })
      .meta({ description: 'The limits of a definition and of a run.' }),
    can_share: z.boolean().meta({ description: 'False for hiring managers, who only read.' }),
  }),
  replyExample: {
    schema: 'platform.report/v1',
    datasets: [
      {
        id: 'interview_results',
        label: 'Interview results',
        description: 'One row per attempt of a candidate at an interview.',
        snapshot: false,
        fields: [
          {
            id: 'completed',
            kind: 'measure',
            type: 'integer',
            label: 'Completed',
            description: 'Attempts that were completed.',
            ops: ['eq', 'gt', 'between'],
            table_only: false,
            format: 'integer',
          },
        ],
      },
    ],
    block_types: ['kpi', 'line', 'bar', 'pie', 'funnel', 'table', 'text'],
    block_shapes: [
      {
        type: 'pie',
        dimensions: [1, 1],
        measures: [1, 1],
        default_limit: 12,
        keys: ['id', 'type', 'title', 'width', 'dataset', 'dimensions', 'measures'],
      },
    ],
    compare_values: ['previous_period', 'previous_year'],
    sort_dirs: ['asc', 'desc'],
    where_ops: ['eq', 'ne', 'in'],
    period_presets: ['last_30_days', 'last_month'],
    limits,
    can_share: true,
  },
  statuses: [],
  async handle({ caller }, { database }) {
    return buildCatalog(datasets, await database.read(caller, readReportScope));
  },
});
