import { asksForMoment, soundsFinished } from '../../../api/live/sounds-finished';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';
import type { LanguageCode } from '../../../db/platform/vocabulary';
import { eachRow } from '../../harness/each-row';

describe('soundsFinished', () => {
  it('is true for whole sentences', () =>
    eachRow<[LanguageCode, string]>(
      [
        ['en', 'I have planned the work of my team.'],
        ['en', 'And then we shipped it. That was the best part!'],
        ['de', 'Ich habe die Arbeit meines Teams geplant.'],
        ['fr', "J'ai planifié le travail de mon équipe."],
        ['es', 'Planifiqué el trabajo de todo mi equipo.'],
        ['ar', 'لقد خططت لعمل فريقي بالكامل.'],
        ['hi', 'मैंने अपनी टीम के काम की योजना बनाई।'],
        ['zh', '我负责安排整个团队的工作。'],
        ['ja', '私はチーム全体の仕事を計画しました。'],
        ['ko', '저는 팀 전체의 업무를 계획했습니다.'],
        ['ru', 'Я планировал работу всей своей команды.'],
        ['tr', 'Bütün ekibimin işini ben planladım.'],
        ['th', 'ฉันวางแผนงานของทีมทั้งหมด'],
        ['vi', 'Tôi đã lên kế hoạch cho cả nhóm.'],
      ],
      (language, text) => expect(soundsFinished(text, language)).toBe(true),
    ));

  it('is false for words after which people go on', () =>
    eachRow<[LanguageCode, string]>(
      [
        ['en', ''],
        ['en', '...'],
        ['en', 'Yes.'],
        ['en', 'I have planned the work of my team and'],
        ['en', 'I have planned the work of my team, and.'],
        ['en', 'I have planned the work of my team, um.'],
        ['en', 'I have planned the work of my team,'],
        ['en', 'I have planned the work of my team...'],
        ['en', 'I have planned the work of my team…'],
        ['en', 'I have planned the work of my team. Let me think.'],
        ['de', 'Ich habe die Arbeit meines Teams geplant, weil.'],
        ['fr', "J'ai planifié le travail de mon équipe parce que."],
        ['ar', 'لقد خططت لعمل فريقي لأن.'],
        ['zh', '我负责安排整个团队的工作，因为'],
        ['zh', '我负责安排整个团队的工作因为。'],
        ['ja', '私はチーム全体の仕事を計画して。'],
        ['th', 'ฉันวางแผนงานของทีมทั้งหมด และ'],
      ],
      (language, text) => expect(soundsFinished(text, language)).toBe(false),
    ));

  it('takes no time for a text without end', () => {
    expect(soundsFinished(`${'word '.repeat(1_000_000)}end.`, 'en')).toBe(true);
    expect(soundsFinished('.'.repeat(1_000_000), 'en')).toBe(false);
  });
});

const wordsOf = (language: LanguageCode) => {
  const { open, moment } = languageTexts[language].pause_words;
  return { open: open.split(' '), moment: moment.split('|') };
};

describe('asksForMoment', () => {
  it('finds the phrases of each language at the end only', () => {
    for (const language of languageCodes)
      for (const phrase of wordsOf(language).moment) {
        expect([language, phrase, asksForMoment(`Aaa. ${phrase}.`, language)]).toEqual([
          language,
          phrase,
          true,
        ]);
        expect(asksForMoment(`${phrase}. Bbb ccc ddd 123.`, language)).toBe(false);
      }
  });

  it('does not take the end of another sentence for such a phrase', () =>
    eachRow<[LanguageCode, string, boolean]>(
      [
        ['de', 'Das war für mich ein besonderer Moment.', false],
        ['fr', "J'y ai travaillé pendant un moment.", false],
        ['en', 'It all came down to that one moment.', false],
        ['en', 'I led the team. Hm, one moment.', true],
        ['en', 'I led the team and now let me think.', true],
        ['zh', '我负责安排整个团队的工作请稍等', true],
      ],
      (language, text, expected) => expect(asksForMoment(text, language)).toBe(expected),
    ));

  it('has at least four words and two phrases in each language, in small letters', () => {
    for (const language of languageCodes) {
      const { open, moment } = wordsOf(language);
      expect(open.length).toBeGreaterThan(3);
      expect(moment.length).toBeGreaterThan(1);
      for (const word of [...open, ...moment]) expect(word).toBe(word.toLowerCase().trim());
    }
  });
});
