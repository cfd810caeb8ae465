import mailTexts from '../../../activities/platform/mails/short-texts.json';
import reportTexts from '../../../activities/reports/short-texts.json';
import shortTexts from '../../../api/platform/portal/short-texts.json';
import { portalTexts } from '../../../api/platform/portal/texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import { testShortTexts } from '../../harness/people/short-text-table';

describe('the short texts of mails', () => {
  testShortTexts(mailTexts);
});

describe('the short texts of mails with reports', () => {
  testShortTexts(reportTexts);
});

describe('the short texts of the portal', () => {
  testShortTexts(shortTexts);

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
