import type { Statement } from '../platform/statement';

type ReportLayout = { id: string; blocks: { type: unknown; width: unknown }[] };

/** Returns the type and width of each block of reports that the caller may see. */
export const listReportLayouts = (ids: readonly string[]): Statement<ReportLayout> => ({
  name: 'list_report_layouts',
  text: `
    select r.id, (
      select coalesce(jsonb_agg(jsonb_build_object('type', b.block -> 'type', 'width', b.block -> 'width') order by b.place), '[]')
      from jsonb_path_query(v.definition, '$.blocks[*]') with ordinality as b (block, place)
    ) as blocks
    from report r
    join report_version v on v.merchant_id = r.merchant_id and v.report_id = r.id and v.version = r.published_version
    where r.merchant_id = app.merchant_id() and r.id = any ($1)`,
  values: [ids],
});
