import { z } from 'zod';
import { listReports } from '../../db/reports/reports';
import { defineOperation } from '../platform/operation/define-operation';
import { pageOf, paging, openListPage } from '../platform/operation/page-cursor';
import { readers, text, timestamp } from '../platform/operation/vocabulary';
import { reportId, version } from './report-fields';
import { readReportScope } from './report-scope';
import { templatesFor } from './templates';
import type { ReportTemplate } from './templates';

const report = z
  .object({
    id: reportId,
    title: z.string().meta({ description: 'Title of the report.' }),
    version,
    is_template: z.boolean().meta({ description: 'True for a template of the platform.' }),
    is_shared: z.boolean().meta({ description: 'True if the whole team sees it.' }),
    has_draft: z.boolean().meta({ description: 'True if it has changes that are not published.' }),
    can_edit: z.boolean().meta({ description: 'True if the caller can change it.' }),
    creator_name: z
      .string()
      .nullable()
      .meta({ description: 'Name of the person who created it. Null for a template or a service key.' }),
    updated_at: timestamp.nullable().meta({ description: 'When it last changed. Null for a template.' }),
  })
  .meta({ id: 'ListedReport', description: 'A report in a list, without its definition.' });

export const reportList = defineOperation({
  name: 'report-list',
  method: 'GET',
  tag: 'Reports',
  summary: 'List reports',
  description: `Lists the reports that the caller may run, the latest change first. Archived reports are left out. \`scope\` selects some of them:

| \`scope\` | reports |
|---|---|
| all (default) | the caller's own and those that are shared; owners and service keys see private ones too |
| mine | those that the caller created |
| shared | those that others share |
| templates | those of the platform whose datasets the caller's role includes, which can be run and copied |`,
  roles: readers,
  serviceKeys: true,
  needsMerchant: true,
  input: z.object({
    scope: z
      .enum(['all', 'mine', 'shared', 'templates'])
      .default('all')
      .meta({ description: 'Which reports to list; see the table above.' }),
    filter_text: text(200)
      .optional()
      .meta({ description: 'Only reports whose title contains this text. Case is ignored.' }),
    ...paging,
  }),
  example: { scope: 'all' },
  reply: pageOf(report),
  replyExample: {
    data: [
      {
        id: '01a1fcf7-b13e-74de-bd85-c2fc18761801',
        title: 'Hiring month',
        version: 3,
        is_template: false,
        is_shared: true,
        has_draft: false,
        can_edit: true,
        creator_name: 'Jan de Vries',
        updated_at: '2026-01-16T10:00:00.000Z',
      },
    ],
    pagination: { total: 1, limit: 50, offset: 0, has_more: false, next_cursor: null },
  },
  statuses: [],
  async handle({ input, caller }, { database, seal }) {
    const { scope, filter_text: filterText = '', limit, offset } = input;
    const list = `report-list of ${scope}`;
    const { place, reply } = openListPage(seal, list, input);
    const { data, total } = await database.read(caller, async (trx): Promise<Found> => {
      const viewer = await readReportScope(trx);
      if (scope === 'templates')
        return listTemplates(templatesFor(viewer), { filterText, limit, offset, place });
      const rows = await trx.rows(listReports(scope, filterText, limit, offset, place));
      return {
        data: rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id, is_template: false }])),
        total: rows[0]?.total ?? 0,
      };
    });
    return reply(data, total);
  },
});

type Found = { data: (z.input<typeof report> & { place: unknown })[]; total: number };

function listTemplates(
  offered: readonly ReportTemplate[],
  {
    filterText,
    limit,
    offset,
    place,
  }: { filterText: string; limit: number; offset: number; place: string | null },
) {
  const found = offered.filter(({ definition }) =>
    definition.title.toLowerCase().includes(filterText.toLowerCase()),
  );
  const after = place === null ? -1 : found.findIndex(({ id }) => place === JSON.stringify(id));
  const rest = found.slice(after + 1);
  const data = rest.slice(offset, offset + limit).map(({ id, definition }) => ({
    id,
    place: id,
    title: definition.title,
    version: 1,
    is_template: true,
    is_shared: true,
    has_draft: false,
    can_edit: false,
    creator_name: null,
    updated_at: null,
  }));
  return { data, total: rest.length };
}
