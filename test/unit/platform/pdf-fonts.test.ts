import { statSync } from 'node:fs';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { pdfFontFiles, pdfFonts } from '../../../activities/platform/pdf-fonts';
import { languageTexts } from '../../../api/platform/text/language-texts';
import { languageCodes } from '../../../db/platform/vocabulary';

const template = `#set document(title: "Letters")
#set text(font: json(bytes(sys.inputs.fonts)), fallback: false, lang: "en")
#for weight in json(bytes(sys.inputs.weights)) { for line in sys.inputs.words.split("\\n") { par(text(weight: weight, line)) } }`;

/** Writes words as a PDF/UA file. If a letter has no glyph, Typst throws an error that names the letter. */
const write = (words: string, weights = [400, 600]): string => {
  const { files, families } = pdfFonts(words);
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: files }] });
  const inputs = { words, fonts: JSON.stringify(families), weights: JSON.stringify(weights) };
  const { result } = compiler.compile({ mainFileContent: template, inputs });
  if (!result) throw new Error('the document does not compile');
  return compiler.pdf(result, { pdfStandard: 'ua-1' }).toString('latin1');
};

/** Returns the letters in these rows of a national two-byte encoding. They are the letters that the country uses. */
const charactersOf = (encoding: string, [from, to]: [number, number]): string => {
  const decoder = new TextDecoder(encoding);
  const rows = Array.from({ length: to - from + 1 }, (_, row) =>
    Array.from({ length: 0xff - 0xa1 }, (__, cell) => decoder.decode(Uint8Array.of(from + row, 0xa1 + cell))),
  );
  return rows.map((row) => row.filter((text) => /^\p{L}$/u.test(text)).join('')).join('\n');
};

describe('the fonts of PDF files', () => {
  it('have the letters of the platform texts', () => {
    // Languages with the same fonts share a document, because each document loads the files of its fonts.
    const textsOf = new Map<string, string[]>();
    for (const code of languageCodes) {
      const words = Object.values(languageTexts[code]).flatMap(Object.values).join('\n');
      const fonts = String(pdfFonts(words).families);
      textsOf.set(fonts, [...(textsOf.get(fonts) ?? []), words]);
    }
    expect(textsOf.size).toBeGreaterThan(5);
    for (const texts of textsOf.values()) expect(write(texts.join('\n'))).toMatch(/^%PDF/);
  });

  it.each([
    ['Hebrew', 'יעל בן־דוד'],
    ['Bengali', 'অনন্যা চট্টোপাধ্যায়'],
    ['Gujarati', 'અનન્યા પટેલ'],
    ['Gurmukhi', 'ਹਰਪ੍ਰੀਤ ਸਿੰਘ'],
    ['Kannada', 'ಅನನ್ಯಾ ಹೆಗ್ಡೆ'],
    ['Malayalam', 'അനന്യ നമ്പൂതിരി'],
    ['Odia', 'ଅନନ୍ୟା ପଟ୍ଟନାୟକ'],
    ['Sinhala', 'අනන්‍යා බණ්ඩාරනායක'],
    ['Telugu', 'అనన్య రెడ్డి'],
    ['Traditional Chinese', '龔慧嫺 鬱龜'],
    ['Persian and Urdu', 'پژمان گیتی، عائشہ ٹیپو کھوڑے'],
    ['Sindhi', 'ڳوٺ ٻار ڄام'],
    ['Emoji', 'Ann 🚀 🎉 👍🏽 👩‍👩‍👧 ❤️ 1️⃣ 🇳🇱'],
  ])('have the letters of names in a script beyond the languages of the platform: %s', (_, name) => {
    expect(write(name)).toMatch(/^%PDF/);
  });

  it.each([
    ['Chinese', 'gb2312', [0xb0, 0xf7]],
    ['Japanese', 'euc-jp', [0xa4, 0xf4]],
    ['Korean', 'euc-kr', [0xb0, 0xc8]],
  ] as [string, string, [number, number]][])(
    'have the characters of the national standard, bold: %s',
    (_, encoding, leads) => {
      const characters = charactersOf(encoding, leads);
      expect(characters.length).toBeGreaterThan(2_350);
      expect(write(characters, [600])).toMatch(/^%PDF/);
    },
  );

  it('are found missing by this test for a script without a font', () => {
    expect(() => write('Name ᏣᎳᎩ')).toThrow(/could not be displayed/);
  });

  it('draw Han characters in Japanese shapes only in texts with kana', () => {
    expect([write('直樹 さくら'), write('直樹')].map((pdf) => /NotoSans(JP|Hans)/.exec(pdf)?.[1])).toEqual([
      'JP',
      'Hans',
    ]);
  });

  it('take less than 60 MB', () => {
    const bytes = pdfFontFiles.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes / 1e6).toBeLessThan(60);
  });
});
