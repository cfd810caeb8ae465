import { z } from 'zod';
import { isStatementTimeout } from '../../db/platform/database';
import type { Transaction } from '../../db/platform/database';
import type { CheckedBlock, CheckedFilters } from '../../db/reports/checked-report';
import { compileRecords } from '../../db/reports/compile-records';
import { datasets } from '../../db/reports/datasets/index';
import { findReport, findSavedFilters } from '../../db/reports/reports';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { openListPage, pageOf, paging } from '../platform/operation/page-cursor';
import { pagingInteger, readers, text, timestamp } from '../platform/operation/vocabulary';
import { visibleDatasets } from './language/build-catalog';
import { checkReport, checkStoredReport } from './language/check-definition';
import { limits } from './language/limits';
import { definitionText, filtersText, reportId, blockRowText } from './report-fields';
import { readReportScope, unknownReport } from './report-scope';
import { readRow } from './runs/read-row';
import { toDefinitionError } from './runs/run-report';
import { findTemplate } from './templates';

const id = (description: string) => z.string().nullable().meta({ description });

export const reportRecords = defineOperation({
  name: 'report-records',
  method: 'GET',
  tag: 'Reports',
  summary: 'List the results behind a number of a report',
  description: `Lists the rows that a block counts, newest first, with the same period, filters, conditions and rights as \`report-run\`. \`row\` takes a row as the block
returned it, and keeps only what the row counts. \`measure\` keeps only what that measure counts; of a rate, what it divides by. Conditions on
measures choose rows of the block and have no effect here. Send \`id\` of a report, of which the published version counts, or a \`definition\`. Read a result with
\`job-interview-details\`.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      id: reportId.optional(),
      definition: definitionText.optional().meta({
        description: 'A report definition as JSON text, instead of `id`.',
      }),
      block_id: text(100).meta({ description: 'The block.' }),
      filters: filtersText
        .optional()
        .meta({ description: 'Filters as JSON text, on top of those of the report.' }),
      row: blockRowText.optional().meta({
        description:
          'A row of the block as JSON text, of which only the dimensions count. Dimensions that are left out can have any value.',
      }),
      measure: text(100).optional().meta({ description: 'A measure of the block, by the id of its column.' }),
      ...paging,
      limit: pagingInteger(1, limits.max_rows, 50).meta({
        description: 'Maximum number of entries to return, 1 to 500.',
      }),
    })
    .refine((input) => (input.id === undefined) !== (input.definition === undefined), {
      path: ['id'],
      error: 'must be sent, or definition instead, but not both',
      params: { code: 'conflicting_fields' },
    }),
  example: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    block_id: 'completed',
    measure: 'completed',
  },
  reply: pageOf(
    z
      .object({
        interview_result_id: id('Id of the result; null for invitations and for rows without a result.'),
        attempt: z.int().nullable().meta({ description: 'Number of the attempt: 1 is the first.' }),
        profile_interview_id: id('Id of the candidate at the interview or position; null without one.'),
        interview_id: id('Id of the interview; null without one.'),
        position_id: id('Id of the position; null without one.'),
        occurred_at: timestamp
          .nullable()
          .meta({ description: 'The instant by which the row is in the period; null in a snapshot.' }),
      })
      .meta({ id: 'ReportRecord', description: 'A row that a block counts.' }),
  ),
  replyExample: {
    data: [
      {
        interview_result_id: '01a1fcf7-b13e-74de-bd85-c2fc187618f1',
        attempt: 1,
        profile_interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618d1',
        interview_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
        position_id: null,
        occurred_at: '2026-01-15T09:30:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [404],
  /** Lists the rows from which a number of a report was computed (docs/reports.md#records). */
  handle({ input, caller, signal, receivedAt }, { database, seal }) {
    const { block_id: blockId, row, measure: column, limit, offset } = input;
    return database.snapshot(
      caller,
      async (trx) => {
        const { block, filters } = await findBlock(trx, { ...input, blockId, now: new Date(receivedAt) });
        const measure = column === undefined ? null : block.measures.find(({ as }) => as === column);
        if (measure === undefined)
          throw new ApiError(
            'invalid_value',
            `measure must be one of ${block.measures.map(({ as }) => as).join(', ')}.`,
            'measure',
          );
        const chosen = row === undefined ? [] : readRow(block, row);
        const { place, reply } = openListPage(seal, `records of ${block.dataset.id}`, input);
        const rows = await readSlowly(
          trx,
          compileRecords({ block, filters, row: chosen, measure, limit, offset, place }),
        );
        const total = rows[0]?.total ?? 0;
        const data = rows.filter((found) => found.place !== null);
        return reply(data, total);
      },
      signal,
    );
  },
});

type Asked = { id?: string | undefined; definition?: unknown; filters?: unknown; blockId: string; now: Date };

/**
 * Checks the report as a run does and returns the block with the id `blockId`. Throws 404 for an unknown report, and
 * 422 if the report is invalid or the block has no data.
 */
async function findBlock(
  trx: Transaction,
  { id: asked, definition: sent, filters, blockId, now }: Asked,
): Promise<{ block: CheckedBlock; filters: CheckedFilters }> {
  const scope = await readReportScope(trx);
  const template = asked === undefined ? undefined : findTemplate(asked);
  const isOwn = asked !== undefined && template === undefined;
  const report = isOwn ? await trx.maybeOne(findReport(asked)) : undefined;
  if (isOwn && (!report || report.is_archived)) throw unknownReport();
  const saved = asked === undefined ? undefined : await trx.maybeOne(findSavedFilters(asked));
  const input = {
    definition: report?.definition ?? template?.definition ?? sent,
    savedFilters: saved?.filters,
    requestFilters: filters,
    blockId,
    datasets: visibleDatasets(datasets, scope),
    now,
    merchantZone: scope.zone,
  };
  const checked = asked === undefined ? checkReport(input) : checkStoredReport(input);
  if (!checked.ok) throw toDefinitionError(checked.issues);
  const [found] = checked.report.blocks;
  if (found && 'ok' in found && !found.ok) throw new ApiError('invalid_value', found.error, 'block_id');
  const block = found && 'ok' in found ? found.block : found;
  if (!block || block.type === 'text')
    throw new ApiError(
      'invalid_value',
      'block_id must be the id of a block of this report that shows data, not of a text block.',
      'block_id',
    );
  return { block, filters: checked.report.checkedFilters };
}

/** Runs a statement with the time limit of a block. */
async function readSlowly<R>(trx: Transaction, statement: Parameters<typeof trx.rows<R>>[0]): Promise<R[]> {
  await trx.rows({
    name: 'set_block_timeout',
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(limits.block_timeout_ms)],
  });
  try {
    return await trx.rows(statement);
  } catch (error) {
    if (isStatementTimeout(error))
      throw new ApiError(
        'invalid_value',
        `The records of this block took longer than ${limits.block_timeout_ms / 1_000} s. Choose a shorter period or more filters.`,
        'block_id',
      );
    // SQLSTATE class 22 means that a value is invalid.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('22'))
      throw new ApiError(
        'invalid_value',
        'This block has a value that the database cannot compute with.',
        'block_id',
      );
    throw error;
  }
}
