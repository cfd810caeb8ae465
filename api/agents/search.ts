/** The most entries that a search returns. */
const maxFound = 5;

type Indexed<Entry> = { entry: Entry; within: string };

/** Returns an entry with the texts in which it is found. A text that is given twice counts more. */
export const indexEntry = <Entry>(entry: Entry, ...texts: string[]): Indexed<Entry> => ({
  entry,
  within: texts.join(' ').toLowerCase(),
});

/** Returns the entries with most of the words of a query, best first. */
export function findBestMatches<Entry>(entries: readonly Indexed<Entry>[], query: unknown): Entry[] {
  const words = wordsOf(query);
  return entries
    .map(({ entry, within }) => {
      const score = words.reduce((sum, word) => {
        const count = within.split(word).length - 1;
        return sum + (count > 0 ? 5 + Math.min(count, 5) : 0);
      }, 0);
      return { entry, score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ entry }) => entry);
}

const wordsOf = (query: unknown): string[] =>
  String(query)
    .slice(0, 500)
    .toLowerCase()
    .match(/[\p{L}\p{N}_]{2,}/gu)
    ?.slice(0, 20) ?? [];
