import { reportText, reportTitle } from '../../../api/support/issue-text';

describe('reportText', () => {
  const messageOf = (text: unknown) => reportText(10, 20).safeParse(text).error?.issues[0]?.message;

  it('counts characters as Postgres does, without the blanks around', () => {
    expect(reportText(10, 20).parse('\n 1234567890 \n')).toBe('1234567890');
    expect(messageOf(' 123456789 ')).toBe('must have at least 10 characters');
    expect(messageOf('a🙂🙂🙂🙂🙂')).toBe('must have at least 10 characters');
    expect(messageOf(`a${'🙂'.repeat(19)}`)).toBeUndefined();
    expect(messageOf(`a${'🙂'.repeat(20)}`)).toBe('must have at most 20 characters');
    expect(messageOf('a'.repeat(100))).toBe('must have at most 20 characters');
  });

  it('refuses what says nothing', () => {
    expect(messageOf('\u200b'.repeat(12))).toBe('must say something');
    expect(messageOf('?'.repeat(12))).toBe('must say something');
  });

  it('refuses a password without repeating it', () => {
    expect(messageOf('password: hunter2')).toBe(
      'must not contain passwords or keys, and it has what looks like a password: take it out',
    );
  });
});

describe('reportTitle', () => {
  const messageOf = (text: string) => reportTitle(5, 20).safeParse(text).error?.issues[0]?.message;
  const oneLine = 'must be one line, without line breaks, tabs or control characters';
  const invisible =
    'must not contain invisible characters, like those of no width or of the direction of writing';

  it.each([
    ['Dark\nmode', oneLine],
    ['Dark\r\nmode', oneLine],
    ['Dark\tmode', oneLine],
    ['Dark\u2028mode', oneLine],
    ['Dark\u0085mode', oneLine],
    ['Dark\u0000mode', oneLine],
    ['Dark\u001b[31mmode', oneLine],
    ['Dark\u200bmode', invisible],
    ['Dark\u200dmode', invisible],
    ['Dark \u202eedom', invisible],
    ['Dark \u2066mode', invisible],
    ['Dark\ufeffmode', invisible],
    ['Dark\u00admode', invisible],
  ])('refuses %j', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it.each(['  Dark mode \n', 'For 👩‍💻 and 🏳️‍🌈', 'حالت تاریک می‌خواهم', 'क्‍षमा करें', 'عنوان بالعربية', 'Ünïcödé'])(
    'takes %j',
    (text) => {
      expect(messageOf(text)).toBeUndefined();
    },
  );

  it('is a text like others', () => {
    expect(messageOf('Four')).toBe('must have at least 5 characters');
    expect(messageOf('password: hunter2')).toMatch(/a password/);
  });
});
