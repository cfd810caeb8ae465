import { grains } from '../../../db/reports/dataset';
import type { Dimension, Grain } from '../../../db/reports/dataset';
import { whyNotFitting, blockShapes } from './block-shapes';
import type { DataType } from './block-shapes';
import { expectList } from './check-scalars';
import { toDimensionItem, findDimension, usableDimensions } from './find-field';
import type { FieldScope } from './find-field';
import { isSmallEnoughToQuote, quoteValue, rejectUnknownKeys, suggest } from './issue';
import type { LocatedValue } from './issue';
import { guessDateWithGrain } from './other-forms';
import { grainSynonyms, keySynonyms } from './synonyms';

/**
 * A dimension with its `grain`, which is null unless the dimension is a date. Issues about the dimension are recorded
 * at `place`, and issues about the grain at `grainPlace`.
 */
export type PlacedDimension = {
  field: Dimension;
  grain: Grain | null;
  place: LocatedValue;
  grainPlace: LocatedValue;
};

/** Reads the dimensions of a block. If something is wrong, records the issues and returns undefined. */
export function readDimensions(
  block: LocatedValue,
  type: DataType,
  scope: FieldScope,
): PlacedDimension[] | undefined {
  const place = block.at('dimensions');
  const [min, max] = blockShapes[type].dimensions;
  if (!place.isMissing && !expectList(place, 'dimensions')) return undefined;
  const items = place.entries();
  if (items.length < min) return failEmpty(block, type, scope);
  const found: PlacedDimension[] = [];
  if (type === 'line' && isWrongLine(block, items, scope)) return undefined;
  let isComplete = true;
  for (const [index, item] of items.entries()) {
    const read = index < max ? readDimension(item, type, scope, found) : failSurplus(item, type, max);
    if (read) found.push(read);
    else isComplete = false;
  }
  return isComplete ? found : undefined;
}

const failSurplus = (item: LocatedValue, type: DataType, max: number): undefined =>
  item.fail(type === 'table' ? 'too_many' : 'block_shape', {
    what:
      max === 0
        ? `a ${type} must not have dimensions`
        : `a ${type} must have at most ${max} dimension${max === 1 ? '' : 's'}`,
  });

/** Returns the dimensions that can follow the dimensions in `before`. */
function candidates(type: DataType, scope: FieldScope, before: readonly Dimension[]): Dimension[] {
  return usableDimensions(scope).filter(
    (field) => !before.includes(field) && !whyNotFitting(type, field, before),
  );
}

function failEmpty(block: LocatedValue, type: DataType, scope: FieldScope): undefined {
  const [first] = candidates(type, scope, []);
  if (!first) return failType(block, type, scope);
  return block.at('dimensions').fail('block_shape', {
    what: `a ${type} must have at least 1 dimension`,
    suggestion: [toDimensionItem(first, scope)],
  });
}

const failType = (block: LocatedValue, type: DataType, scope: FieldScope): undefined =>
  block.at('type').fail('block_shape', {
    what: `a ${type} needs a dimension that dataset "${scope.dataset.id}" does not have`,
    valid: ['table'],
  });

/**
 * Returns true for a line whose first dimension is not a date, and records an issue. The repair puts a date first and
 * keeps a text dimension as the series.
 */
function isWrongLine(block: LocatedValue, items: readonly LocatedValue[], scope: FieldScope): boolean {
  const [first, second] = items.map((item) => fieldAt(item, scope));
  if (items.length > 2 || !first || first.type === 'date' || first.tableOnly) return false;
  const [date] = candidates('line', scope, []);
  if (!date) return failType(block, 'line', scope) ?? true;
  const sent = second?.type === 'date' && !second.tableOnly ? items[1]?.value : undefined;
  const problem = {
    what: 'the first dimension of a line must be a date with a grain',
    suggestion: [
      sent !== undefined && isSmallEnoughToQuote(sent) ? sent : toDimensionItem(date, scope),
      ...(first.type === 'text' ? [first.id] : []),
    ],
  };
  return block.at('dimensions').fail('block_shape', problem) ?? true;
}

function fieldAt(item: LocatedValue, { dataset }: FieldScope): Dimension | undefined {
  const id = item.isObject ? item.at('field').value : item.value;
  return typeof id === 'string' ? dataset.dimensions.get(id) : undefined;
}

function readDimension(
  item: LocatedValue,
  type: DataType,
  scope: FieldScope,
  before: readonly PlacedDimension[],
): PlacedDimension | undefined {
  const chosen = before.map(({ field }) => field);
  const fitting = candidates(type, scope, chosen);
  const place = item.isObject ? item.at('field') : item;
  if (item.isObject) rejectUnknownKeys(item, ['field', 'grain'], keySynonyms.dimension);
  else if (typeof item.value !== 'string')
    return item.fail('bad_value', {
      what: 'must be the id of a dimension, or {field, grain}',
      valid: fitting.map((field) => toDimensionItem(field, scope)),
    });
  const date = typeof item.value === 'string' ? guessDateWithGrain(item.value, scope.dataset) : undefined;
  if (date) return item.fail('bad_value', { what: 'must be {field, grain}', suggestion: date });
  const ids = fitting.map(({ id }) => id);
  const valid = item.isObject ? ids : fitting.map((field) => toDimensionItem(field, scope));
  const field = findDimension(place, scope, { valid, ids });
  if (!field) return undefined;
  if (chosen.includes(field))
    return item.fail('duplicate_id', { what: `dimension "${field.id}" is listed twice` });
  const why = whyNotFitting(type, field, chosen);
  if (why) return place.fail('block_shape', { what: why, valid, listed: ids });
  const grain = readGrain(item, field, scope);
  return grain === undefined ? undefined : { field, grain, place: item, grainPlace: item.at('grain') };
}

/** Reads the grain of a date. Returns null for a dimension that is not a date. */
function readGrain(item: LocatedValue, field: Dimension, scope: FieldScope): Grain | null | undefined {
  const place = item.at('grain');
  const ordered = [scope.grain, ...grains.filter((grain) => grain !== scope.grain)];
  if (field.type !== 'date') {
    if (place.isMissing) return null;
    return place.fail('unknown_grain', { what: `"${field.id}" has no grain, because it is not a date` });
  }
  const { value } = place;
  const found = grains.find((grain) => grain === value);
  if (found) return found;
  if (!item.isObject)
    return item.fail('unknown_grain', {
      what: `"${field.id}" is a date and needs a grain`,
      valid: ordered.map((grain) => ({ field: field.id, grain })),
    });
  return place.fail('unknown_grain', {
    what: place.isMissing
      ? `"${field.id}" is a date and needs a grain`
      : `unknown grain ${quoteValue(value)}`,
    suggestion: suggest(value, grains, grainSynonyms),
    valid: ordered,
  });
}
