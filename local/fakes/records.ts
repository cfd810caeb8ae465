export type RecentRecords<T> = {
  add: (record: T) => void;
  /** Returns the records that are kept, oldest first. */
  list: () => T[];
  /** Returns the number of records since the last `forget`, including those that are no longer kept. */
  count: () => number;
  forget: () => void;
};

/**
 * Creates a list that keeps the last `limitRecords` records. Many old records are removed at a time, because removing
 * them one by one would be slow.
 */
export function createRecentRecords<T>(limitRecords = 5_000): RecentRecords<T> {
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
