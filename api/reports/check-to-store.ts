import { datasets } from '../../db/reports/datasets/index';
import { visibleDatasets } from './language/build-catalog';
import { checkReport } from './language/check-definition';
import { reportSchema } from './language/limits';
import type { ReportScope } from './report-scope';
import { toDefinitionError } from './runs/run-report';

/** Returns the title of a definition that can be stored. Throws a 422 if the definition is invalid. */
export function checkDefinition(definition: unknown, scope: ReportScope, receivedAt: number): string {
  const checked = checkReport({
    definition,
    datasets: visibleDatasets(datasets, scope),
    now: new Date(receivedAt),
    merchantZone: scope.zone,
  });
  if (!checked.ok) throw toDefinitionError(checked.issues);
  return checked.report.title;
}

/** Returns filters that can be saved. Throws a 422 if they are invalid. */
export function checkFilters(
  filters: unknown,
  scope: ReportScope,
  receivedAt: number,
): Record<string, unknown> {
  const block = { id: 'none', type: 'text', content_md: 'none' };
  const checked = checkReport({
    definition: { schema: reportSchema, title: 'none', blocks: [block] },
    requestFilters: filters,
    datasets: visibleDatasets(datasets, scope),
    now: new Date(receivedAt),
    merchantZone: scope.zone,
  });
  if (!checked.ok) throw toDefinitionError(checked.issues);
  return { ...(filters as object) };
}
