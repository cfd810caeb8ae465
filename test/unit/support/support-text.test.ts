import { supportText, supportTitle } from '../../../api/support/support-text';

describe('supportText', () => {
  const messageOf = (text: unknown) => supportText(10, 20).safeParse(text).error?.issues[0]?.message;

  it('counts characters as Postgres does, without the blanks around them', () => {
    expect(supportText(10, 20).parse('\n 1234567890 \n')).toBe('1234567890');
    expect(messageOf(' 123456789 ')).toBe('must have at least 10 characters');
    expect(messageOf('a🙂🙂🙂🙂🙂')).toBe('must have at least 10 characters');
    expect(messageOf(`a${'🙂'.repeat(19)}`)).toBeUndefined();
    expect(messageOf(`a${'🙂'.repeat(20)}`)).toBe('must have at most 20 characters');
    expect(messageOf('a'.repeat(100))).toBe('must have at most 20 characters');
  });

  it('rejects a text without content', () => {
    expect(messageOf('\u200b'.repeat(12))).toBe('must contain a letter or digit');
    expect(messageOf('?'.repeat(12))).toBe('must contain a letter or digit');
  });

  it('rejects a password without repeating it', () => {
    expect(messageOf('password: hunter2')).toBe(
      'must not contain passwords or keys. Remove what looks like a password',
    );
  });
});

describe('supportTitle', () => {
  const messageOf = (text: string) => supportTitle(5, 20).safeParse(text).error?.issues[0]?.message;
  const oneLine = 'must be one line, without line breaks, tabs or control characters';
  const invisible = 'must not contain invisible characters, such as zero-width or text-direction characters';

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
  ])('rejects %j', (text, message) => {
    expect(messageOf(text)).toBe(message);
  });

  it.each(['  Dark mode \n', 'For 👩‍💻 and 🏳️‍🌈', 'حالت تاریک می‌خواهم', 'क्‍षमा करें', 'عنوان بالعربية', 'Ünïcödé'])(
    'accepts %j',
    (text) => {
      expect(messageOf(text)).toBeUndefined();
    },
  );

  it('applies the rules of other texts', () => {
    expect(messageOf('Four')).toBe('must have at least 5 characters');
    expect(messageOf('password: hunter2')).toMatch(/a password/);
  });
});
