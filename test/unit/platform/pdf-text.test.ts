import { toPdfText } from '../../../activities/platform/pdf-text';
import { compileResult, printed, turn } from '../results/result-pdf.fixture';

describe('toPdfText', () => {
  // Without limits, the first two end the process of the compiler, and the third takes gigabytes.
  it.each([
    ['isolates', '\u2067a\u2066b'.repeat(85), 170],
    ['conjuncts', 'क्ष्'.repeat(100), 20],
    ['conjuncts with joiners', 'ക്\u200d'.repeat(200), 30],
    ['conjuncts with a nukta', 'क़्'.repeat(200), 30],
    ['marks', `a${'\u0301'.repeat(19_999)}`, 31],
  ])('limits %s, so that the compiler can write them', (_what, text, length) => {
    expect(toPdfText(text)).toHaveLength(length);
    expect(compileResult(printed({ transcript: [turn({ answer: text })] })).pages).toBeGreaterThan(0);
  });

  it.each([
    ['Hindi', 'राष्ट्रीय कार्त्स्न्य प्रत्येक व्यक्ति उज्ज्वल स्वास्थ्य ज़िंदगी'],
    ['Bengali', 'স্বাস্থ্য রাষ্ট্রীয় উজ্জ্বল'],
    ['Tamil', 'பெற்றுக்கொள்ளப்பட்டுள்ளவர்களுக்கெல்லாம் ஸ்ரீ க்ஷத்திரியர்'],
    ['Malayalam', 'സ്വാതന്ത്ര്യം രാഷ്ട്രീയക്കാരെപ്പോലുള്ളവര്‍ക്ക് ശാസ്ത്രജ്ഞന്‍'],
    ['Sinhala', 'ශ්‍රී ලංකා ප්‍රජාතාන්ත්‍රික'],
    ['Arabic', 'السَّلامُ عَلَيْكُمْ\u200f أُحَاوِلُ (12%)\u200e'],
    ['Hebrew', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים'],
    ['Vietnamese', 'Tôi đã học được rất nhiều điều'.normalize('NFD')],
    ['family', '👩‍👩‍👧‍👦'],
  ])('leaves %s unchanged', (_language, text) => {
    expect(toPdfText(text)).toBe(text);
  });
});
