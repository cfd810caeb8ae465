/** Rows as `unnest` takes them: for each of the keys an array of its values. */
export const columnsOf = <Row, Key extends keyof Row>(
  rows: readonly Row[],
  ...keys: readonly Key[]
): Row[Key][][] => keys.map((key) => rows.map((row) => row[key]));

/**
 * An array of texts that are JSON, as Postgres reads it: without control characters a text is quoted as JSON quotes it,
 * which is many times faster than pg's way.
 */
export const jsonTexts = (texts: readonly (string | null)[]): string =>
  `{${texts.map((text) => (text === null ? 'NULL' : JSON.stringify(text))).join(',')}}`;

/**
 * Texts behind each other as bytes, with the place of each, from 1, and its length, 0 for none: neither side has to quote
 * them or to read them by characters (measured: 7 % of the CPU of a delivery, for its body).
 */
export function joinTexts(texts: readonly (string | null)[]) {
  const parts = texts.map((text) => Buffer.from(text ?? ''));
  const lengths = parts.map(({ length }) => length);
  const places: number[] = [];
  for (let place = 1, at = 0; at < lengths.length; place += lengths[at++] ?? 0) places.push(place);
  return { joined: Buffer.concat(parts), places, lengths };
}
