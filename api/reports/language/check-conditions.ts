import { operators } from '../../../db/reports/checked-report';
import type { Condition, Operator } from '../../../db/reports/checked-report';
import type { Dataset, Dimension, Measure } from '../../../db/reports/dataset';
import { expectList } from './check-scalars';
import { readValues } from './check-value';
import { findConditionField } from './find-field';
import type { FieldScope } from './find-field';
import { isSmallEnoughToQuote, quoteValue, rejectUnknownKeys, suggest } from './issue';
import type { LocatedValue } from './issue';
import { limits, maxConditionDepth } from './limits';
import { operatorAliases, operatorsOf } from './operators';
import { guessConditions } from './other-forms';
import { keySynonyms } from './synonyms';

/** The number of conditions that a block may still have. */
export type ConditionBudget = { left: number };
export const newConditionBudget = (): ConditionBudget => ({ left: limits.max_conditions });

export type Conditions = { where: Condition[]; having: Condition[] };

type Options = { withMeasures: boolean; budget: ConditionBudget };

/** Reads `where`: conditions on dimensions select rows, those on measures select groups. */
export function readConditions(place: LocatedValue, scope: FieldScope, options: Options): Conditions {
  const meant = (value: unknown) => guessConditionList(value, scope.dataset);
  if (place.isMissing || !expectList(place, 'conditions', meant)) return { where: [], having: [] };
  return parseConditions(place.entries(), scope, options);
}

/**
 * Returns the list of conditions that another form of `where` probably means, such as `{"department":
 * "Engineering"}`.
 */
export function guessConditionList(value: unknown, dataset: Dataset | undefined): unknown[] | undefined {
  const isCondition =
    typeof value === 'object' &&
    value !== null &&
    ['field', 'any', 'all'].some((key) => Object.hasOwn(value, key));
  if (isCondition) return isSmallEnoughToQuote(value) ? [value] : undefined;
  return dataset && guessConditions(value, dataset);
}

/** Reads conditions that are entries of a list. */
export function parseConditions(
  items: readonly LocatedValue[],
  scope: FieldScope,
  options: Options,
): Conditions {
  const found: Conditions = { where: [], having: [] };
  for (const item of items) {
    const condition = readCondition(item, scope, options, 0);
    if (condition) split(condition, item, found);
  }
  return found;
}

function split(condition: Condition, place: LocatedValue, found: Conditions): void {
  const kinds = kindsOf(condition);
  if (kinds.size < 2) {
    (kinds.has('measure') ? found.having : found.where).push(condition);
  } else if (condition.kind === 'all') {
    for (const inner of condition.of) split(inner, place, found);
  } else {
    place.fail('block_shape', {
      what: '`any` must not combine conditions on dimensions with conditions on measures',
    });
  }
}

function kindsOf(condition: Condition): Set<'dimension' | 'measure'> {
  if (condition.kind === 'field') return new Set([condition.field.kind]);
  return new Set(condition.of.flatMap((inner) => [...kindsOf(inner)]));
}

function readCondition(
  place: LocatedValue,
  scope: FieldScope,
  options: Options,
  depth: number,
): Condition | undefined {
  const meant = guessConditions(place.value, scope.dataset);
  const suggestion = meant?.length === 1 ? meant[0] : meant && { all: meant };
  if (!place.isObject || (meant && place.at('field').isMissing))
    return place.fail('bad_value', { what: 'must be a condition {field, op, value}', suggestion });
  const any = place.at('any');
  const all = place.at('all');
  if (!any.isMissing && !all.isMissing)
    return all.fail('block_shape', { what: '`any` and `all` must not be in the same condition' });
  if (any.isMissing && all.isMissing) return readComparison(place, scope, options);
  const kind = any.isMissing ? 'all' : 'any';
  rejectUnknownKeys(place, [kind]);
  return readGroup(place, kind, scope, options, depth + 1);
}

function readGroup(
  place: LocatedValue,
  kind: 'any' | 'all',
  scope: FieldScope,
  options: Options,
  depth: number,
): Condition | undefined {
  const list = place.at(kind);
  if (depth > maxConditionDepth)
    return place.fail('block_shape', {
      what: `\`any\` and \`all\` must not be nested more than ${maxConditionDepth} levels deep`,
    });
  if (!Array.isArray(list.value) || list.value.length === 0) {
    const code = Array.isArray(list.value) ? 'block_shape' : 'bad_value';
    return place.fail(code, { what: `\`${kind}\` must be a list of at least one condition` });
  }
  const conditions = list.entries().map((item) => readCondition(item, scope, options, depth));
  if (conditions.includes(undefined)) return undefined;
  return { kind, of: conditions.filter((condition) => condition !== undefined) };
}

function readComparison(
  place: LocatedValue,
  scope: FieldScope,
  { withMeasures, budget }: Options,
): Condition | undefined {
  budget.left -= 1;
  if (budget.left < 0)
    return place.fail('too_many', { what: `a block must have at most ${limits.max_conditions} conditions` });
  rejectUnknownKeys(place, ['field', 'op', 'value'], keySynonyms.condition);
  const field = findConditionField(place.at('field'), scope, withMeasures);
  if (!field) return undefined;
  const op = readOperator(place.at('op'), field);
  if (!op || place.isRenamed('value')) return undefined;
  const values = readValues(place, field, op);
  return values && { kind: 'field', field, op, values };
}

const known = new Set<string>(operators);

function readOperator(place: LocatedValue, field: Dimension | Measure): Operator | undefined {
  const valid = operatorsOf(field);
  const { value } = place;
  if (typeof value !== 'string') {
    const what = place.isMissing ? 'is required' : 'must be the name of an operator';
    return place.fail('bad_value', { what, valid });
  }
  const op = valid.find((name) => name === value);
  if (op) return op;
  if (known.has(value))
    return place.fail('op_not_allowed_for_type', {
      what: `operator "${value}" is not available for "${field.id}" of type ${typeOf(field)}`,
      valid,
    });
  const alias = operatorAliases.get(value.slice(0, 20).toLowerCase());
  return place.fail('unknown_op', {
    what: `unknown operator ${quoteValue(value)}`,
    suggestion: alias && valid.includes(alias) ? alias : suggest(value, valid),
    valid,
  });
}

const typeOf = (field: Dimension | Measure) =>
  'values' in field && field.values ? 'text with listed values' : field.type;
