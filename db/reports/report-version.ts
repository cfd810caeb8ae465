import type { Statement } from '../platform/statement';

/** Finds the definition of one version of a report. Only those who can edit the report see versions that are not published. */
export const findReportVersion = (id: string, version: number): Statement<{ definition: unknown }> => ({
  name: 'find_report_version',
  text: `
    select definition from report_version
    where merchant_id = app.merchant_id() and report_id = $1 and version = $2`,
  values: [id, version],
});
