/** Cuts long runs of combining marks. Putting them in order, as NFKC does, takes quadratic time. */
export const limitCombiningMarks = (text: string): string => text.replaceAll(/(\p{M}{30})\p{M}+/gu, '$1');
