import { stopWords } from './stop-words';

export type JudgedCriterion = { criterion_id: string; met: 'yes' | 'no' | 'unclear'; quote: string | null };
type Criterion = { id: string; text: string };

const words = new Intl.Segmenter('en', { granularity: 'word' });
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const spaceless = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Thai}]/u;

export const sentencesOf = (text: string): string[] =>
  text
    .split(/[\n\r]+/u)
    .flatMap((line) => Array.from(sentences.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

/**
 * Returns the content words of a text as stems. Longer words are cut to their beginning; Chinese and Japanese words
 * stay whole.
 */
export function stemsOf(text: string): ReadonlySet<string> {
  const known = stems.get(text);
  if (known) return known;
  if (stems.size > 5_000) stems.clear();
  const found = findStems(text);
  stems.set(text, found);
  return found;
}
const stems = new Map<string, ReadonlySet<string>>();

function findStems(text: string): ReadonlySet<string> {
  const lower = text.normalize('NFKC').toLowerCase();
  return new Set(
    Array.from(words.segment(lower), ({ segment, isWordLike }) => (isWordLike ? segment : '')).flatMap(
      (word) => {
        if (spaceless.test(word)) return /[\p{Script=Han}\p{Script=Katakana}]/u.test(word) ? [word] : [];
        return word.length < 4 || stopWords.has(word)
          ? []
          : [word.slice(0, Math.max(4, Math.min(6, word.length - 2)))];
      },
    ),
  );
}

/** Matches criteria that ask for figures. Only sentences with figures can meet them. */
const asksForFigures =
  /figures|numbers|percent|\brate\b|zahlen|prozent|cifras|porcentaje|chiffres|\btaux\b|sayıl|数字/iu;
const hasFigures = /\p{N}/u;

/** A word that occurs in this many criteria or more is ignored, because it does not distinguish them. */
const common = 3;

/**
 * Judges by shared content words: a criterion is met by the sentence that shares the most words with it. One shared
 * word is enough if the criterion has at most two words or asks for figures; otherwise two are needed. The same
 * prompt always gets the same judgements, which only have to look plausible.
 */
export function judgeAnswer(criteria: readonly Criterion[], answer: string): JudgedCriterion[] {
  const asked = criteria.map(({ text }) => stemsOf(text));
  const spread = (stem: string) => asked.filter((stems) => stems.has(stem)).length;
  const said = sentencesOf(answer).map((sentence) => ({ sentence, stems: stemsOf(sentence) }));
  const found = criteria.map(({ text }, index): Best | undefined => {
    const wanted = [...(asked[index] ?? [])].filter((stem) => spread(stem) < common);
    const needsFigures = asksForFigures.test(text);
    const countShared = (part: string, stems = stemsOf(part)): number =>
      needsFigures && !hasFigures.test(part) ? 0 : wanted.filter((stem) => matches(stem, stems)).length;
    const [best] = said
      .map(({ sentence, stems }) => ({ sentence, shared: countShared(sentence, stems) }))
      .sort((one, other) => other.shared - one.shared);
    const enough = wanted.length <= 2 || needsFigures ? 1 : 2;
    return best && best.shared >= enough ? { ...best, enough, countShared } : undefined;
  });
  // A criterion whose sentence is also the best one of another gets a part of its own, or none.
  const isContested = (best: Best): boolean =>
    found.some((other) => other !== best && other?.sentence === best.sentence);
  const parts = said.flatMap(({ sentence }) => partsOf(sentence));
  const own = new Map<Best, Part>();
  for (const best of found.flatMap((one) => one ?? []).sort((one, other) => other.shared - one.shared)) {
    if (!isContested(best)) continue;
    const [part] = parts
      .map((one) => ({ ...one, shared: best.countShared(one.text) }))
      .filter((one) => one.shared >= best.enough && ![...own.values()].some((other) => overlap(one, other)))
      .sort((one, other) => other.shared - one.shared || one.text.length - other.text.length);
    if (part) own.set(best, part);
  }
  return criteria.map(({ id }, index) => {
    const best = found[index];
    const quote = best && (isContested(best) ? own.get(best)?.text : best.sentence);
    return { criterion_id: id, met: quote === undefined ? 'no' : 'yes', quote: quote ?? null };
  });
}

type Best = { sentence: string; shared: number; enough: number; countShared: (part: string) => number };

const maxClauses = 20;

/** Clauses in a row, by their numbers in a sentence. */
type Part = { sentence: string; from: number; to: number; text: string };

/** Returns the parts of a sentence that are long enough for a quote. A quote is the shortest passage that shows something. */
function partsOf(sentence: string): Part[] {
  const clauses = sentence.split(/(?<=[,;:、，])/u).slice(0, maxClauses);
  const runs = clauses.flatMap((_first, from) =>
    clauses.slice(from).map((_last, more) => [from, from + more] as const),
  );
  return runs
    .map(([from, to]) => ({
      sentence,
      from,
      to,
      text: clauses
        .slice(from, to + 1)
        .join('')
        .trim(),
    }))
    .filter(({ text }) =>
      /\S+\s+\S+\s+\S|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{6}/u.test(text),
    );
}

const overlap = (one: Part, other: Part): boolean =>
  one.sentence === other.sentence && one.from <= other.to && other.from <= one.to;

/** Returns true if the stems contain this stem, or a longer or shorter form of it, such as "prepar" and "prepa". */
const matches = (stem: string, stems: ReadonlySet<string>): boolean =>
  stems.has(stem) || [...stems].some((other) => stem.startsWith(other) || other.startsWith(stem));
