import { isLeftOut } from '../../../activities/scoring/left-out';
import type { LanguageCode } from '../../../db/platform/vocabulary';

describe('isLeftOut', () => {
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
  ])('is true for texts about the person or with recommendations: %s, %s', (language, text) => {
    expect(isLeftOut(text, language)).toBe(true);
  });

  it.each<[LanguageCode, string]>([
    ['en', 'We managed the agency of 47 people and packaged the release'],
    ['en', 'The build got stuck in a race condition and latency fell below <100 ms'],
    ['de', 'Ich glaube, wir haben lediglich den Ursprung des Fehlers gesucht'],
    ['ja', '新しい方法を採用して工夫しました'],
    ['sv', 'Sex procent färre fel efter två år'],
    ['it', 'Le cose andavano male, e in due anni le abbiamo cambiate'],
    ['ko', '장애가 발생했을 때 원인을 찾았습니다'],
  ])('is false for texts about the work: %s, %s', (language, text) => {
    expect(isLeftOut(text, language)).toBe(false);
  });
});
