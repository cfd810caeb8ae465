import type { Role } from '../../../db/platform/vocabulary';
import { blockTypes, operators } from '../../../db/reports/checked-report';
import { grains } from '../../../db/reports/dataset';
import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';
import { describeShape } from './block-shapes';
import { directions } from './check-sort';
import { limits, reportSchema } from './limits';
import { operatorsOf } from './operators';
import { compareValues, presets } from './resolve-period';

type CatalogField = {
  id: string;
  kind: 'dimension' | 'measure';
  type: string;
  label: string;
  description: string;
  values?: string[];
  grains?: string[];
  ordered?: true;
  ops: string[];
  table_only: boolean;
  format: string;
};

/**
 * Returns the datasets that a role may see. `included` lists the datasets of the account; if it is missing, the
 * account has all.
 */
export function visibleDatasets(
  datasets: ReadonlyMap<string, Dataset>,
  role: Role | null,
  included?: ReadonlySet<string>,
): ReadonlyMap<string, Dataset> {
  const isHidden = (dataset: Dataset) => role === 'merchant_selection' && dataset.hiddenFromHiringManagers;
  return new Map(
    [...datasets].filter(
      ([id, dataset]) => !isHidden(dataset) && (included === undefined || included.has(id)),
    ),
  );
}

/** Builds the reply of report-catalog. A service key has no role. */
export function buildCatalog(
  datasets: ReadonlyMap<string, Dataset>,
  role: Role | null,
  included?: ReadonlySet<string>,
) {
  return {
    schema: reportSchema,
    datasets: [...visibleDatasets(datasets, role, included).values()].map(describeDataset),
    block_types: [...blockTypes],
    block_shapes: blockTypes.map(describeShape),
    compare_values: [...compareValues],
    sort_dirs: [...directions],
    where_ops: [...operators],
    period_presets: [...presets],
    limits,
    can_share: role !== 'merchant_selection',
  };
}

const describeDataset = ({ id, label, description, snapshot, dimensions, measures }: Dataset) => ({
  id,
  label,
  description,
  snapshot,
  fields: [...dimensions.values(), ...measures.values()].map(describeField),
});

function describeField(field: Dimension | Measure): CatalogField {
  const { id, kind, type, label, description, tableOnly, format } = field;
  const isDimension = field.kind === 'dimension';
  return {
    id,
    kind,
    type,
    label,
    description,
    ...(isDimension && field.values ? { values: [...field.values] } : {}),
    ...(isDimension && type === 'date' ? { grains: [...grains] } : {}),
    ...(isDimension && field.ordered ? { ordered: true as const } : {}),
    ops: [...operatorsOf(field)],
    table_only: tableOnly ?? false,
    format,
  };
}
