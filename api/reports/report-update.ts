import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { insertReportVersion, setReportVersion } from '../../db/reports/reports';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { fieldWithDefault, writers } from '../platform/operation/vocabulary';
import { checkDefinition } from './check-to-store';
import { adminUrlField, definition, reportId, version } from './report-fields';
import { reportGet } from './report-get';
import { lockEditableReport } from './take-report';

export const reportUpdate = defineOperation({
  name: 'report-update',
  method: 'POST',
  tag: 'Reports',
  summary: 'Change a report',
  description: `Stores a definition as the next version of a report. With the target \`published\` readers get it at once and the draft ends; with \`draft\` they keep the
published one. \`version\` is the newest version that the caller has read: if the report has a newer one, the call is a 409 and nothing changes, so that nobody
overwrites the work of somebody else.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  validates: ['definition'],
  input: z.object({
    id: reportId,
    version: z.int().min(1).max(2_000_000_000).meta({
      description: 'The newest version of the report, from `report-get` or the last update.',
    }),
    definition,
    target: fieldWithDefault(z.enum(['published', 'draft']), 'published').meta({
      description: 'Whether readers get it, or only those who can edit the report.',
    }),
  }),
  example: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    version: 1,
    definition: {
      schema: 'platform.report/v1',
      title: 'Completed interviews',
      blocks: [{ id: 'completed', type: 'kpi', dataset: 'interview_results', measures: ['completed'] }],
    },
  },
  reads: ({ id }) => ({ operation: reportGet, input: { id } }),
  reply: z.object({
    id: reportId,
    version,
    admin_url: adminUrlField,
    published: z.boolean().meta({ description: 'Whether readers get this version.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    version: 2,
    admin_url: 'https://api.example.com/console/reports/01a1fcf7-b13e-74de-bd85-c2fc18761801',
    published: true,
  },
  statuses: [404, 409],
  handle({ input, write, requireMatch, receivedAt }, { consoleUrl }) {
    return write(async (trx) => {
      const report = await lockEditableReport(trx, input.id);
      await requireMatch(trx);
      const { id } = report;
      if (report.version !== input.version)
        throw new ApiError(
          'concurrent_change',
          `The report has version ${report.version} now. Read it again and repeat your change on that version.`,
          'version',
        );
      const title = checkDefinition(input.definition, report.scope, receivedAt);
      const next = report.version + 1;
      await trx.count(insertReportVersion(id, next, input.definition));
      await trx.count(setReportVersion(id, next, input.target, title));
      await trx.count(recordAuditEntry('report-update', id, { target: input.target }));
      const published = input.target === 'published';
      return { id, version: next, admin_url: `${consoleUrl}/reports/${id}`, published };
    });
  },
});
