import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { setReportShared } from '../../db/reports/reports';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { reportId } from './report-fields';
import { lockEditableReport } from './take-report';

export const reportShare = defineOperation({
  name: 'report-share',
  method: 'POST',
  tag: 'Reports',
  summary: 'Share a report with the team',
  description: `Shares a report with everybody of the merchant who can sign in to the console, or makes it private again. Whoever runs it sees only what their own role
may see. Only the person who created a report, owners and service keys can share it; for others who can run it, it is a 403.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    id: reportId,
    shared: z.boolean().meta({ description: 'True to share the report, false to make it private.' }),
  }),
  example: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801', shared: true },
  reply: z.object({ id: reportId, shared: z.boolean().meta({ description: 'Whether it is shared.' }) }),
  replyExample: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801', shared: true },
  statuses: [404],
  handle({ input: { id, shared }, write }) {
    return write(async (trx) => {
      const report = await lockEditableReport(trx, id);
      if (report.is_shared !== shared) {
        await trx.count(setReportShared(report.id, shared));
        await trx.count(recordAuditEntry('report-share', report.id, { shared }));
      }
      return { id: report.id, shared };
    });
  },
});
