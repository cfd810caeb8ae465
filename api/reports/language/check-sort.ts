import type { CheckedBlock, CheckedMeasure } from '../../../db/reports/checked-report';
import type { DataType } from './block-shapes';
import type { PlacedDimension } from './check-dimensions';
import { expectList, readWord } from './check-scalars';
import { isSmallEnoughToQuote, quoteValue, rejectUnknownKeys, suggest } from './issue';
import type { LocatedValue } from './issue';
import { guessSort } from './other-forms';
import { directionSynonyms, keySynonyms } from './synonyms';

type Sort = CheckedBlock['sort'][number];
export const directions = ['asc', 'desc'] as const;

/**
 * Reads `sort`, or returns the default order. Rows that are equal in the named fields are ordered by the other
 * dimensions.
 */
export function readSort(
  place: LocatedValue,
  type: DataType,
  dimensions: readonly PlacedDimension[],
  measures: readonly CheckedMeasure[],
): Sort[] {
  const ids = dimensions.map(({ field }) => field.id);
  const sent = place.isMissing ? [] : readItems(place, [...ids, ...measures.map(({ as }) => as)], ids);
  const sort = sent.length > 0 ? sent : defaultSort(type, dimensions, measures);
  const rest = ids.filter((id) => sort.every(({ column }) => column !== id));
  return [...sort, ...rest.map((column): Sort => ({ column, dir: 'asc' }))];
}

function readItems(place: LocatedValue, columns: readonly string[], dimensions: readonly string[]): Sort[] {
  const meant = (value: unknown) => {
    const items = typeof value === 'string' ? value.slice(0, 1_000).split(',') : [value];
    const sorts = items.map((item) => guessSort(item, columns, dimensions));
    if (!sorts.includes(undefined)) return sorts;
    return typeof value === 'object' && value !== null && isSmallEnoughToQuote(value) ? [value] : undefined;
  };
  if (!expectList(place, '{field, dir}', meant)) return [];
  const sort: Sort[] = [];
  for (const item of place.entries()) {
    const read = readItem(item, columns, dimensions);
    if (read && sort.some(({ column }) => column === read.column))
      item.fail('duplicate_id', { what: `column "${read.column}" is listed twice` });
    else if (read) sort.push(read);
  }
  return sort;
}

function readItem(
  item: LocatedValue,
  columns: readonly string[],
  dimensions: readonly string[],
): Sort | undefined {
  const suggestion = guessSort(item.value, columns, dimensions);
  if (!item.isObject || suggestion)
    return item.fail('bad_value', { what: 'must be {field, dir}', suggestion });
  rejectUnknownKeys(item, ['field', 'dir'], keySynonyms.sort);
  const field = item.at('field');
  const dir = readWord(item.at('dir'), directions, 'direction', { synonyms: directionSynonyms });
  const { value } = field;
  if (typeof value !== 'string') {
    const what = field.isMissing ? 'is required' : 'must be the name of a column';
    return field.fail('bad_value', { what, valid: columns });
  }
  const column = columns.find((name) => name === value);
  if (column === undefined)
    return field.fail('sort_not_selected', {
      what: `${quoteValue(value)} is not a dimension or measure of this block`,
      suggestion: suggest(value, columns),
      valid: columns,
    });
  return dir && { column, dir };
}

/**
 * Returns the default order: by the dates or the steps of a funnel if there are any, otherwise by the first measure,
 * largest first.
 */
function defaultSort(
  type: DataType,
  dimensions: readonly PlacedDimension[],
  measures: readonly CheckedMeasure[],
): Sort[] {
  const inOrder = dimensions.filter(
    ({ field }) => field.type === 'date' || (type === 'funnel' && field.ordered),
  );
  if (inOrder.length > 0) return inOrder.map(({ field }) => ({ column: field.id, dir: 'asc' }));
  const [measure] = measures;
  return measure ? [{ column: measure.as, dir: 'desc' }] : [];
}
