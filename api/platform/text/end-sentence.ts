/** Returns the sentence with a period at its end, which some errors have and others do not. */
export const endSentence = (sentence: string): string => sentence.replace(/\.?$/, '.');
