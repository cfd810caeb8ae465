import { z } from 'zod';
import type { Transaction } from '../../db/platform/database';
import { findReport, findSavedFilters, listReportVersions } from '../../db/reports/reports';
import { defineOperation } from '../platform/operation/define-operation';
import { defineMirrored } from '../platform/operation/mirrored';
import { readers, timestamp } from '../platform/operation/vocabulary';
import { adminUrlField, reportId, version } from './report-fields';
import { readSchedules, reportSchedule, scheduleExample } from './report-schedule-fields';
import { readReportScope, unknownReport } from './report-scope';
import { findTemplate } from './templates';

const object = z.record(z.string(), z.unknown());

const reply = z.object({
  id: reportId,
  title: z.string().meta({ description: 'Title of the published definition.' }),
  version,
  published_version: z.int().meta({ description: 'The version that readers run.' }),
  draft_version: z.int().nullable().meta({
    description: 'The version of the draft. Null without a draft, or if the caller cannot edit the report.',
  }),
  is_template: z.boolean().meta({ description: 'True for a template of the platform.' }),
  is_shared: z.boolean().meta({ description: 'True if the whole team sees it.' }),
  is_archived: z.boolean().meta({ description: 'True if it was archived.' }),
  can_edit: z.boolean().meta({ description: 'True if the caller can change it.' }),
  admin_url: adminUrlField,
  definition: object.meta({ description: 'The published definition, as it was sent.' }),
  draft: object.nullable().meta({ description: 'The definition of the draft. Null without one.' }),
  saved_filters: object.meta({
    description: "The caller's own filters for this report; `{}` without any.",
  }),
  versions: z
    .array(
      z.object({
        version,
        created_at: timestamp.meta({ description: 'When this version was stored.' }),
        created_by_name: z
          .string()
          .nullable()
          .meta({ description: 'Name of the person who stored it. Null for a service key.' }),
      }),
    )
    .meta({
      description: 'The newest versions, newest first. Empty if the caller cannot edit the report.',
    }),
  schedules: z.array(reportSchedule).meta({
    description:
      'The schedules by which it is mailed in this environment. Empty if the caller cannot edit the report.',
  }),
  updated_at: timestamp.nullable().meta({ description: 'When it last changed. Null for a template.' }),
});

export const reportGet = defineOperation({
  name: 'report-get',
  method: 'GET',
  tag: 'Reports',
  summary: 'Get a report',
  description: `Returns the definition of a report or template, without its data. \`report-run\` returns the data. Those who can edit the report also get its draft and
its newest 50 versions and its schedules, and find it when it is archived.`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({ id: reportId }),
  example: { id: '01a1fcf7-b13e-74de-bd85-c2fc18761801' },
  reply,
  replyExample: {
    id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
    title: 'Completed interviews',
    version: 2,
    published_version: 2,
    draft_version: null,
    is_template: false,
    is_shared: true,
    is_archived: false,
    can_edit: true,
    admin_url: 'https://api.example.com/console/reports/01a1fcf7-b13e-74de-bd85-c2fc18761801',
    definition: {
      schema: 'platform.report/v1',
      title: 'Completed interviews',
      blocks: [{ id: 'completed', type: 'kpi', dataset: 'interview_results', measures: ['completed'] }],
    },
    draft: null,
    saved_filters: { period: { preset: 'last_month' } },
    versions: [{ version: 2, created_at: '2026-01-16T10:00:00.000Z', created_by_name: 'Jan de Vries' }],
    schedules: [scheduleExample],
    updated_at: '2026-01-16T10:00:00.000Z',
  },
  statuses: [404],
  handle({ input: { id }, caller }, { database, consoleUrl }) {
    return database.read(caller, async (trx) => {
      await readReportScope(trx);
      const template = findTemplate(id);
      const saved = await trx.maybeOne(findSavedFilters(id));
      const shared = {
        id,
        admin_url: `${consoleUrl}/reports/${id}`,
        saved_filters: asObject(saved?.filters),
      };
      if (template)
        return {
          ...shared,
          ...ofTemplate,
          definition: template.definition,
          title: template.definition.title,
        };
      const report = await findWhole(trx, id, consoleUrl);
      if (!report) throw unknownReport();
      const schedules = report.can_edit && !report.is_archived ? await readSchedules(trx, id) : [];
      return { ...report, ...shared, schedules };
    });
  },
});

/**
 * Reports as `GET /sync` returns them: without the schedules, which change with the time, and without the filters that
 * the caller has saved.
 */
export const mirroredReports = defineMirrored({
  body: reply.omit({ schedules: true, saved_filters: true }).meta({ id: 'MirroredReport' }),
  serviceKeys: true,
  async read(trx, ids, { consoleUrl }) {
    const found = await Promise.all(ids.map((id) => findWhole(trx, id, consoleUrl)));
    return new Map(found.flatMap((report) => (report ? [[report.id, report]] : [])));
  },
});

/** Finds a report that the caller may see, with its versions if the caller may edit it. */
async function findWhole(trx: Transaction, id: string, consoleUrl: string) {
  const report = await trx.maybeOne(findReport(id));
  return (
    report && {
      ...report,
      admin_url: `${consoleUrl}/reports/${report.id}`,
      is_template: false,
      definition: asObject(report.definition),
      draft: report.draft === null ? null : asObject(report.draft),
      draft_version: report.can_edit ? report.draft_version : null,
      versions: report.can_edit ? await trx.rows(listReportVersions(id)) : [],
    }
  );
}

const ofTemplate = {
  version: 1,
  published_version: 1,
  draft_version: null,
  is_template: true,
  is_shared: true,
  is_archived: false,
  can_edit: false,
  draft: null,
  versions: [],
  schedules: [],
  updated_at: null,
};

const asObject = (value: unknown): Record<string, unknown> => object.catch({}).parse(value);
