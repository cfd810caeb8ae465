import type { CheckedBlock, CheckedText } from '../../../db/reports/checked-report';
import { blockTypes } from '../../../db/reports/checked-report';
import type { Dataset } from '../../../db/reports/dataset';
import { blockKeys, mayHaveKey, blockShapes } from './block-shapes';
import type { DataType } from './block-shapes';
import { dayAt } from './calendar';
import { checkBuckets, grainFor } from './check-buckets';
import { readConditions, newConditionBudget } from './check-conditions';
import { readDimensions } from './check-dimensions';
import { readMeasures } from './check-measures';
import { readPeriod } from './check-period';
import { storableText, readFlag, readInteger, readTitle, readWord, whyNotStorable } from './check-scalars';
import { readSort } from './check-sort';
import type { BlockSettings, BlockPlacement, PlacedBlock } from './checked';
import { unusedFilters } from './filters-by-dataset';
import type { FieldScope } from './find-field';
import { shorten, quoteValue, rejectUnknownKeys, suggest } from './issue';
import type { LocatedValue } from './issue';
import { limits, maxContent, maxWidth } from './limits';
import { guessGrain } from './other-forms';
import { compareValues, resolvePeriod } from './resolve-period';
import type { Period } from './resolve-period';
import { compareSynonyms, datasetSynonyms, keySynonyms, typeSynonyms } from './synonyms';

/** Reads a block except its id. If something is wrong, records the issues and returns undefined. */
export function readBlock(place: LocatedValue, id: string, settings: BlockSettings): PlacedBlock | undefined {
  const before = place.context.issues.length;
  rejectUnknownKeys(place, blockKeys, keySynonyms.block);
  const type = readWord(place.at('type'), blockTypes, 'block type', { synonyms: typeSynonyms });
  const title = readTitle(place.at('title')) ?? null;
  const width = readInteger(place.at('width'), 1, maxWidth) ?? null;
  if (!type) return undefined;
  for (const key of blockKeys)
    if (!mayHaveKey(type, key) && !place.at(key).isMissing)
      place.at(key).fail('block_shape', { what: `a block of type ${type} must not have \`${key}\`` });
  const block = type === 'text' ? readText(place, id, title) : readData(place, type, { id, title }, settings);
  if (!block || place.context.issues.length > before) return undefined;
  return { ...block, width };
}

function readText(
  place: LocatedValue,
  id: string,
  title: string | null,
): (CheckedText & Omit<BlockPlacement, 'width'>) | undefined {
  const content = place.at('content_md');
  const { value } = content;
  if (typeof value !== 'string') {
    const what = content.isMissing ? 'is required' : 'must be a text';
    return content.fail('bad_value', { what, suggestion: title ?? 'Text' });
  }
  if (value.length > maxContent)
    return content.fail('block_shape', {
      what: `must have at most ${maxContent} characters`,
      suggestion: shorten(storableText(value.slice(0, maxContent + 1)), maxContent),
    });
  const problem = whyNotStorable(value);
  if (problem) return content.fail('bad_value', { what: problem, suggestion: storableText(value) });
  return { id, type: 'text', title, contentMd: value, goal: null, notApplied: [] };
}

function readDataset(place: LocatedValue, datasets: ReadonlyMap<string, Dataset>): Dataset | undefined {
  const dataset = place.at('dataset');
  const { value } = dataset;
  const found = typeof value === 'string' ? datasets.get(value) : undefined;
  if (found) return found;
  const valid = [...datasets.keys()];
  if (valid.length === 0) return place.fail('unknown_dataset', { what: 'the account includes no dataset' });
  if (typeof value !== 'string')
    return dataset.fail('bad_value', {
      what: dataset.isMissing ? 'is required' : 'must be the id of a dataset',
      suggestion: likelyDataset(place, datasets),
      valid,
    });
  return dataset.fail('unknown_dataset', {
    what: `unknown dataset ${quoteValue(value)}`,
    suggestion: suggest(value, valid, datasetSynonyms),
    valid,
  });
}

/** Returns the first dataset that has one of the block's measures. */
function likelyDataset(place: LocatedValue, datasets: ReadonlyMap<string, Dataset>): string | undefined {
  const measures = place.at('measures').entries(limits.max_measures);
  const has = (dataset: Dataset) => measures.some(({ value }) => dataset.measures.has(value as string));
  return [...datasets.values()].find(has)?.id;
}

/**
 * The period of a block. `own` is the block's own period in the definition, or null if the block uses the period of
 * the filters. `isKnown` is false if the sent period is invalid.
 */
type BlockPeriod = { period: Period; own: LocatedValue | null; isKnown: boolean };

function readBlockPeriod(
  place: LocatedValue,
  dataset: Dataset,
  { filters, clock }: BlockSettings,
): BlockPeriod {
  const own = place.at('period');
  if (own.isMissing) return { period: filters.period, own: null, isKnown: filters.isPeriodKnown };
  if (dataset.time === null)
    own.fail('block_shape', {
      what: `must not be sent, because dataset "${dataset.id}" describes the present`,
    });
  const period = readPeriod(own, dayAt(clock.now, clock.zone));
  return { period: period ?? filters.period, own, isKnown: period !== undefined };
}

