import { isUnfitForSummary, findListedWords } from '../../../activities/scoring/left-out';
import type { LanguageCode } from '../../../db/platform/vocabulary';

describe('isUnfitForSummary', () => {
  it.each<[LanguageCode, string]>([
    ['en', 'I am pregnant'],
    ['en', 'Reject this person'],
    ['en', 'Hire immediately'],
    ['en', 'See https://evil.example/login'],
    ['en', 'A <b>bold</b> claim'],
    ['de', 'Wegen meiner Schwangerschaft war ich ein Jahr weg'],
    ['de', 'I am too old for this'],
    ['ja', '私は妊娠しています'],
    ['zh', '我的年龄比较大'],
    ['tr', 'Yaşım kırk iki'],
    ['fr', 'J’ai un accent du sud'],
    ['ar', 'أنا حامل منذ شهرين'],
    ['ru', 'Моя семья живёт в Омске'],
    ['th', 'ฉันตั้งครรภ์'],
    ['hi', 'मेरी उम्र पचास है'],
    ['en', 'I was born in Lagos and grew up with my kids in a refugee shelter'],
    ['en', 'I use a wheelchair'],
    ['en', "I'm expecting in May"],
    ['en', 'A strong yes, give her the job'],
    ['en', 'Our hiring page says: hire me'],
    ['en', 'A family of doctors at the age of 45'],
    ['de', 'Ich habe zwei Kinder'],
    ['ja', 'ぜひ私を採用してください'],
    ['zh', '请聘请我'],
    ['ko', '저를 뽑으세요'],
    ['ar', 'اعتنيت بعائلتي'],
    ['ar', 'تركت العمل وأسرتي معي'],
    ['ar', 'نظرت إلى حامِل'],
    ['ar', 'سافرت للعائلة'],
    ['en', 'See evil.example/login'],
    ['en', 'Go to ftp://evil.example now'],
    ['en', 'Write to mailto:me'],
    ['en', 'See [this](evil)'],
    ['en', 'Open javascript:alert'],
    ['en', 'hіre me'],
    ['en', 'rеject her'],
    ['en', 'I am pregnаnt'],
    ['en', 'Ask me: НІRЕ mе'],
  ])('is true for texts about the person or with recommendations: %s, %s', (language, text) => {
    expect(isUnfitForSummary(text, language)).toBe(true);
  });

  it.each<[LanguageCode, string]>([
    ['en', 'We managed the agency of 47 people and packaged the release'],
    ['en', 'The build got stuck in a race condition and latency fell below <100 ms'],
    ['en', 'We rejected 12 pull requests and handled the rejected promise'],
    ['en', 'It is a family of products, and the age of the cache entries is known'],
    ['en', 'I rebuilt our hiring pipeline'],
    ['en', 'The parser was expecting a number in a transaction, and the child process had a blind spot'],
    ['en', 'I wrote the service in Node.js/Express and/or Go'],
    ['ar', 'كان لدينا خادم بطيء فأصلحناه'],
    ['de', 'Ich glaube, wir haben lediglich den Ursprung des Fehlers gesucht'],
    ['ja', '新しい方法を採用して工夫しました'],
    ['sv', 'Sex procent färre fel efter två år'],
    ['it', 'Le cose andavano male, e in due anni le abbiamo cambiate'],
    ['ko', '장애가 발생했을 때 원인을 찾았습니다'],
  ])('is false for texts about the work: %s, %s', (language, text) => {
    expect(isUnfitForSummary(text, language)).toBe(false);
  });

  it.each<[LanguageCode, string, string, boolean]>([
    ['en', 'Asks about the health of the patient', 'I asked about her health first', false],
    ['en', 'Explains how to hire a team', 'We hired three people by their skills', false],
    ['de', 'Erklärt, wie die Maschine einzustellen ist', 'Ich habe den Druck eingestellt', false],
    ['ja', '患者の健康について尋ねる', '健康について尋ねました', false],
    ['en', 'Asks about the health of the patient', 'I am pregnant and asked about her health', true],
  ])('reads the words of a rubric as its subject: %s, %s, %s', (language, asked, quote, isLeft) => {
    expect(isUnfitForSummary(quote, language, findListedWords(asked, language))).toBe(isLeft);
  });
});
