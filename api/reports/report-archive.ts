import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { archiveReport } from '../../db/reports/reports';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { reportId } from './report-fields';
import { lockReportWithScope } from './take-report';

export const reportArchive = defineOperation({
  name: 'report-archive',
  method: 'POST',
  tag: 'Reports',
  summary: 'Archive a report',
  description: `Archives a report. From then on, \`report-run\` and \`report-list\` do not find it; \`report-get\` still returns it to those who could edit it.
Archiving an archived report changes nothing.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ id: reportId }),
  example: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801' },
  reply: z.object({ id: reportId }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801' },
  statuses: [404],
  handle({ input: { id }, write }) {
    return write(async (trx) => {
      const report = await lockReportWithScope(trx, id);
      if (!report.is_archived) {
        await trx.count(archiveReport(report.id));
        await trx.count(recordAuditEntry('report-archive', report.id));
      }
      return { id: report.id };
    });
  },
});
