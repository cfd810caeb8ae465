import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { queryBoolean, readers, text } from '../platform/operation/vocabulary';
import { filtersText, reportId } from './report-fields';
import { runExample, runReply } from './runs/run-reply';
import { runStoredReport } from './runs/run-stored';

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
    filters: filtersText
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
    deps,
  ) {
    return runStoredReport(deps, { id, blockId, requestFilters, draft, caller, signal, receivedAt });
  },
});
