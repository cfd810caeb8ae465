/** Rows as `unnest` takes them: for each of the keys an array of its values. */
export const columnsOf = <Row, Key extends keyof Row>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Row[Key][][] => keys.map((key) => rows.map((row) => row[key]));
