import { ordinaryWords } from './ordinary-words';

/**
 * Returns true if a text names the company. The words must occur in order; case, accents and what stands between them
 * do not matter. An ä may be written ae, and a legal form may be omitted. A name made of ordinary words counts only
 * if it is written as a name: with its capitals and, if it is a single word, after a word without a capital (see the
 * description of merchant-feature-request).
 */
export const findCompanyName = (text: string, companyName: string): boolean =>
  [fold, foldSpelled].some((form) => isNamed(text, companyName, form));

type Form = (text: string) => string;

function isNamed(text: string, companyName: string, form: Form): boolean {
  const name = withoutLegalForm(wordsOf(companyName, form));
  if (name.length === 0) return false;
  const words = wordsOf(text, form);
  const found = places(words, name);
  if (name.every(isOrdinary)) return found.some((place) => isWrittenAsName(words, place, name));
  return found.length > 0 || (hasNoBlanks(companyName) && form(text).includes(form(companyName).trim()));
}

type Word = {
  written: string;
  folded: string;
  /** Whether the word begins a sentence, a line or a list item. */
  isFirst: boolean;
};

function wordsOf(text: string, form: Form): Word[] {
  const normal = text.normalize('NFC').replaceAll(/\p{Cf}/gu, '');
  return Array.from(normal.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu), ({ 0: written, index }) => ({
    written,
    folded: form(written),
    isFirst: /(?:^|[.!?:;•"“(\n-])\s*$/u.test(normal.slice(Math.max(0, index - 8), index)),
  }));
}

/** Maps texts that differ only in case, accents and width to one form. */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');

const spelled: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  æ: 'ae',
  œ: 'oe',
  å: 'aa',
};
/** The same, with umlauts spelled as they are where the letters are not available. */
const foldSpelled: Form = (text) =>
  fold(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[äöüøæœå]/g, (letter) => spelled[letter] ?? letter),
  );

const legalForms = new Set(
  `ab ag aps as asa bhd bv bvba cc co company corp corporation cv eirl ek eurl ev gbr gmbh inc incorporated kft kg kk
  lda limited llc llp lp ltd ltda mbh nv ohg oy oyj plc pllc pte pty pvt sa sab sarl sas sasu sdn se sl slu snc sp spa
  spk srl sro ug vof zoo`.split(/\s+/),
);

/** "S.A. de C.V." has five words. With more, a name of single letters could take seconds. */
const maxLegalFormWords = 8;

/** Removes legal forms from the end of a name, including those in single letters ("B.V."). */
function withoutLegalForm(words: Word[]): Word[] {
  for (let length = Math.max(1, words.length - maxLegalFormWords); length < words.length; length++)
    if (isLegalForm(words.slice(length).map(({ folded }) => folded))) return words.slice(0, length);
  return words;
}

const isLegalForm = (rest: string[]): boolean => {
  for (let length = 1; length <= rest.length; length++) {
    const isForm = legalForms.has(rest.slice(0, length).join(''));
    if (isForm && (length === rest.length || isLegalForm(rest.slice(length)))) return true;
  }
  // "GmbH & Co. KG", "S. de R.L."
  return rest.length > 1 && /^(?:and|de|und|et|y)$/.test(rest[0] ?? '') && isLegalForm(rest.slice(1));
};

type Place = { at: number; length: number };

/** Shorter names occur with a gap by accident, as in "in tel". */
const shortestApart = 6;

/** Finds the places of the name, written in as many words, in fewer, or in one more. */
function places(words: readonly Word[], name: readonly Word[]): Place[] {
  const whole = name.map(({ folded }) => folded).join('');
  const maxWords = whole.length < shortestApart ? name.length : name.length + 1;
  return words.flatMap((_word, at) => {
    let run = '';
    for (let length = 1; length <= maxWords && run.length < whole.length; length++) {
      const last = words[at + length - 1]?.folded ?? '';
      run += last;
      // "Acmes" is the genitive of the same company in some languages; "Acme's" is two words.
      if (run === whole || (last.length > 4 && run === `${whole}s`)) return [{ at, length }];
    }
    return [];
  });
}

/** In these scripts a name stands between other words without blanks. */
const hasNoBlanks = (name: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{M}ー\s]{2,}$/u.test(
    name.trim(),
  );

/** Returns true for a word in everyday use, one or two letters, or a number. */
const isOrdinary = ({ folded }: Word): boolean =>
  ordinaryWords.has(folded) || folded.length <= 2 || /^\p{N}+$/u.test(folded);

const startsWithCapital = ({ written }: Word): boolean => /^\p{Lu}/u.test(written);

function isWrittenAsName(words: readonly Word[], { at, length }: Place, name: readonly Word[]): boolean {
  if (!name.some(startsWithCapital)) return false;
  // "NextStep"
  if (length < name.length)
    return words.slice(at, at + length).some(({ written }) => /\p{Ll}\p{Lu}/u.test(written));
  const isSpelled = name.every(({ written }, offset) => {
    const word = words[at + offset]?.written;
    return word === written || word === `${written}s`;
  });
  // The first word of a sentence always has a capital, and so does each word of some titles.
  const [word, before] = [words[at], words[at - 1]];
  const standsOut =
    name.slice(1).some(startsWithCapital) ||
    (word?.isFirst === false && before !== undefined && !startsWithCapital(before));
  return isSpelled && standsOut;
}
