import type { CheckedMeasure } from '../../../db/reports/checked-report';
import type { Dataset, Measure } from '../../../db/reports/dataset';
import { measureLimits } from './block-shapes';
import type { DataType } from './block-shapes';
import { readConditions } from './check-conditions';
import type { ConditionBudget } from './check-conditions';
import { expectList } from './check-scalars';
import { findMeasure, usableMeasures } from './find-field';
import type { FieldScope } from './find-field';
import { isSmallEnoughToQuote, quoteValue, rejectUnknownKeys } from './issue';
import type { LocatedValue } from './issue';
import { firstShareSuffix } from './limits';
import { keySynonyms } from './synonyms';

type Reading = {
  type: DataType;
  scope: FieldScope;
  budget: ConditionBudget;
  /** The names of the columns that the block has so far. */
  taken: Set<string>;
};

/** Reads the measures of a block. If something is wrong, records the issues and returns undefined. */
export function readMeasures(
  block: LocatedValue,
  dimensions: readonly string[],
  { type, scope, budget }: Omit<Reading, 'taken'>,
): CheckedMeasure[] | undefined {
  const place = block.at('measures');
  const [min, max] = measureLimits(type, dimensions.length);
  if (!place.isMissing && !expectList(place, 'measures')) return undefined;
  const items = place.entries();
  if (items.length < min) return failFew(block, items, type, scope, min);
  const reading = { type, scope, budget, taken: new Set(dimensions) };
  const found: CheckedMeasure[] = [];
  for (const [index, item] of items.entries()) {
    const read =
      index < max ? readMeasure(item, reading) : failSurplus(item, reading, dimensions.length, max);
    if (read) found.push(read);
  }
  return found.length === items.length ? found : undefined;
}

function failSurplus(item: LocatedValue, { type }: Reading, dimensions: number, max: number): undefined {
  const whose = max === 1 && dimensions > 0 && type !== 'pie' ? `${type} with a series` : type;
  const name = type === 'funnel' && dimensions > 0 ? 'funnel with a dimension' : whose;
  return item.fail(type === 'table' ? 'too_many' : 'block_shape', {
    what: `a ${name} must have at most ${max} measure${max === 1 ? '' : 's'}`,
  });
}

function failFew(
  block: LocatedValue,
  items: readonly LocatedValue[],
  type: DataType,
  scope: FieldScope,
  min: number,
): undefined {
  const sent = items.map(({ value }) => value).filter(isSmallEnoughToQuote);
  const more = usableMeasures(scope).filter(({ id }) => !sent.includes(id));
  const suggestion = [...sent, ...more.map(({ id }) => id)].slice(0, min);
  if (suggestion.length < min)
    return block.at('type').fail('block_shape', {
      what: `a ${type} needs more measures than dataset "${scope.dataset.id}" has`,
      valid: ['table'],
    });
  const without = type === 'table' || type === 'funnel' ? ' without dimensions' : '';
  return block.at('measures').fail('block_shape', {
    what: `a ${type}${without} must have at least ${min} measure${min === 1 ? '' : 's'}`,
    suggestion,
  });
}

function readMeasure(item: LocatedValue, reading: Reading): CheckedMeasure | undefined {
  const { scope, taken } = reading;
  if (item.isObject)
    return item.at('ratio').isMissing ? readFiltered(item, reading) : readRatio(item, reading);
  if (typeof item.value !== 'string')
    return item.fail('bad_value', {
      what: 'must be the id of a measure, {measure, where, as} or {ratio, as}',
      valid: usableMeasures(scope).map(({ id }) => id),
    });
  const ratio = ratioMeant(item.value, scope);
  if (ratio)
    return item.fail('bad_value', {
      what: 'must be the id of a measure. A ratio is {"ratio": [a, b], "as": name}',
      suggestion: { ratio, as: freeName(ratio.join('_per_'), reading) },
    });
  const measure = findMeasure(item, scope);
  if (!measure) return undefined;
  if (taken.has(measure.id))
    return item.fail('duplicate_id', { what: `column "${measure.id}" is listed twice` });
  taken.add(measure.id);
  return { as: measure.id, label: measure.label, measure, where: [] };
}

/** Returns the ids of two measures that a text such as `shortlisted / completed` divides. */
function ratioMeant(text: string, scope: FieldScope): string[] | undefined {
  const parts = text.length > 200 ? [] : text.split('/').map((part) => part.trim());
  return parts.length === 2 && parts.every((part) => scope.dataset.measures.has(part)) ? parts : undefined;
}

