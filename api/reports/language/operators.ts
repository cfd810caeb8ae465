import type { Operator } from '../../../db/reports/checked-report';
import type { Dimension, FieldType, Measure } from '../../../db/reports/dataset';

const lists = ['eq', 'ne', 'in', 'not_in', 'is_null', 'not_null'] as const;
const numeric: readonly Operator[] = [
  'eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'between', 'is_null', 'not_null',
]; // prettier-ignore

const operatorsByType: Record<FieldType, readonly Operator[]> = {
  text: ['eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'is_null', 'not_null'],
  id: lists,
  boolean: ['eq', 'ne', 'is_null', 'not_null'],
  integer: numeric,
  number: numeric,
  percent: numeric,
  duration: numeric,
  date: ['eq', 'gt', 'gte', 'lt', 'lte', 'between', 'is_null', 'not_null'],
};

/** The operators that a condition on a field may use. */
export const operatorsOf = (field: Dimension | Measure): readonly Operator[] =>
  'values' in field && field.values ? lists : operatorsByType[field.type];

/** Returns how many values an operator takes. */
export function arityOf(op: Operator): 'none' | 'one' | 'two' | 'many' {
  switch (op) {
    case 'is_null':
    case 'not_null':
      return 'none';
    case 'between':
      return 'two';
    case 'in':
    case 'not_in':
      return 'many';
    default:
      return 'one';
  }
}

/** Maps the names of operators in other query languages to the operators of this one. */
export const operatorAliases: ReadonlyMap<string, Operator> = new Map([
  ['=', 'eq'], ['==', 'eq'], ['equals', 'eq'], ['is', 'eq'], ['!=', 'ne'], ['<>', 'ne'], ['neq', 'ne'],
  ['not_equals', 'ne'], ['>', 'gt'], ['>=', 'gte'], ['ge', 'gte'], ['<', 'lt'], ['<=', 'lte'], ['le', 'lte'],
  ['like', 'contains'], ['ilike', 'contains'], ['any_of', 'in'], ['one_of', 'in'], ['nin', 'not_in'],
  ['none_of', 'not_in'], ['range', 'between'], ['isnull', 'is_null'], ['set', 'not_null'], ['exists', 'not_null'],
]); // prettier-ignore
