import type { Condition } from '../../../db/reports/checked-report';
import type { Dataset } from '../../../db/reports/dataset';
import { parseConditions, newConditionBudget } from './check-conditions';
import type { MergedFilters } from './check-filters';
import type { FiltersByDataset } from './checked';
import type { FieldScope } from './find-field';
import { LocatedValue, quoteValue, suggest } from './issue';
import type { Issue } from './issue';
import { limits } from './limits';

/** Returns the names of the sent filters that do not apply to a dataset. */
export function unusedFilters(
  { sent, position_ids, interview_ids }: MergedFilters,
  dataset: Dataset,
): string[] {
  const unused: string[] = [];
  if (sent.has('period') && dataset.time === null) unused.push('period');
  if (position_ids?.length && !dataset.filters.position) unused.push('position_ids');
  if (interview_ids?.length && !dataset.filters.interview) unused.push('interview_ids');
  if (sent.has('include_test') && !dataset.filters.isTest) unused.push('include_test');
  return unused;
}

/**
 * Reads `filters.where` for every dataset of the report. A condition applies to the datasets that have all of its
 * dimensions. A dimension that no dataset has is an issue.
 */
export function readFiltersByDataset(
  list: LocatedValue | null,
  datasets: readonly Dataset[],
): FiltersByDataset {
  const found = new Map(
    datasets.map(({ id }) => [id, { where: [] as Condition[], notApplied: [] as string[] }]),
  );
  let count = 0;
  for (const item of list?.entries() ?? []) {
    const fields = fieldsOf(item);
    count += Math.max(1, fields.length);
    if (count > limits.max_conditions)
      item.fail('too_many', { what: `the list must have at most ${limits.max_conditions} conditions` });
    else if (rejectUnknown(fields, datasets)) readItem(item, fields, datasets, found);
  }
  return found;
}

type Found = Map<string, { where: Condition[]; notApplied: string[] }>;

function readItem(
  item: LocatedValue,
  fields: readonly LocatedValue[],
  datasets: readonly Dataset[],
  found: Found,
): void {
  const missing = (dataset: Dataset) =>
    fields.filter(({ value }) => typeof value === 'string' && !dataset.dimensions.has(value));
  const able = datasets.filter((dataset) => missing(dataset).length === 0);
  for (const dataset of datasets) {
    const names = missing(dataset).map(({ value }) => `where.${String(value)}`);
    found.get(dataset.id)?.notApplied.push(...names);
  }
  for (const [index, dataset] of able.entries()) {
    const issues: Issue[] = [];
    const scope: FieldScope = { dataset, type: 'kpi', grain: 'day' };
    const place = new LocatedValue(item.value, item.path, { ...item.context, issues });
    const { where } = parseConditions([place], scope, {
      withMeasures: false,
      budget: newConditionBudget(),
    });
    found.get(dataset.id)?.where.push(...where);
    const [first] = issues;
    if (!first) continue;
    if (index === 0) item.context.issues.push(...issues);
    else item.fail(first.code, { what: `does not fit dataset "${dataset.id}"` });
    return;
  }
}

/** Returns the place of `field` in each comparison that a condition contains, also within `any` and `all`. */
function fieldsOf(item: LocatedValue, depth = 0): LocatedValue[] {
  if (!item.isObject || depth > 3) return [];
  const inner = [...item.at('any').entries(), ...item.at('all').entries()];
  if (inner.length > 0) return inner.flatMap((entry) => fieldsOf(entry, depth + 1));
  return item.at('field').isMissing ? [] : [item.at('field')];
}

/** Records an issue for each field that is not a dimension of any dataset. Returns true if there is no such field. */
function rejectUnknown(fields: readonly LocatedValue[], datasets: readonly Dataset[]): boolean {
  const ids = new Set<string>();
  for (const { dimensions } of datasets)
    for (const { id, tableOnly } of dimensions.values()) if (!tableOnly) ids.add(id);
  const valid = [...ids];
  const unknown = fields.filter(
    ({ value }) => typeof value === 'string' && !datasets.some(({ dimensions }) => dimensions.has(value)),
  );
  for (const field of unknown) {
    const isMeasure = datasets.some(({ measures }) => measures.has(field.value as string));
    field.fail(isMeasure ? 'wrong_kind' : 'unknown_dimension', {
      what: isMeasure
        ? `${quoteValue(field.value)} is a measure, not a dimension`
        : `unknown dimension ${quoteValue(field.value)} in the datasets of this report`,
      suggestion: isMeasure ? undefined : suggest(field.value, valid),
      valid,
    });
  }
  return unknown.length === 0;
}
