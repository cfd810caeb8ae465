import { textReader, writeDuration } from '../../../../api/platform/text/text-reader';

const texts = { invite: '{merchant}: {interview}, {name}!', till: 'till {date}', plain: 'Hello' };
const read = textReader(texts, 'en');

describe('textReader', () => {
  it('fills each placeholder once and keeps values that look like placeholders', () => {
    expect(read('invite', { merchant: '{name}', interview: '$& $1 {date}', name: '{merchant}' })).toBe(
      '{name}: $& $1 {date}, {merchant}!',
    );
  });

  it('throws for a missing value instead of showing the placeholder', () => {
    expect(() => read('invite', { merchant: 'Acme', name: 'Jana' })).toThrow('{interview}');
  });

  it('accepts no values for a text without placeholders', () => {
    expect(read('plain')).toBe('Hello');
  });

  it('puts a name with line breaks, control characters or direction marks on one line', () => {
    const name = ' Jana\r\n\u2028Bcc:\t\u0000x\u202e\u2069 ';
    expect(read('invite', { merchant: 'A', interview: 'B', name })).toBe('A: B, Jana Bcc: x!');
  });

  it('isolates a name of the other direction, and every name in right-to-left text', () => {
    const names = { merchant: 'Acme', interview: 'شركة', name: 'Jana' };
    expect(read('invite', names)).toBe('Acme: \u2068شركة\u2069, Jana!');
    expect(textReader(texts, 'ar')('invite', names)).toBe(
      '\u2068Acme\u2069: \u2068شركة\u2069, \u2068Jana\u2069!',
    );
  });

  it.each([
    ['en', 'December 31, 2026'],
    ['de', '31. Dezember 2026'],
    ['br', '31 de dezembro de 2026'],
    ['no', '31. desember 2026'],
    ['fil', 'Disyembre 31, 2026'],
    ['zh', '2026年12月31日'],
  ] as const)('shows the day of an end of day in %s, in the form of the language', (code, day) => {
    expect(textReader(texts, code)('till', { date: new Date('2026-12-31T23:59:59.999Z') })).toBe(
      `till ${day}`,
    );
  });
});

describe('writeDuration', () => {
  it.each([
    [118, 'second', '1 minute 58 seconds'],
    [120, 'second', '2 minutes'],
    [59, 'second', '59 seconds'],
    [3_725, 'second', '1 hour 2 minutes 5 seconds'],
    [0, 'minute', '0 minutes'],
    [90, 'minute', '1 hour 30 minutes'],
    [180, 'day', '180 days'],
    [3_650, 'day', '10 years'],
    [400, 'day', '400 days'],
  ] as const)('writes %d %ss as people do', (value, unit, expected) => {
    expect(writeDuration(value, unit, 'en')).toBe(expected);
  });

  it.each([
    ['de', '1 Minute, 58 Sekunden'],
    ['ar', 'دقيقة و58 ثانية'],
    ['zh', '1分钟58秒钟'],
  ] as const)('joins the parts as the language does: %s', (code, expected) => {
    expect(writeDuration(118, 'second', code)).toBe(expected);
  });
});
