import { limitCombiningMarks } from '../platform/limit-marks';
import { unspacedScripts } from '../platform/unspaced-scripts';
import { segmentsOf } from './segments';

/** A span of a text, in UTF-16 units. `end` is exclusive. */
export type TextSpan = { start: number; end: number };
/** A span that is replaced by `text`, in what the model reads and in the comparison of quotes. */
export type Replacement = TextSpan & { text: string };

/**
 * A text in the form in which quotes are compared. The unit at index `i` of `text` stands for the original text from
 * `starts[i]` to `ends[i]`.
 */
export type FoldedText = { text: string; starts: Int32Array; ends: Int32Array };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const single = /['\u2018-\u201b\u2032\u2039\u203a`\u00b4]/gu;
const double = /["\u201c-\u201f\u2033\u00ab\u00bb\u300c-\u300f\u301d-\u301f]/gu;
/** Matches characters that a reader does not see. They include joiners, which models often drop. */
export const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A folded text that is being built. Its units are joined at the end, because reading a string while it grows takes
 * quadratic time.
 */
type Folding = { units: string[]; starts: number[]; ends: number[] };

/**
 * Removes differences that readers do not notice: compatibility forms (NFKC), case, forms of quotation marks, and
 * white space. Case is folded alike in all languages, so the Turkish dotted and dotless i become one letter, as do
 * the Greek sigmas, and ß becomes ss. The words stay the same. `edits` must be sorted and must not overlap.
 */
export function foldWithOffsets(text: string, edits: readonly Replacement[] = []): FoldedText {
  const folded: Folding = { units: [], starts: [], ends: [] };
  let from = 0;
  for (const edit of edits) {
    foldPart(text.slice(from, edit.start), from, folded);
    append(foldGraphemes(edit.text), edit, folded);
    from = edit.end;
  }
  foldPart(text.slice(from), from, folded);
  return {
    text: folded.units.join(''),
    starts: Int32Array.from(folded.starts),
    ends: Int32Array.from(folded.ends),
  };
}

/** Returns the text with the edits applied. */
export function applyReplacements(text: string, edits: readonly Replacement[]): string {
  let from = 0;
  const parts: string[] = [];
  for (const edit of edits) {
    parts.push(text.slice(from, edit.start), edit.text);
    from = edit.end;
  }
  return [...parts, text.slice(from)].join('');
}

/** Folds and trims a text. Returns only the text, without offsets. */
export const foldText = (text: string): string => foldWithOffsets(text).text.trim();

/** How many places are looked at. In a long text of one letter, the needle is at every place, but in no whole word. */
const maxPlaces = 200;

/**
 * Returns where `needle`, a folded text, occurs as whole words and whole characters. The spans are those of the original
 * text.
 */
export function* findFolded({ text, starts, ends }: FoldedText, needle: string): Generator<TextSpan> {
  if (needle === '') return;
  let places = 0;
  for (let at = text.indexOf(needle); at !== -1 && places < maxPlaces; at = text.indexOf(needle, at + 1)) {
    places += 1;
    const last = at + needle.length - 1;
    const isWholeCharacters =
      (at === 0 || starts[at] !== starts[at - 1]) &&
      (last + 1 === text.length || starts[last] !== starts[last + 1]);
    if (isWholeCharacters && isBreak(text, at) && isBreak(text, last + 1))
      yield { start: starts[at] ?? 0, end: ends[last] ?? 0 };
  }
}

const wordEnd = /[\p{L}\p{M}\p{N}]$/u;
const wordStart = /^[\p{L}\p{M}\p{N}]/u;
const unspacedEnd = new RegExp(`${unspacedScripts.source}\\p{M}*$`, 'u');
const unspacedStart = new RegExp(`^${unspacedScripts.source}`, 'u');

/** Returns true unless `at` is in the middle of a word. */
function isBreak(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 12), at);
  const after = text.slice(at, at + 2);
  if (unspacedEnd.test(before) || unspacedStart.test(after)) return true;
  return !wordEnd.test(before) || !wordStart.test(after);
}

/**
 * Matches runs of characters that never combine with each other. Most texts consist of such runs, for which the slow
 * segmenter is not needed.
 */
const simpleRuns = /[\u0020-\u007e\u00c0-\u017f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff]{3,}/gu;

function foldPart(part: string, offset: number, folded: Folding): void {
  let from = 0;
  const segmentTo = (to: number) => {
    for (const { segment, index } of segmentsOf(graphemes, part.slice(from, to))) {
      const start = offset + from + index;
      append(
        segment.length === 1 ? foldSimple(segment) : foldGrapheme(segment),
        { start, end: start + segment.length },
        folded,
      );
    }
  };
  for (const { 0: run, index } of part.matchAll(simpleRuns)) {
    // The first and the last character of a run can combine with the characters before and after it.
    const end = index + run.length - 1;
    segmentTo(index + 1);
    for (let at = index + 1; at < end; at += 1)
      append(foldSimple(part[at] ?? ''), { start: offset + at, end: offset + at + 1 }, folded);
    from = end;
  }
  segmentTo(part.length);
}

const simple = new Map<string, string>();
function foldSimple(character: string): string {
  const known = simple.get(character);
  if (known !== undefined) return known;
  const folded = foldGrapheme(character);
  simple.set(character, folded);
  return folded;
}

const foldGraphemes = (text: string): string =>
  Array.from(segmentsOf(graphemes, text), ({ segment }) => foldGrapheme(segment)).join('');

function foldGrapheme(grapheme: string): string {
  if (/^[a-z0-9 ,.]$/.test(grapheme)) return grapheme;
  // One pass is not always enough: NFKC turns a half-width bracket into a quotation mark, which only the next pass
  // folds.
  let [before, folded] = ['', limitCombiningMarks(grapheme)];
  while (folded !== before) [before, folded] = [folded, foldOnce(folded)];
  return folded;
}

/**
 * A character of more units than this stays as it is, as in ﷺ, which stands for 18. Otherwise, an answer could become
 * many times as long.
 */
const maxExpansion = 8;
const compose = (text: string): string => {
  const composed = text.normalize('NFKC');
  return composed.length > text.length * maxExpansion ? text : composed;
};

/**
 * To make ß equal to ẞ, and the two small sigmas equal to each other, the text is changed to lower, upper and again
 * lower case. The dot that remains of İ is removed.
 */
const foldOnce = (text: string): string => {
  const lower = compose(text.replace(single, "'").replace(double, '"'))
    .replace(invisibleCharacters, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase();
  return compose(lower)
    .replace(/i\u0307/gu, 'i')
    .replace(/\s+/gu, ' ');
};

/**
 * Appends the folded text of a span. White space after white space adds no unit, but extends the range of the unit
 * before it.
 */
function append(text: string, { start, end }: TextSpan, folded: Folding): void {
  for (const unit of text.split('')) {
    if (unit === ' ' && folded.units.at(-1) === ' ') {
      folded.ends[folded.ends.length - 1] = end;
      continue;
    }
    folded.units.push(unit);
    folded.starts.push(start);
    folded.ends.push(end);
  }
}
