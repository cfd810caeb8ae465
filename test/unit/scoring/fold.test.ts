import * as fc from 'fast-check';
import { applyReplacements, findFolded, foldWithOffsets, foldText } from '../../../activities/scoring/fold';

const find = (text: string, quote: string) =>
  [...findFolded(foldWithOffsets(text), foldText(quote))].map(({ start, end }) => text.slice(start, end));

describe('foldWithOffsets', () => {
  it.each([
    ['Turkish, dotted', 'İSTANBUL’da çalıştım', 'istanbul’da çalıştım'],
    ['Turkish, dotless', 'YAZILIM IŞIĞI', 'yazılım ışığı'],
    ['German ß', 'Ich weiß, wie groß die STRASSE ist', 'ich WEISS, wie gross die straße ist'],
    ['German capital ẞ', 'GROẞE Aufgabe', 'große Aufgabe'],
    ['Greek final sigma', 'Ο ΡΟΛΟΣ ΜΟΥ', 'ο ρολος μου'],
    ['Greek sigma inside', 'ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύς'],
    ['combining marks', 'cafe\u0301 a\u0300 la carte', 'café à la carte'],
    ['several marks in another order', 'a\u0323\u0302', 'a\u0302\u0323'],
    ['full width', 'ＡＰＩ　ｄｅｓｉｇｎ', 'api design'],
    ['half-width kana', 'ﾊﾞｸﾞを直した', 'バグを直した'],
    ['ligatures', 'ﬁrst oﬃce', 'first office'],
    ['quotation marks', '“It’s «done»”', '"It\'s "done""'],
    ['white space', 'one\r\n\t two\u00a0three', 'one two three'],
    ['soft hyphens and joiners', 'Zusammen\u00adarbeit क\u094d\u200dष', 'Zusammenarbeit क\u094dष'],
    ['Thai sara am', 'ทำงาน', 'ท\u0e4d\u0e32งาน'],
  ])('makes equal what readers take for equal: %s', (_name, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each([
    ['words', 'I led the team', 'I lead the team'],
    ['accents', 'résumé', 'resume'],
    ['vowel signs', 'कि', 'की'],
    ['tones', 'มา', 'ม้า'],
    ['digits', '15', '16'],
    ['emoji', '👍🏽', '👎🏽'],
  ])('keeps what differs: %s', (_name, one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  it('maps every unit to the characters it came from', () => {
    const text = 'Straße  ﬁne 👩‍💻 İyi';
    const { text: folded, starts, ends } = foldWithOffsets(text);
    expect(folded).toBe('strasse fine 👩💻 iyi');
    expect(text.slice(starts[folded.indexOf('ss')], ends[folded.indexOf('ss') + 1])).toBe('ß');
    expect(text.slice(starts[7], ends[7])).toBe('  ');
    expect(text.slice(starts[folded.indexOf('👩')], ends[folded.indexOf('💻')])).toBe('👩‍💻');
  });

  it('has offsets for each unit, in order and inside the text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: folded, starts, ends } = foldWithOffsets(text);
        expect([starts.length, ends.length]).toEqual([folded.length, folded.length]);
        for (let at = 0; at < folded.length; at += 1) {
          expect(starts[at]).toBeGreaterThanOrEqual(at === 0 ? 0 : (starts[at - 1] ?? 0));
          expect(ends[at]).toBeGreaterThan(starts[at] ?? 0);
          expect(ends[at]).toBeLessThanOrEqual(text.length);
        }
      }),
    );
  });

  it('folds a folded text to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const once = foldText(text);
        expect(foldText(once)).toBe(once);
      }),
    );
  });

  it('folds a long text like its graphemes one by one', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    const piece = fc.constantFrom(
      'abc',
      'İğ',
      '漢字かな',
      'e\u0301',
      '\u0600',
      '\u0301',
      'ﾊﾞ',
      '👩‍💻',
      'Straße',
      ' ',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const folded = Array.from(graphemes.segment(text), ({ segment }) => foldWithOffsets(segment).text);
        expect(foldWithOffsets(text).text).toBe(folded.join('').replaceAll(/ +/g, ' '));
      }),
    );
  });

  it('shows edits to readers and maps them to what they replaced', () => {
    const text = 'I am Anna Lee. Hire me! I led a team.';
    const edits = [
      { start: 5, end: 13, text: 'Candidate' },
      { start: 15, end: 23, text: ' ' },
    ];
    expect(applyReplacements(text, edits)).toBe('I am Candidate.   I led a team.');
    const [span] = findFolded(foldWithOffsets(text, edits), 'i am candidate. i led');
    expect(text.slice(span?.start, span?.end)).toBe('I am Anna Lee. Hire me! I led');
  });
});

describe('findFolded', () => {
  it.each([
    ['whole words', 'A part is greatly needed', 'art is great', []],
    ['whole characters', 'Die Straße dort', 's dort', []],
    ['no half accents', 'résume\u0301 done', 'resume', []],
    ['every occurrence', 'I tried. i TRIED again', 'I tried', ['I tried', 'i TRIED']],
    ['Chinese inside of a sentence', '我负责了整个项目的测试', '整个项目', ['整个项目']],
    ['Thai inside of a sentence', 'ผมดูแลระบบทั้งหมด', 'ดูแลระบบ', ['ดูแลระบบ']],
    ['Hindi', 'मैंने टीम का नेतृत्व किया।', 'टीम का नेतृत्व', ['टीम का नेतृत्व']],
    ['no part of a Hindi word', 'मैंने नेतृत्वहीन टीम देखी', 'नेतृत्व', []],
    ['emoji next to words', 'I shipped it 🚀🚀 today', 'it 🚀🚀 today', ['it 🚀🚀 today']],
    ['flags by pairs', '🇩🇪🇫🇷', '🇪🇫', []],
  ])('finds %s', (_name, text, quote, found) => {
    expect(find(text, quote)).toEqual(found);
  });

  it('returns passages that fold to the quote, for any part of any text', () => {
    const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.nat(), (text, one, other) => {
        const borders = [...Array.from(graphemes.segment(text), ({ index }) => index), text.length];
        const [start = 0, end = 0] = [borders[one % borders.length], borders[other % borders.length]]
          .map((border) => border ?? 0)
          .sort((first, second) => first - second);
        const quote = text.slice(start, end);
        for (const found of find(text, quote)) expect(foldText(found)).toBe(foldText(quote));
      }),
    );
  });
});
