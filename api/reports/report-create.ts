import { z } from 'zod';
import { recordAuditEntry } from '../../db/platform/audit';
import { countReports, insertReport, insertReportVersion } from '../../db/reports/reports';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, uuid, writers } from '../platform/operation/vocabulary';
import { checkDefinition } from './check-to-store';
import { adminUrlField, definition, reportId, version } from './report-fields';
import { readReportScope } from './report-scope';
import { findTemplate } from './templates';

/** The maximum number of reports of a merchant that are not archived. */
const maxReports = 1_000;

export const reportCreate = defineOperation({
  name: 'report-create',
  method: 'POST',
  tag: 'Reports',
  summary: 'Create a report',
  description: `Stores a report and publishes it as version 1. It is private until \`report-share\`. Send either \`definition\` or \`from_template\`. A wrong definition is
the same 422 as in \`report-preview\`. A merchant can have ${maxReports} reports that are not archived; further calls are a 409.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  validates: ['definition'],
  input: z
    .object({
      definition: definition.optional(),
      from_template: optionalField(uuid).meta({
        description: 'Id of the template to copy, from `report-list` with the scope `templates`.',
      }),
    })
    .refine(({ definition: sent, from_template }) => (sent === undefined) !== (from_template === undefined), {
      path: ['definition'],
      error: 'must be sent without from_template, or from_template instead of it',
      params: { code: 'conflicting_fields' },
    }),
  example: {
    definition: {
      schema: 'platform.report/v1',
      title: 'Completed interviews',
      blocks: [{ id: 'completed', type: 'kpi', dataset: 'interview_results', measures: ['completed'] }],
    },
  },
  reply: z.object({
    id: reportId,
    version,
    admin_url: adminUrlField,
    published: z.boolean().meta({ description: 'True: a new report is published at once.' }),
  }),
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    version: 1,
    admin_url: 'https://api.example.com/console/reports/01a1fcf7-b13e-74de-bd85-c2fc18761801',
    published: true,
  },
  statuses: [409],
  handle({ input, write, receivedAt }, { consoleUrl }) {
    return write(async (trx) => {
      const scope = await readReportScope(trx);
      const toStore =
        input.from_template === undefined ? input.definition : definitionOf(input.from_template);
      const title = checkDefinition(toStore, scope, receivedAt);
      const { count } = await trx.one(countReports);
      if (count >= maxReports)
        throw new ApiError(
          'limit_reached',
          `There are already ${maxReports} reports, which is the maximum. Archive one first.`,
        );
      const { id } = await trx.one(insertReport(title));
      await trx.count(insertReportVersion(id, 1, toStore));
      await trx.count(recordAuditEntry('report-create', id));
      return { id, version: 1, admin_url: `${consoleUrl}/reports/${id}`, published: true };
    });
  },
});

function definitionOf(templateId: string): unknown {
  const template = findTemplate(templateId);
  if (!template)
    throw new ApiError('unknown_id', 'from_template must be the id of a template.', 'from_template');
  return template.definition;
}