/** Reads a measure that is computed from only some rows, in the form `{measure, where, as}`. */
function readFiltered(item: LocatedValue, reading: Reading): CheckedMeasure | undefined {
  const { scope, budget } = reading;
  rejectUnknownKeys(item, ['measure', 'where', 'as'], keySynonyms.measure);
  const measure = findMeasure(item.at('measure'), scope);
  const where = item.at('where');
  const isEmpty = where.isMissing || (Array.isArray(where.value) && where.value.length === 0);
  if (isEmpty && measure && !item.isRenamed('where'))
    return item.fail('bad_value', {
      what: 'must have conditions in `where`. Send the id of the measure to count all rows',
      valid: [measure.id],
    });
  const conditions = readConditions(where, scope, { withMeasures: false, budget });
  const as = readName(item.at('as'), `${measure?.id ?? 'filtered'}_filtered`, reading);
  if (!measure || as === undefined) return undefined;
  return { as, label: labelOf(as), measure, where: conditions.where };
}

/** Reads a measure that divides one measure by another, in the form `{ratio: [a, b], as}`. */
function readRatio(item: LocatedValue, reading: Reading): CheckedMeasure | undefined {
  const { scope } = reading;
  rejectUnknownKeys(item, ['ratio', 'as'], keySynonyms.ratio);
  const pair = item.at('ratio');
  if (!Array.isArray(pair.value) || pair.value.length !== 2) {
    const ids = usableMeasures(scope).map(({ id }) => id);
    return pair.fail('bad_value', {
      what: 'must be a list of two measures, of which the first is divided by the second',
      suggestion: ids[0] === undefined ? undefined : [ids[0], ids[1] ?? ids[0]],
    });
  }
  const over = readTerm(pair.at(0), scope);
  const under = readTerm(pair.at(1), scope);
  const as = readName(item.at('as'), 'ratio', reading);
  if (!over || !under || as === undefined) return undefined;
  const measure: Measure = {
    id: as,
    kind: 'measure',
    label: `${over.label} / ${under.label}`,
    description: `${over.label} divided by ${under.label}.`,
    ...(isCount(over) && isCount(under)
      ? { type: 'percent', format: 'percent' }
      : { type: 'number', format: 'decimal2' }),
    aggregate: { kind: 'ratio', of: over.aggregate, by: under.aggregate },
    joins: [...new Set([...(over.joins ?? []), ...(under.joins ?? [])])],
  };
  return { as, label: measure.label, measure, where: [] };
}

const isCount = ({ aggregate: { kind } }: Measure) => kind === 'count' || kind === 'distinct';

function readTerm(place: LocatedValue, scope: FieldScope): Measure | undefined {
  const measure = findMeasure(place, scope);
  if (measure?.type !== 'date') return measure;
  const numbers = usableMeasures(scope).filter(({ type }) => type !== 'date');
  return place.fail('bad_value', { what: 'must not be a date', valid: numbers.map(({ id }) => id) });
}

const namePattern = /^[a-z][a-z0-9_]{0,39}$/;

/** Returns a name of a column, like `base`, that is not the name of a field or of another column. */
function freeName(base: string, { scope: { dataset }, taken }: Pick<Reading, 'scope' | 'taken'>): string {
  let stem =
    base
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 36) || 'measure';
  while (stem.endsWith(firstShareSuffix)) stem = stem.slice(0, -firstShareSuffix.length) || 'measure';
  let free = stem;
  for (let count = 2; isTaken(free, dataset, taken); count += 1) free = `${stem}_${count}`;
  return free;
}

const isTaken = (name: string, dataset: Dataset, taken: ReadonlySet<string>): boolean =>
  taken.has(name) || dataset.measures.has(name) || dataset.dimensions.has(name);

/**
 * Reads the name of a column. The name must differ from all other columns of the block and from all fields of its
 * dataset.
 */
function readName(place: LocatedValue, fallback: string, { scope, taken }: Reading): string | undefined {
  const { value } = place;
  const isText = typeof value === 'string';
  const suggestion = freeName(isText ? value : fallback, { scope, taken });
  if (!isText || value.length > 40 || !namePattern.test(value) || value.endsWith(firstShareSuffix))
    return place.fail('bad_value', {
      what: place.isMissing
        ? 'is required'
        : `must be a name of at most 40 lower case letters, digits and _ that does not end with ${firstShareSuffix}`,
      suggestion,
    });
  if (isTaken(value, scope.dataset, taken))
    return place.fail('duplicate_id', {
      what: `must not be the name of a field or of another column, as ${quoteValue(value)} is`,
      suggestion,
    });
  taken.add(value);
  return value;
}

const labelOf = (as: string): string => {
  const words = as.replaceAll('_', ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};
