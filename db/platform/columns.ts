/** Converts rows to the form that `unnest` takes: one array of values per key. */
export const columnsOf = <Row, Key extends keyof Row>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Row[Key][][] => keys.map((key) => rows.map((row) => row[key]));

/**
 * Formats JSON texts as a Postgres array literal. Texts without control characters are quoted the same way in JSON, and
 * this is many times faster than pg's own quoting.
 */
export const jsonTexts = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : JSON.stringify(text))).join(',')}}`;

/**
 * Concatenates texts as bytes and returns the position (from 1) and length of each (0 for null). Neither side has to quote
 * them or parse them by character (measured: this saves 7 % of the CPU time of a delivery, for its body).
 */
export function joinTexts(texts: readonly (string | null)[]) {
  const parts = texts.map((text) => Buffer.from(text ?? ''));
  const lengths = parts.map(({ length }) => length);
  const places: number[] = [];
  for (let place = 1, at = 0; at < lengths.length; place += lengths[at++] ?? 0) places.push(place);
  return { joined: Buffer.concat(parts), places, lengths };
}