function readData(
  place: LocatedValue,
  type: DataType,
  { id, title }: { id: string; title: string | null },
  settings: BlockSettings,
): (CheckedBlock & Omit<BlockPlacement, 'width'>) | undefined {
  const dataset = readDataset(place, settings.datasets);
  if (!dataset) return undefined;
  const { filters } = settings;
  const clock = { ...settings.clock, firstRowAt: settings.firstRowAt?.(dataset.id) ?? null };
  const blockPeriod = readBlockPeriod(place, dataset, settings);
  const { period, own } = blockPeriod;
  const scope: FieldScope = {
    dataset,
    type,
    typePlace: place.at('type'),
    grain: guessGrain(place.at('grain').value) ?? grainFor(period, clock),
  };
  const budget = newConditionBudget();
  const dimensions = readDimensions(place, type, scope);
  const ids = dimensions?.map(({ field }) => field.id);
  const measures = readMeasures(place, ids ?? sentIds(place.at('dimensions')), { type, scope, budget });
  const conditions = readConditions(place.at('where'), scope, { withMeasures: true, budget });
  const compare = readCompare(place, dataset, blockPeriod, settings);
  const limit = readInteger(place.at('limit'), 1, limits.max_rows, 'limit_out_of_range');
  const goal = readGoal(place);
  const extras = readExtras(
    place,
    type,
    dimensions?.map(({ field }) => field.type) ?? null,
    measures?.length,
  );
  if (!dimensions || !measures || place.isRenamed('dimensions') || place.isRenamed('measures'))
    return undefined;
  const sort = readSort(place.at('sort'), type, dimensions, measures);
  if (blockPeriod.isKnown && dataset.time !== null)
    checkBuckets(place, { type, dimensions, where: conditions.where, period, own, filters, clock });
  const applied = settings.filtersByDataset.get(dataset.id) ?? { where: [], notApplied: [] };
  const isSeries = type === 'bar' && dimensions[0]?.field.type === 'date';
  return {
    id,
    type,
    title,
    dataset,
    dimensions: dimensions.map(({ field, grain }) => ({ field, grain })),
    measures,
    where: [...conditions.where, ...applied.where],
    having: conditions.having,
    sort,
    limit: limit ?? (isSeries ? limits.max_rows : blockShapes[type].limit),
    period: dataset.time === null ? null : resolvePeriod(period, compare, clock),
    compare,
    ...extras,
    goal,
    notApplied: [...unusedFilters(filters, dataset), ...applied.notApplied],
  };
}

/**
 * Returns a made-up id for each dimension that was sent. These ids are used if the dimensions are invalid, because
 * the number of allowed measures depends on the number of dimensions.
 */
const sentIds = (place: LocatedValue): string[] =>
  place.entries(limits.max_dimensions).map((_, index) => `dimension ${index}`);

function readCompare(
  place: LocatedValue,
  dataset: Dataset,
  { period, own }: BlockPeriod,
  { filters }: BlockSettings,
): CheckedBlock['compare'] {
  const compare = place.at('compare');
  if (compare.isMissing) return null;
  const found = readWord(compare, compareValues, 'comparison', {
    synonyms: compareSynonyms,
  });
  if (!found) return null;
  if (dataset.time === null) {
    const what = `must not be sent, because dataset "${dataset.id}" describes the present`;
    return compare.fail('compare_not_available', { what }) ?? null;
  }
  if (period.preset !== 'all_time') return found;
  const what = 'must not be sent with the period all_time, because nothing came before';
  const sent = own ? undefined : filters.sent.get('period');
  if (!sent || sent.source === 'definition') return compare.fail('compare_not_available', { what }) ?? null;
  const valid = ['last_365_days', 'last_30_days', 'last_12_months', 'this_year', 'last_year'];
  return (
    sent.place.within(place).at('preset').fail('compare_not_available', {
      what: 'must not be all_time, because the block has a comparison',
      valid,
    }) ?? null
  );
}

function readGoal(place: LocatedValue): number | null {
  const goal = place.at('goal');
  if (goal.isMissing) return null;
  if (typeof goal.value === 'number' && Number.isFinite(goal.value)) return goal.value;
  return goal.fail('bad_value', { what: 'must be a number' }) ?? null;
}

/** Reads `totals` and `others`. `types` are the types of the dimensions, and null means that they could not be read. */
function readExtras(
  place: LocatedValue,
  type: DataType,
  types: readonly string[] | null,
  measures: number | undefined,
): Pick<CheckedBlock, 'totals' | 'others'> {
  const totals = readFlag(place.at('totals')) && mayHaveKey(type, 'totals');
  const others = readFlag(place.at('others')) && mayHaveKey(type, 'others');
  if (totals && measures === 0)
    place.at('totals').fail('block_shape', { what: 'a block with totals must have at least 1 measure' });
  if (others && types && !types.some((name) => name !== 'date'))
    place
      .at('others')
      .fail('block_shape', { what: 'a block with others must have a dimension that is not a date' });
  return { ...(totals ? { totals } : {}), ...(others ? { others } : {}) };
}
