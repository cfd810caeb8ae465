import type { Replacement } from './fold';

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
const capitalize = (word: string): string => word.replace(/^./u, (first) => first.toUpperCase());
/** The placeholder is an ordinary word, so that quotes that contain it are found like all others. */
const placeholder = 'Candidate';

/**
 * Returns edits that replace the candidate's names and email addresses with a placeholder. Names are split into
 * words. Each word of more than two letters is replaced if it stands alone and begins with a capital letter: "Will"
 * is replaced, "will" is not.
 */
export function findNamesToRedact(text: string, names: readonly string[]): Replacement[] {
  const addresses = names.filter((name) => name.includes('@'));
  const words = names.flatMap((name) => (name.includes('@') ? [] : formsOf(name)));
  return [...find(text, addresses, 'giu'), ...find(text, words, 'gu')];
}

const formsOf = (name: string): string[] =>
  name
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => {
      if (Array.from(word).length <= 2) return [];
      const written = word === word.toLowerCase() ? [] : [word];
      return [capitalize(word), word.toUpperCase(), ...written];
    });

function find(text: string, wanted: string[], flags: string): Replacement[] {
  if (wanted.length === 0) return [];
  const any = [...new Set(wanted)]
    .sort((one, other) => other.length - one.length)
    .map((word) => escape(word))
    .join('|');
  const whole = new RegExp(String.raw`(?<![\p{L}\p{M}\p{N}@])(?:${any})(?![\p{L}\p{M}\p{N}@])`, flags);
  return Array.from(text.matchAll(whole), ({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    text: placeholder,
  }));
}

/**
 * Sorts edits and removes overlaps: the edit that begins first stays or, of edits that begin together, the longest.
 */
export function mergeReplacements(edits: readonly Replacement[]): Replacement[] {
  const sorted = [...edits].sort((one, other) => one.start - other.start || other.end - one.end);
  let end = 0;
  return sorted.filter((edit) => {
    if (edit.start < end) return false;
    end = edit.end;
    return true;
  });
}
