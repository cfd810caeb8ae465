import mailTexts from '../../activities/mails/short-texts.json';
import portalTexts from '../../api/portal/short-texts.json';
import { textReader } from '../../api/contracts/text-reader';
import { languageCodes } from '../../api/contracts/vocabulary';
import type { LanguageCode } from '../../api/contracts/vocabulary';

const tables: [name: string, table: Record<LanguageCode, Record<string, string>>][] = [
  ['mails', mailTexts],
  ['portal', portalTexts],
];
const placeholdersOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([match]) => match).toSorted();

/** Scripts that a text in the language cannot do without; the others are written in Latin letters. */
const scripts: Partial<Record<LanguageCode, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /\p{Script=Hiragana}|\p{Script=Katakana}/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  ta: /\p{Script=Tamil}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

describe.each(tables)('short texts of %s', (_name, table) => {
  it('are there in each of the 34 languages, and in no other', () => {
    expect(Object.keys(table).toSorted()).toEqual([...languageCodes].toSorted());
    expect(languageCodes).toHaveLength(34);
  });

  it.each(languageCodes)('%s: has every text of English, with its placeholders', (code) => {
    const texts = table[code];
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(table.en).toSorted());
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim()).toBe(text);
      expect(text.length).toBeGreaterThan(1);
      expect([key, placeholdersOf(text)]).toEqual([key, placeholdersOf(table.en[key] ?? '')]);
    }
  });

  it.each(languageCodes)('%s: is written in its own script, and not a copy of another', (code) => {
    const all = Object.values(table[code]).join(' ');
    const words = all.replace(/\{\w+\}/g, '');
    expect(words).toMatch(scripts[code] ?? /\p{Script=Latin}/u);
    if (!scripts[code])
      expect(words).not.toMatch(/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u);
    for (const other of languageCodes)
      if (other !== code) expect(Object.values(table[other]).join(' ')).not.toBe(all);
  });
});

describe('textReader', () => {
  const table = Object.fromEntries(
    languageCodes.map((code) => [code, { line: '{merchant}: {interview} for {name} until {date}' }]),
  ) as Record<LanguageCode, { line: string }>;

  it('fills each placeholder once: a name that looks like one stays a name', () => {
    const read = textReader(table, 'en');
    expect(
      read('line', {
        merchant: '{date}',
        interview: '$&',
        name: '{name}',
        date: new Date('2026-12-31T23:59:59Z'),
      }),
    ).toBe('{date}: $& for {name} until December 31, 2026');
  });

  it('makes a name one line', () => {
    const read = textReader(table, 'en');
    const values = { merchant: 'A\r\nBcc: x', interview: 'B\u2028C', name: 'D\tE', date: new Date(0) };
    expect(read('line', values)).toBe('A Bcc: x: B C for D E until January 1, 1970');
  });

  it('writes the day as the language does', () => {
    const values = { merchant: 'm', interview: 'i', name: 'n', date: new Date('2026-01-02T00:00:00Z') };
    expect(textReader(table, 'de')('line', values)).toContain('2. Januar 2026');
    expect(textReader(table, 'br')('line', values)).toContain('2 de janeiro de 2026');
  });

  it('keeps names of the other direction apart from the text around them', () => {
    const values = { merchant: 'شركة', interview: 'Clerk', name: 'n', date: new Date(0) };
    expect(textReader(table, 'en')('line', values)).toContain('\u2068شركة\u2069: Clerk');
    expect(textReader(table, 'ar')('line', values)).toContain('\u2068Clerk\u2069');
  });

  it('does not leave a placeholder open', () => {
    expect(() => textReader(table, 'en')('line', { merchant: 'm' })).toThrow('interview');
  });
});
