import path from 'node:path';

/*
 * The fonts of all PDF files, from npm packages with TTF or OTF files, which Typst needs. A document gets only the
 * fonts that its texts need, because Typst takes 45 ms to read all of them.
 */

type Font = { family: string; script: RegExp; files: string[] };

/** A font for one alphabet, in the two weights that documents use. */
const alphabet = (family: string, script: RegExp): Font => {
  const folder = `@expo-google-fonts/${family.toLowerCase().replaceAll(' ', '-')}`;
  const name = family.replaceAll(' ', '');
  const files = ['400Regular', '600SemiBold'].map((weight) =>
    require.resolve(`${folder}/${weight}/${name}_${weight}.ttf`),
  );
  return { family, script, files };
};

/**
 * A font for East Asian scripts. Its package exports only an index file, and the font files are in a folder next to
 * that file.
 */
const eastAsian = (family: string, script: RegExp, [pack, name]: [string, string]): Font => {
  const folder = path.join(path.dirname(require.resolve(`@embedpdf/${pack}`)), '../fonts');
  const files = ['Regular', 'Bold'].map((weight) => path.join(folder, `${name}-${weight}.otf`));
  return { family, script, files };
};

/**
 * Each letter is drawn with the first of these fonts that has it. Inter has Latin, Greek and Cyrillic letters, and
 * the Chinese font has all Han characters.
 */
const fonts: readonly Font[] = [
  alphabet('Inter', /^/),
  // Of other Arabic fonts, many draw dots apart from their letters or join letters to one glyph, so text that is copied
  // or searched in the PDF is scrambled. Vazirmatn does neither (pdf-prelude.typ). The second font has the letters of
  // Sindhi and others that it lacks.
  alphabet('Vazirmatn', /\p{Script=Arabic}/u),
  alphabet('IBM Plex Sans Arabic', /\p{Script=Arabic}/u),
  alphabet('Noto Sans Hebrew', /\p{Script=Hebrew}/u),
  alphabet('Noto Sans Devanagari', /\p{Script=Devanagari}/u),
  alphabet('Noto Sans Bengali', /\p{Script=Bengali}/u),
  alphabet('Noto Sans Gujarati', /\p{Script=Gujarati}/u),
  alphabet('Noto Sans Gurmukhi', /\p{Script=Gurmukhi}/u),
  alphabet('Noto Sans Kannada', /\p{Script=Kannada}/u),
  alphabet('Noto Sans Malayalam', /\p{Script=Malayalam}/u),
  alphabet('Noto Sans Oriya', /\p{Script=Oriya}/u),
  alphabet('Noto Sans Sinhala', /\p{Script=Sinhala}/u),
  alphabet('Noto Sans Tamil', /\p{Script=Tamil}/u),
  alphabet('Noto Sans Telugu', /\p{Script=Telugu}/u),
  alphabet('Noto Sans Thai', /\p{Script=Thai}/u),
  // Texts with kana are Japanese, so their Han characters are drawn in the Japanese forms.
  eastAsian('Noto Sans Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['fonts-jp', 'NotoSansJP']),
  // Besides Han characters, this font has the punctuation and full-width forms that Chinese and Japanese share.
  eastAsian(
    'Noto Sans S Chinese',
    /[\p{Script=Han}\p{Script=Bopomofo}\u3000-\u303f\ufe30-\ufe4f\uff00-\uffef]/u,
    ['fonts-sc', 'NotoSansHans'],
  ),
  eastAsian('Noto Sans Korean', /\p{Script=Hangul}/u, ['fonts-kr', 'NotoSansKR']),
  // Inter has ©, ® and ™ itself. Flags are pairs of regional indicators.
  alphabet('Noto Emoji', /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}/u),
];

/** The paths of all fonts. */
export const pdfFontFiles: readonly string[] = fonts.flatMap(({ files }) => files);

/** Returns what a document with these texts needs: the files for the compiler, and the families for `#set text(font: …)`. */
export function pdfFonts(texts: string): { files: string[]; families: string[] } {
  const needed = fonts.filter(({ script }) => script.test(texts));
  return { files: needed.flatMap(({ files }) => files), families: needed.map(({ family }) => family) };
}
