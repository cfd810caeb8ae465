import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { queryBoolean, readers, text } from '../platform/operation/vocabulary';
import { ApiError } from '../platform/operation/api-error';
import type { Transaction } from '../../db/platform/database';
import { findReport, findSavedFilters } from '../../db/reports/reports';
import { reportId } from './report-fields';
import { readReportScope, unknownReport } from './report-scope';
import { runExample, runReply } from './run-reply';
import { runReport } from './run-report';
import { findTemplate } from './templates';

/** 400 ids and a period fit into a tenth of it. */
const maxFilterText = 60_000;

const jsonText = text(maxFilterText).transform((sent, context): unknown => {
  try {
    return JSON.parse(sent);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON', params: { code: 'invalid_format' } });
    return z.NEVER;
  }
});

export const reportRun = defineOperation({
  name: 'report-run',
  method: 'GET',
  tag: 'Reports',
  summary: 'Run a saved report',
  description: `Runs every block of a report or template. The filters start from those of the report, then those that the caller saved with \`report-filters-save\`, then
those of the request; each replaces the keys that it has. Each block runs on its own: one that fails, or whose fields no longer exist, has \`ok\` false and a
sentence in \`error\`, and the others return data. No block returns more than 500 rows. A run takes at most 25 s, and a caller who disconnects ends it.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    id: reportId,
    filters: jsonText
      .optional()
      .meta({ description: 'Filters as JSON text, on top of those of the report.' }),
    block_id: text(100).optional().meta({ description: 'Run only this block.' }),
    draft: queryBoolean.optional().meta({
      description:
        'Run the draft instead of the published version. Only for callers who can edit the report.',
    }),
  }),
  example: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    filters: '{"period":{"preset":"last_month"}}',
  },
  reply: runReply,
  replyExample: runExample,
  statuses: [404],
  handle(
    { input: { id, filters: requestFilters, block_id: blockId, draft = false }, caller, signal, receivedAt },
    { database },
  ) {
    return database.snapshot(
      caller,
      async (trx) => {
        const scope = await readReportScope(trx);
        const { definition, version } = await findDefinition(trx, id, draft);
        const saved = await trx.maybeOne(findSavedFilters(id));
        const run = await runReport(trx, scope, {
          definition,
          savedFilters: saved?.filters,
          requestFilters,
          blockId,
          isStored: true,
          receivedAt,
        });
        return { ...run, report_id: id, version };
      },
      signal,
    );
  },
});

async function findDefinition(trx: Transaction, id: string, draft: boolean) {
  const template = findTemplate(id);
  if (template) return { definition: template.definition, version: 1 };
  const report = await trx.maybeOne(findReport(id));
  if (!report || report.is_archived) throw unknownReport();
  if (draft && !report.can_edit)
    throw new ApiError('forbidden', 'Only those who can edit this report can run its draft.', 'draft');
  return draft && report.draft_version !== null
    ? { definition: report.draft, version: report.draft_version }
    : { definition: report.definition, version: report.published_version };
}
