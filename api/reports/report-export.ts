import { z } from 'zod';
import { defineOperation } from '../platform/operation/define-operation';
import { readers, text } from '../platform/operation/vocabulary';
import { filtersText, reportId } from './report-fields';
import { exportBlock } from './runs/export-block';
import { fileNameOf } from './runs/file-name';
import { runStoredReport } from './runs/run-stored';

export const reportExport = defineOperation({
  name: 'report-export',
  method: 'GET',
  tag: 'Reports',
  summary: 'Export a block of a report as CSV',
  description: `Runs one block like \`report-run\` and returns its rows as CSV in UTF-8, with the labels of the columns and their units in the first line: \`(s)\` for seconds and \`(0–1)\` for
fractions. It has at most 500 rows. The file has the title of the report.
Texts that a spreadsheet would read as a formula begin with an apostrophe. A block that has no data because it fails is a 422.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    id: reportId,
    block_id: text(100).meta({ description: 'The block to export.' }),
    filters: filtersText
      .optional()
      .meta({ description: 'Filters as JSON text, on top of those of the report.' }),
  }),
  example: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801', block_id: 'completed' },
  reply: z.string().meta({ description: 'The rows as CSV.' }),
  replyExample: '\uFEFFDepartment,Completed\r\nSales,42\r\n',
  replyType: 'text/csv',
  statuses: [404],
  async handle({ input: { id, block_id: blockId, filters }, caller, signal, receivedAt, nameFile }, deps) {
    const { title, blocks } = await runStoredReport(deps, {
      id,
      blockId,
      requestFilters: filters,
      draft: false,
      caller,
      signal,
      receivedAt,
    });
    const content = exportBlock(blocks);
    nameFile?.(`${fileNameOf(title)}.csv`);
    return content;
  },
});
