import { languageTexts } from '../../api/platform/text/language-texts';
import { textReader } from '../../api/platform/text/text-reader';
import type { LanguageCode } from '../../db/platform/vocabulary';

/** Returns the texts of the PDF, with those that it shares with the scores and the candidate's pages. */
function textsIn(language: LanguageCode) {
  const { brackets, candidate_pages, pdf } = languageTexts[language];
  const { follow_up, no_answer, score } = candidate_pages;
  return { ...brackets, follow_up, no_answer, score, ...pdf };
}

export type TextKey = keyof ReturnType<typeof textsIn>;

/** Reads the texts of a result's PDF in one language. */
export type ResultTexts = ReturnType<typeof resultTexts>;

/** Returns the texts of the PDF in this language. */
export const resultTexts = (language: LanguageCode) => textReader(textsIn(language), language);
