import type { CheckedBlock } from '../../../db/reports/checked-report';
import type { ChosenValue } from '../../../db/reports/compile-records';
import type { FieldType } from '../../../db/reports/dataset';
import { ApiError } from '../../platform/operation/api-error';
import { parseDay } from '../language/calendar';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const hourPattern = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

/**
 * Reads the values that a row has for the block's dimensions, in the order of the dimensions. Measures and `partial`
 * in the row are ignored. Throws 422 for a key that no row of the block has, and for a value that its dimension
 * cannot have.
 */
export function readRow({ dimensions, measures }: CheckedBlock, row: object): ChosenValue[] {
  const values = new Map<string, unknown>(Object.entries(row));
  const known = new Set([
    ...dimensions.map(({ field }) => field.id),
    ...measures.flatMap(({ as }) => [as, `${as}_of_first`]),
    'partial',
  ]);
  for (const name of values.keys())
    if (!known.has(name))
      throw wrong(
        `row has no dimension ${JSON.stringify(name.slice(0, 100))}; valid: ${dimensions.map(({ field }) => field.id).join(', ') || 'none'}`,
      );
  return dimensions.flatMap(({ field, grain }): ChosenValue[] => {
    const value = values.get(field.id);
    if (value === undefined) return [];
    if (value === null) return [{ field, grain, value }];
    const isRight = grain === null ? isOfType[field.type](value) : isLabel(value, grain === 'hour');
    if (!isRight) throw wrong(`row has a value for ${field.id} that this dimension cannot have`);
    return [{ field, grain, value: value as string | number | boolean }];
  });
}

const wrong = (message: string) => new ApiError('invalid_value', `${message}.`, 'row');

const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown) => typeof value === 'string';
const isOfType: Record<FieldType, (value: unknown) => boolean> = {
  text: isText,
  id: (value) => typeof value === 'string' && uuidPattern.test(value),
  boolean: (value) => typeof value === 'boolean',
  integer: isNumber,
  number: isNumber,
  percent: isNumber,
  duration: isNumber,
  date: () => false,
};

/** True if a value is the label of a bucket: an hour with its offset, or a local day. */
function isLabel(value: unknown, isHour: boolean): boolean {
  if (typeof value !== 'string') return false;
  const day = isHour ? hourPattern.exec(value)?.[1] : value;
  return day !== undefined && parseDay(day) !== undefined && (!isHour || !Number.isNaN(Date.parse(value)));
}
