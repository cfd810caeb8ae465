/** Letters of other scripts that look like a Latin letter, in lower case. Each pair is the letter and the Latin one. */
const pairs =
  'аa вb гr еe зe иn іi јj кk мm нh оo пn рp сc тt уy хx ѕs ԁd ԛq ԝw һh ғf ԍg αa βb γy εe ζz ηn ιi κk νv οo ρp τt υu χx ωw ɑa ɡg ıi օo';
const latin = new Map(pairs.split(' ').map((pair) => [pair.slice(0, 1), pair.slice(1)]));
/** Digits that are written in place of letters. */
const digits: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

const withLatin = (text: string): string =>
  text.replaceAll(/[\p{Script=Cyrillic}\p{Script=Greek}ɑɡıօ]/gu, (letter) => {
    const known = latin.get(letter.toLowerCase());
    if (known === undefined) return letter;
    return letter === letter.toLowerCase() ? known : known.toUpperCase();
  });

/** Replaces letters that only look Latin in a text that also has Latin letters. Returns other texts as they are. */
export const replaceLookAlikes = (text: string): string =>
  /\p{Script=Latin}/u.test(text) ? withLatin(text) : text;

/**
 * Returns a form of a folded word that is the same for disguised copies: without accents, and with Latin letters in
 * place of look-alike letters and digits. Use it only for comparison.
 */
export const skeletonOf = (word: string): string =>
  withLatin(word.normalize('NFD').replaceAll(/[\u0300-\u036f]/gu, ''))
    .replaceAll(/[013457]/g, (digit) => digits[digit] ?? digit)
    .normalize('NFC');

/**
 * Matches invisible characters that no script needs, but not the two joiners and the variation selectors of emoji.
 */
const hidden = /(?!\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Removes characters that a model reads and a person does not see. */
export const removeHiddenCharacters = (text: string): string => text.replaceAll(hidden, '');

/** Makes runs of the invisible copies of ASCII (Unicode tags) visible, each as a sentence of its own. */
export const revealTagCharacters = (text: string): string =>
  text.replaceAll(
    /[\u{e0020}-\u{e007e}]+/gu,
    (run) =>
      `. ${Array.from(run, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - 0xe0000)).join('')}. `,
  );
