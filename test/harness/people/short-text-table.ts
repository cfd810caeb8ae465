import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** For each language that is not written in Latin letters, a pattern that finds a letter of its script. */
const languageScripts: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
  el: /\p{Script=Greek}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  ta: /\p{Script=Tamil}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
};

const placeholdersOf = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).sort();
/** Names of formats are written in Latin letters in every language. */
const wordsOf = (text: string) => text.replace(/\{[^}]*\}|PDF|DOCX|Word|MB/g, '');

/** Adds the tests that every table of short texts must pass. */
export function testShortTexts(table: Record<LanguageCode, Record<string, string>>): void {
  it('exist in every language of the platform and in no other, and differ in all of them', () => {
    expect(Object.keys(table).sort()).toEqual([...languageCodes].sort());
    expect(new Set(Object.values(table).map((texts) => JSON.stringify(texts))).size).toBe(34);
  });

  it('have the keys and placeholders of the English texts, in the script of the language', () => {
    for (const code of languageCodes) {
      const texts = table[code];
      expect([code, Object.keys(texts)]).toEqual([code, Object.keys(table.en)]);
      expect([code, faultsIn(texts, table.en, languageScripts[code])]).toEqual([code, []]);
      expect(Object.values(texts).map(wordsOf).join(' ')).toMatch(
        languageScripts[code] ?? /\p{Script=Latin}/u,
      );
    }
  });

  it('contain no English sentence in another language', () => {
    const long = Object.entries(table.en).filter(([, text]) => wordsOf(text).length > 40);
    const english = languageCodes
      .filter((code) => code !== 'en')
      .flatMap((code) => long.flatMap(([key, text]) => (table[code][key] === text ? [[code, key]] : [])));
    expect(english).toEqual([]);
  });
}

/** Returns the texts with stray spaces, other placeholders than the English text, or letters of another script. */
const faultsIn = (texts: Record<string, string>, english: Record<string, string>, script?: RegExp) =>
  Object.entries(texts).flatMap(([key, text]) => {
    const words = wordsOf(text);
    const letters = words.match(/\p{L}/gu) ?? [];
    const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
    const faults = {
      spaces: text !== text.replace(/\s+/g, (space) => space[0] ?? '').trim(),
      placeholders: String(placeholdersOf(text)) !== String(placeholdersOf(english[key] ?? '')),
      brackets: /[{}]/.test(words),
      script: latin.length !== (script ? 0 : letters.length),
    };
    return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [{ key, text, fault }] : []));
  });
