import { createHash } from 'node:crypto';
import { currentConsent } from '../../../api/catalogue/job-page';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { consentTexts } from '../../../api/taking/consent';
import { currentConsentVersion } from '../../../api/taking/consent-version';
import { takingTexts } from '../../../api/taking/texts';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { testShortTexts } from '../../harness/people/short-text-table';

/** The languages in which the current texts of consent were released. One that was added later belongs to the next version. */
const released =
  'ar bg zh hr cs da nl en fil fi fr de el hi hu id it ja ko ms no pl pt br ro ru sk es sv ta th tr uk vi';
const hashOf = (textIn: (code: LanguageCode) => unknown) =>
  createHash('sha256')
    .update(JSON.stringify(released.split(' ').map((code) => [code, textIn(code as LanguageCode)])))
    .digest('hex')
    .slice(0, 16);

describe('the texts of the candidate’s pages', () => {
  it('write numbers and times in the form of the language', () => {
    expect(takingTexts('en')('time_left', { duration: { value: 1, unit: 'minute' } })).toBe(
      'Time left: 1 minute',
    );
    expect(takingTexts('de')('time_left', { duration: { value: 20, unit: 'minute' } })).toBe(
      'Verbleibende Zeit: 20 Minuten',
    );
    expect(takingTexts('en')('question_of', { number: 2, of: 5 })).toBe('Question 2 of 5');
  });
});

describe('the texts to which candidates consent', () => {
  testShortTexts(consentTexts);

  // An attempt stores only the version of the consent that the candidate saw, so a changed text must be a new version.
  it('are never edited after their release', () => {
    expect([currentConsentVersion, hashOf((code) => consentTexts[code])]).toEqual([
      '2026-11-29',
      'be78fdbdbd08efc1',
    ]);
  });
});

describe('the text to which people who apply for a job consent', () => {
  // An application stores the version only, so a changed text must be a new version.
  it('is never edited after its release', () => {
    const hash = hashOf((code) => languageTexts[code].portal.job_consent);
    expect([currentConsent, hash]).toEqual(['2026-11-24', '2122850dfa39e528']);
  });
});
