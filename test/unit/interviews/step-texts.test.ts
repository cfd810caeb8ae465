import { stepTexts } from '../../../activities/interviews/step-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import { languageScripts } from '../../harness/people/language-scripts';

const kinds = ['welcome', 'instructional_video', 'rapport', 'closing', 'thank_you'] as const;

describe('stepTexts', () => {
  it('has every language of the platform and no other', () => {
    expect(languageCodes).toHaveLength(34);
    expect(Object.keys(stepTexts).sort()).toEqual([...languageCodes].sort());
  });

  it.each(languageCodes)(
    'has all five texts in %s, in its script and in words of no other language',
    (code) => {
      const texts = stepTexts[code];
      expect(Object.keys(texts).sort()).toEqual([...kinds].sort());
      for (const kind of kinds) {
        expect(texts[kind]).toBe(texts[kind].trim());
        expect(texts[kind].length).toBeGreaterThan(5);
        expect(texts[kind]).toMatch(languageScripts[code] ?? /\p{Script=Latin}/u);
        const letters = texts[kind].match(/\p{L}/gu) ?? [];
        const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
        expect([code, kind, latin.length]).toEqual([code, kind, languageScripts[code] ? 0 : letters.length]);
        const same = languageCodes.filter((other) => stepTexts[other][kind] === texts[kind]);
        expect([kind, same]).toEqual([kind, [code]]);
      }
    },
  );
});
