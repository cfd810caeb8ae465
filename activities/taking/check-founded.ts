/** A quote with fewer letters and digits could stand anywhere. */
const minQuoteLetters = 8;
/** The sources of a reply have at most 20,000 characters of the description and 6,000 of passages. NFKC can lengthen them. */
const maxComparedCharacters = 100_000;
/** Matches what follows the first 30 marks of a letter. Sorting them, as NFKC does, takes quadratic time. */
const excessiveMarks = /(?<=\p{M}{30})\p{M}+/gu;

const plain = (text: string): string =>
  text.replaceAll(excessiveMarks, '').normalize('NFKC').slice(0, maxComparedCharacters).toLowerCase();
const lettersOf = (text: string): string => plain(text).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
const numbersOf = (text: string): string[] => plain(text).match(/\p{Nd}+/gu) ?? [];

/**
 * Returns whether the reply of a public avatar rests on its sources: its quote stands there word for word, every number of
 * the reply occurs there, and it does not repeat what the visitor dictated. The words of the reply cannot be compared, because
 * the sources may be in another language.
 */
export function isFounded(
  { reply, quote }: { reply: string; quote: string },
  sources: readonly string[],
  question: string,
): boolean {
  const quoted = lettersOf(quote);
  if (quoted.length < minQuoteLetters || !sources.some((text) => lettersOf(text).includes(quoted)))
    return false;
  const known = new Set(sources.flatMap(numbersOf));
  if (numbersOf(reply).some((number) => !known.has(number))) return false;
  const said = lettersOf(reply);
  return !lettersOf(question).includes(said) || sources.some((text) => lettersOf(text).includes(said));
}
