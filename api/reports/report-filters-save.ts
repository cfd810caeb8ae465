import { z } from 'zod';
import { deleteFilters, findReport, saveFilters } from '../../db/reports/reports';
import { defineOperation } from '../platform/operation/define-operation';
import { readers } from '../platform/operation/vocabulary';
import { checkFilters } from './check-to-store';
import { filters, reportId } from './report-fields';
import { readReportScope, unknownReport } from './report-scope';
import { findTemplate } from './templates';

export const reportFiltersSave = defineOperation({
  name: 'report-filters-save',
  method: 'POST',
  tag: 'Reports',
  summary: 'Save your own filters for a report',
  description: `Stores filters that apply whenever the caller runs this report or template, on top of the report's own. Nobody else is affected. \`{}\` removes them. A
service key has no filters of its own and may not call this.`,
  roles: readers,
  serviceKeys: false,
  needsMerchant: true,
  validates: ['filters'],
  input: z.object({ id: reportId, filters }),
  example: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801', filters: { period: { preset: 'last_month' } } },
  reply: z.object({
    id: reportId,
    filters: z.record(z.string(), z.unknown()).meta({ description: 'The filters that are saved now.' }),
  }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801', filters: { period: { preset: 'last_month' } } },
  statuses: [404],
  handle({ input: { id, filters: sent }, write, receivedAt }) {
    return write(async (trx) => {
      const scope = await readReportScope(trx);
      const report = findTemplate(id) ?? (await trx.maybeOne(findReport(id)));
      if (!report || ('is_archived' in report && report.is_archived)) throw unknownReport();
      const checked = checkFilters(sent, scope, receivedAt);
      await trx.count(Object.keys(checked).length === 0 ? deleteFilters(id) : saveFilters(id, checked));
      return { id, filters: checked };
    });
  },
});
