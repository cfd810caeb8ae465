import type { ReportInput } from './checked';

/** Returns whether a report may use all_time, so that the caller has to look up the merchant's first row. */
export function needsFirstRow(
  input: Pick<ReportInput, 'definition' | 'requestFilters' | 'savedFilters'>,
): boolean {
  const { definition, requestFilters, savedFilters } = input;
  const blocks = read(definition, 'blocks');
  const holders = [requestFilters, savedFilters, read(definition, 'filters')].concat(
    Array.isArray(blocks) ? blocks : [],
  );
  return holders.some((holder) => read(read(holder, 'period'), 'preset') === 'all_time');
}

const read = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
