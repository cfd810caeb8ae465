import { portalTexts } from '../../../api/platform/portal/texts';
import { languageTexts } from '../../../api/platform/text/language-texts';
import type { LanguageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { testShortTexts } from '../../harness/people/short-text-table';

const sections = [
  'candidate_pages',
  'mails',
  'messages',
  'pdf',
  'portal',
  'practice',
  'report_mails',
  'spoken',
  'steps',
] as const;

/** Returns the name of each text with its section. */
const namesOf = (texts: LanguageTexts) =>
  Object.entries(texts).map(([section, entry]) => [
    section,
    typeof entry === 'string' ? null : Object.keys(entry).sort(),
  ]);

it.each(languageCodes)('%s has every text that English has, and no other', (code) => {
  expect(namesOf(languageTexts[code])).toEqual(namesOf(languageTexts.en));
});

describe.each(sections)('the texts of %s', (section) => {
  const texts = languageCodes.map((code): [LanguageCode, Record<string, string>] => [
    code,
    languageTexts[code][section],
  ]);
  testShortTexts(Object.fromEntries(texts) as Record<LanguageCode, Record<string, string>>);
});

describe('the texts of the portal', () => {
  it.each(languageCodes)('are filled with their values: %s', (code) => {
    const read = portalTexts(code);
    expect(read('heading', { merchant: 'Nordwind Inc.' })).toContain('Nordwind Inc.');
    for (const key of ['valid_until', 'over'] as const) {
      const text = read(key, { date: new Date('2026-12-18T23:59:59.999Z') });
      expect(text).toContain('18');
      expect(text).not.toMatch(/[{}]|\.\./);
    }
    for (const key of ['link_expired', 'ended', 'account_ended'] as const) {
      expect(read(key, { merchant: 'Nordwind Inc.' })).not.toContain('..');
    }
  });
});
