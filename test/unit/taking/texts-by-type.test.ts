import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { forPractice, languageTexts } from '../../../api/platform/text/language-texts';
import { consentText } from '../../../api/taking/consent';
import { languageCodes, languages } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { applicationWords, jobInterviewWords } from './application-words';

/*
 * The snapshot lists the texts that pages, mails and messages can show to learners (coaching, persona) and to visitors of a
 * public avatar. `npx jest test/unit/taking/texts-by-type.test.ts -u` writes it again after a text was added.
 */

/** The names of texts of pages that visitors of a public avatar can see. */
const visitorNames = new Set(
  ['taking/avatar', 'taking/embed', 'platform/portal']
    .map((folder) => path.join(__dirname, '../../../api', folder))
    .flatMap((folder) => readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8')))
    .flatMap((code) => code.match(/(?<=['.])\w+/g) ?? []),
);
/**
 * The texts that learners never read: those of jobs, public avatars and mails to the team, and what is said about the next
 * step of a position or a decision that is due.
 */
const isForOthers = (key: string): boolean =>
  /^(?:jobs?(?:_|$)|avatar_|(?:account_)?team(?:_|$)|next_step(?:_|$)|next_(?:title|by)$)/.test(key);
const isShownTo = {
  practice: (key: string) => !isForOthers(key),
  public_avatar: (key: string) => key.startsWith('avatar_') || visitorNames.has(key),
};

const sections = [
  'brackets',
  'candidate_pages',
  'mails',
  'messages',
  'portal',
  'spoken',
  'steps',
  'summary',
] as const;

/** Returns the texts in one language that a type can show, by section and name. */
function textsOf(type: 'practice' | 'public_avatar', code: LanguageCode): Record<string, [string, string][]> {
  const isPractice = type === 'practice';
  return Object.fromEntries([
    ...sections.map((section) => {
      const own: Record<string, string> = languageTexts[code][section];
      const read = forPractice(own, code, isPractice);
      return [
        section,
        Object.keys(own)
          .filter(isShownTo[type])
          .map((key) => [key, read[key] ?? '']),
      ];
    }),
    ['consent', isPractice ? Object.entries(consentText(code, true)) : []],
  ]) as Record<string, [string, string][]>;
}

describe.each(['practice', 'public_avatar'] as const)('the texts of %s', (type) => {
  it('are the listed ones', () => {
    const names = Object.entries(textsOf(type, 'en')).map(
      ([section, texts]) => `${section}: ${texts.map(([key]) => key).join(', ')}`,
    );
    expect(names.join('\n\n')).toMatchSnapshot();
  });

  it.each(Object.entries(applicationWords))(
    'speak of no application, job, employer or decision: %s',
    (language, inLanguage) => {
      const code = language as LanguageCode;
      const words = new RegExp(
        `${languages[code].isJoined ? '' : String.raw`(?<![\p{L}\p{M}])`}(?:${inLanguage})`,
        'iu',
      );
      // The list is made of words that the texts for candidates have.
      expect([
        languageTexts[code].candidate_pages.by_ai,
        languageTexts[code].candidate_pages.privacy_why_text,
      ]).toEqual([expect.stringMatching(words), expect.stringMatching(words)]);
      const { consent, ...texts } = textsOf(type, code);
      const shown = Object.values(texts).flat();
      expect([...shown, ...(consent ?? [])].filter(([, text]) => words.test(text))).toEqual([]);
      // A text of consent is never changed (api/taking/consent.ts), so its word for an interview stays.
      const jobInterview = new RegExp(jobInterviewWords[code] ?? '(?!)', 'iu');
      expect(shown.filter(([, text]) => jobInterview.test(text))).toEqual([]);
    },
  );
});

it.each(languageCodes)('texts for learners differ from those that they replace: %s', (code) => {
  const { candidate_pages, portal, steps, mails, messages, practice } = languageTexts[code];
  const replaced: Record<string, string> = { ...portal, ...candidate_pages, ...steps, ...mails, ...messages };
  for (const [key, text] of Object.entries(practice)) {
    expect([key, replaced[key]]).toEqual([key, expect.any(String)]);
    expect(text).not.toBe(replaced[key]);
  }
});

it('texts for visitors speak of no score', () => {
  expect(JSON.stringify(Object.values(textsOf('public_avatar', 'en')))).not.toMatch(/score|assess|result/i);
});
