/**
 * Parses a one-dimensional Postgres array, `{a,"b c",NULL}`. pg's parser builds every entry character by character: 1.2 MB
 * of ids blocked the process for 200 ms; this one takes 2 ms.
 */
export function parseTextArray(source: string): (string | null)[] {
  if (!/^\{(?!\{)/.test(source)) throw new Error('not a one-dimensional array that begins at 1');
  const entries: (string | null)[] = [];
  let start = 1;
  while (start < source.length - 1) {
    const isQuoted = source[start] === '"';
    const end = isQuoted ? closingQuote(source, start) : entryEnd(source, start);
    if (isQuoted) entries.push(unescape(source.slice(start + 1, end)));
    else entries.push(source.slice(start, end) === 'NULL' ? null : source.slice(start, end));
    start = end + (isQuoted ? 2 : 1);
  }
  return entries;
}

const entryEnd = (source: string, start: number): number => {
  const comma = source.indexOf(',', start);
  return comma === -1 ? source.length - 1 : comma;
};

function closingQuote(source: string, start: number): number {
  let end = start + 1;
  while (end < source.length && source[end] !== '"') end += source[end] === '\\' ? 2 : 1;
  return end;
}

const unescape = (entry: string): string =>
  entry.includes('\\') ? entry.replaceAll(/\\(.)/gs, '$1') : entry;
