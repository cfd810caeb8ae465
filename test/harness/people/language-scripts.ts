/** For each language that is not written in Latin letters, a pattern that finds a letter of its script. */
export const languageScripts: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
  el: /\p{Script=Greek}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  ta: /\p{Script=Tamil}/u,
  th: /\p{Script=Thai}/u,
  uk: /\p{Script=Cyrillic}/u,
};
