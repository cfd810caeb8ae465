import { htmlLanguage } from '../../../api/platform/text/html';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';

/** The names of scripts in regular expressions, for those that consist of several scripts. */
const mainScripts: Readonly<Record<string, string>> = { Hans: 'Hani', Jpan: 'Hira', Kore: 'Hang' };
/** Returns the script of a language, such as `Latn`. */
function scriptOf(code: LanguageCode): string {
  const { script = '' } = new Intl.Locale(htmlLanguage(code).lang).maximize();
  return mainScripts[script] ?? script;
}

const placeholdersOf = (text: string) => (text.match(/\{[^}]*\}/g) ?? []).sort();
/** Names of formats are written in Latin letters in every language. */
const wordsOf = (text: string) => text.replace(/\{[^}]*\}|PDF|DOCX|Word|MB/g, '');

/** Adds the tests that every table of short texts must pass. */
export function testShortTexts(table: Record<LanguageCode, Record<string, string>>): void {
  it('exist in every language of the platform and in no other, and differ in all of them', () => {
    expect(Object.keys(table).sort()).toEqual([...languageCodes].sort());
    expect(new Set(Object.values(table).map((texts) => JSON.stringify(texts))).size).toBe(
      languageCodes.length,
    );
  });

  it('have the keys and placeholders of the English texts, in the script of the language', () => {
    for (const code of languageCodes) {
      const texts = table[code];
      expect([code, Object.keys(texts)]).toEqual([code, Object.keys(table.en)]);
      expect([code, faultsIn(texts, table.en, scriptOf(code))]).toEqual([code, []]);
      expect(Object.values(texts).map(wordsOf).join(' ')).toMatch(
        new RegExp(`\\p{Script=${scriptOf(code)}}`, 'u'),
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
const faultsIn = (texts: Record<string, string>, english: Record<string, string>, script: string) =>
  Object.entries(texts).flatMap(([key, text]) => {
    const words = wordsOf(text);
    const letters = words.match(/\p{L}/gu) ?? [];
    const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
    const faults = {
      spaces: text !== text.replace(/\s+/g, (space) => space[0] ?? '').trim(),
      placeholders: String(placeholdersOf(text)) !== String(placeholdersOf(english[key] ?? '')),
      brackets: /[{}]/.test(words),
      script: latin.length !== (script === 'Latn' ? letters.length : 0),
    };
    return Object.entries(faults).flatMap(([fault, isFound]) => (isFound ? [{ key, text, fault }] : []));
  });
