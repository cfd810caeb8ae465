import type {
  CheckedBlock,
  CheckedFilters,
  CheckedText,
  Condition,
} from '../../../db/reports/checked-report';
import type { Dataset } from '../../../db/reports/dataset';
import type { EffectiveFilters, MergedFilters } from './check-filters';
import type { Issue } from './issue';
import type { Clock } from './resolve-period';

/** The properties of a block that the page and the reply need, but the SQL does not. */
export type BlockPlacement = {
  /** The width of the block in a grid of 12 columns. Null means that the page chooses a default width. */
  width: number | null;
  /** A value to compare the measures with. */
  goal: number | null;
  /** Sent filters that do not apply to the dataset, such as `period` and `where.department`. */
  notApplied: readonly string[];
};
export type PlacedBlock = (CheckedBlock | CheckedText) & BlockPlacement;

/**
 * A block of a stored report. If the block has become invalid since it was stored, `ok` is false and `error` is the
 * sentence of its first issue.
 */
export type StoredBlock =
  | { ok: true; block: PlacedBlock }
  | { ok: false; id: string | null; title: string | null; issues: readonly Issue[]; error: string };

export type CheckedReport<Block> = {
  title: string;
  /** The filters in effect, in the form in which replies show them. */
  filters: EffectiveFilters;
  checkedFilters: CheckedFilters;
  blocks: readonly Block[];
};
export type RejectedReport = { ok: false; issues: readonly Issue[] };

/** Returns the time of the first row of the dataset with this id, or null if it is not known. */
type FirstRowAt = (dataset: string) => Date | null;

export type ReportInput = {
  definition: unknown;
  /** Filters of the request. They override the saved filters, which override those of the report. */
  requestFilters?: unknown;
  savedFilters?: unknown;
  /** The datasets that the account and the role include. */
  datasets: ReadonlyMap<string, Dataset>;
  now: Date;
  merchantZone: string;
  /** Returns the instant of a dataset's first row, with which all_time begins. Null if it is not known. */
  firstRowAt?: FirstRowAt;
  /** The id of the only block to return. The other blocks are checked too. */
  blockId?: string;
  /** The time zones that Postgres knows. If this is missing, the names that Intl knows are accepted. */
  zones?: ReadonlySet<string>;
};

/** The conditions of `filters.where` for each dataset that a report uses, by the dataset's id. */
export type FiltersByDataset = ReadonlyMap<
  string,
  { where: readonly Condition[]; notApplied: readonly string[] }
>;

/** The settings that all blocks of a report share. */
export type BlockSettings = {
  datasets: ReadonlyMap<string, Dataset>;
  filters: MergedFilters;
  filtersByDataset: FiltersByDataset;
  /** `clock.firstRowAt` is not set, because each dataset has a first row of its own. */
  clock: Clock;
  firstRowAt: FirstRowAt | undefined;
};
