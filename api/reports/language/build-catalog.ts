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

/** Who asks for datasets: the role (null for a service key), and whether the plan of the account charges nothing. */
export type Viewer = { role: Role | null; isUnlimited: boolean };

/** Returns the datasets that a role and the plan of the account include. */
export function visibleDatasets(
  datasets: ReadonlyMap<string, Dataset>,
  { role, isUnlimited }: Viewer,
): ReadonlyMap<string, Dataset> {
  const isIncluded = ({ hiddenFromHiringManagers, isOfCharges }: Dataset) =>
    !(hiddenFromHiringManagers && role === 'merchant_selection') && !(isOfCharges && isUnlimited);
  return new Map([...datasets].filter(([, dataset]) => isIncluded(dataset)));
}

/** Builds the reply of report-catalog. */
export function buildCatalog(datasets: ReadonlyMap<string, Dataset>, viewer: Viewer) {
  return {
    schema: reportSchema,
    datasets: [...visibleDatasets(datasets, viewer).values()].map(describeDataset),
    block_types: [...blockTypes],
    block_shapes: blockTypes.map(describeShape),
    compare_values: [...compareValues],
    sort_dirs: [...directions],
    where_ops: [...operators],
    period_presets: [...presets],
    limits,
    can_share: viewer.role !== 'merchant_selection',
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
    ...(isDimension && field.ordered === 'steps' ? { ordered: true as const } : {}),
    ops: [...operatorsOf(field)],
    table_only: tableOnly ?? false,
    format,
  };
}
