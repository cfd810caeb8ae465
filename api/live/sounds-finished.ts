import { languages } from '../../db/platform/vocabulary';
import type { LanguageCode } from '../../db/platform/vocabulary';
import { languageTexts } from '../platform/text/language-texts';

/** Only the end of a transcript matters, so that its length costs nothing. */
const endCharacters = 300;
/** With fewer words, an answer is more often a beginning. In scripts without spaces, characters are counted. */
const minWords = 4;
const minCharacters = 8;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const sentenceEnd = /[.!?。！？।؟۔]["'”’»」)\]]*$/u;
const trailsOff = /(?:\.{2,}|…|[,;:，、؛،–—-])["'”’»」)\]]*$/u;

/**
 * Returns whether the words of an answer sound as if the candidate were done: a whole sentence that does not end with a word
 * after which people go on, such as "and" or "um". It is a rule about the form of the words and not about what they mean.
 */
export function soundsFinished(transcript: string, language: LanguageCode): boolean {
  const end = transcript.trim().slice(-endCharacters).toLowerCase();
  if (trailsOff.test(end) || asksForMoment(transcript, language)) return false;
  if (!sentenceEnd.test(end) && !languages[language].isUnmarked) return false;
  const open = languageTexts[language].pause_words.open.split(' ');
  const letters = end.replace(/[^\p{L}\p{M}\p{N}'’ -]/gu, ' ').trim();
  if (unspaced.test(letters))
    return letters.length >= minCharacters && !open.some((word) => letters.endsWith(word));
  const words = letters.split(/\s+/);
  return words.length >= minWords && !open.includes(words.at(-1) ?? '');
}

/** Returns whether the answer ends with a wish for time to think, such as "let me think". */
export function asksForMoment(transcript: string, language: LanguageCode): boolean {
  const end = transcript
    .trim()
    .slice(-endCharacters)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+$/u, '');
  const clause = end.split(/[^\p{L}\p{M}\p{N}\s'’-]/u).at(-1) ?? '';
  return languageTexts[language].pause_words.moment.split('|').some((phrase) => {
    if (!end.endsWith(phrase)) return false;
    // "One moment" also ends sentences that ask for nothing. With more than one word before it, as in "there was one moment", it
    // is a part of the sentence. "Let me think about it" never is.
    const isClear = phrase.split(' ').length > 2 || unspaced.test(phrase);
    return isClear || wordCount(clause.slice(0, -phrase.length)) <= 1;
  });
}

const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;
