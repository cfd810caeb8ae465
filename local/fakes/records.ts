export type Records<T> = {
  add: (record: T) => void;
  /** The kept records, oldest first. */
  list: () => T[];
  /** The number of records since the last `forget`, including those no longer kept. */
  count: () => number;
  forget: () => void;
};

/**
 * A list that keeps its last `limitRecords`. It is trimmed in blocks, because removing one record at a time would be
 * slow.
 */
export function createRecords<T>(limitRecords = 5_000): Records<T> {
  let records: T[] = [];
  let received = 0;
  return {
    add(record) {
      received += 1;
      records.push(record);
      if (records.length >= 2 * limitRecords) records = records.slice(-limitRecords);
    },
    list: () => records.slice(-limitRecords),
    count: () => received,
    forget() {
      records = [];
      received = 0;
    },
  };
}
