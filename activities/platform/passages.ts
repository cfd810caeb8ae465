import { unspacedScripts } from './unspaced-scripts';

/** The longest passage. Shorter ones name fewer things that do not belong to the question. */
const passageCharacters = 1_000;
/** A passage ends at the last of these, the first kind that is there, if it is then at least this long. */
const ends = ['\n\n', '\n', '. ', '。', ' '];
const leastCharacters = 300;

/** The most characters of passages that a question, an answer or a comparison gets, and those that a draft gets. */
export const passagesLimit = { question: 6_000, draft: 20_000 };

/** A question, with the answer that belongs to it, is read up to here. */
const maxQuestionCharacters = 5_000;
/** Words that differ only after this many letters are the same, so that most endings make no difference. */
const comparedLetters = 5;

/**
 * Chooses the passages of a text of the employer that relate to a question, in the order of the text: those that share
 * the rarest words with it, up to `maxCharacters` (docs/interviews.md#passages). A text that fits is one passage. If no
 * passage shares a word, the text's beginning is chosen. 200,000 characters take up to 80 ms in the first
 * call and 40 ms after it, in a script without spaces and with the longest question.
 */
export function choosePassages(text: string, question: string, maxCharacters: number): string[] {
  if (text.length <= maxCharacters) return [text];
  const passages = cut(text);
  const asked = keysOf(question.slice(0, maxQuestionCharacters));
  const shared = passages.map((passage) => [...keysOf(passage)].filter((key) => asked.has(key)));
  const counts = new Map<string, number>();
  for (const keys of shared) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const weigh = (key: string) => Math.log(passages.length / (counts.get(key) ?? 1));
  const ranked = shared
    .map((keys, index) => ({ index, score: keys.reduce((sum, key) => sum + weigh(key), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.index - other.index);
  const order = ranked.length > 0 ? ranked : passages.map((_passage, index) => ({ index }));
  const chosen: number[] = [];
  let left = maxCharacters;
  for (const { index } of order) {
    left -= passages[index]?.length ?? 0;
    if (left < 0) break;
    chosen.push(index);
  }
  return chosen.toSorted((one, other) => one - other).flatMap((index) => passages[index] ?? []);
}

/** Cuts a text into passages, at the ends of paragraphs, lines, sentences or words. */
function cut(text: string): string[] {
  const passages: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + endOf(text.slice(from, from + passageCharacters));
    const passage = text.slice(from, to).trim();
    if (passage !== '') passages.push(passage);
    from = to;
  }
  return passages;
}

function endOf(part: string): number {
  if (part.length < passageCharacters) return part.length;
  for (const end of ends) {
    const at = part.lastIndexOf(end) + end.length;
    if (at > leastCharacters) return at;
  }
  // A surrogate pair stays whole.
  return /[\ud800-\udbff]$/.test(part) ? part.length - 1 : part.length;
}

const words = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns what is compared of each word: its first letters or, in scripts without spaces, each pair of characters. */
function keysOf(text: string): Set<string> {
  const keys = new Set<string>();
  const isUnspaced = unspacedScripts.test(text);
  for (const word of text.toLowerCase().match(words) ?? [])
    if (isUnspaced && unspacedScripts.test(word))
      for (let at = 0; at < word.length - 1; at += 1) keys.add(word.slice(at, at + 2));
    else if (word.length > 1) keys.add(word.slice(0, comparedLetters));
  return keys;
}
