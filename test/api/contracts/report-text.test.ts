import { reportText } from '../../../api/contracts/report-text';

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
