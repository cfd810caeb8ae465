import type { TextTable } from '../../../api/platform/text/text-reader';
import { languageCodes } from '../../../db/platform/vocabulary';
import { languageScripts } from './language-scripts';

const placeholdersOf = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).sort();
const wordsOf = (text: string) => text.replace(/\{[^}]*\}/g, '');

/** Adds the tests that every table of short texts must pass. */
export function testShortTexts(table: TextTable<string>): void {
  it('exist in every language of the platform and in no other, and differ in all of them', () => {
    expect(Object.keys(table).sort()).toEqual([...languageCodes].sort());
    expect(new Set(Object.values(table).map((texts) => JSON.stringify(texts))).size).toBe(34);
  });

  it.each(languageCodes)(
    'have the keys and placeholders of the English texts, in the script of the language: %s',
    (code) => {
      const texts = table[code];
      expect(Object.keys(texts)).toEqual(Object.keys(table.en));
      for (const [key, text] of Object.entries(texts)) {
        expect([key, text]).toEqual([key, text.replace(/\s+/g, (space) => space[0] ?? '').trim()]);
        expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(table.en[key] ?? '')]);
        expect([key, /^[^{}]*$/.test(wordsOf(text))]).toEqual([key, true]);
        const letters = wordsOf(text).match(/\p{L}/gu) ?? [];
        const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
        const script = languageScripts[code];
        expect([key, latin.length]).toEqual([key, script ? 0 : letters.length]);
      }
      expect(Object.values(texts).map(wordsOf).join(' ')).toMatch(
        languageScripts[code] ?? /\p{Script=Latin}/u,
      );
    },
  );

  it.each(languageCodes.filter((code) => code !== 'en'))(
    'contain no English sentence in another language: %s',
    (code) => {
      const long = Object.entries(table.en).filter(([, text]) => wordsOf(text).length > 40);
      expect(long.filter(([key, text]) => table[code][key] === text)).toEqual([]);
    },
  );
}
