import { dateTime } from '../../../api/platform/text/date-time';

describe('dateTime', () => {
  it.each([
    ['2026-01-15T09:30:00Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15T09:30Z', '2026-01-15T09:30:00.000Z'],
    ['2026-01-15T09:30+01:00', '2026-01-15T08:30:00.000Z'],
    ['2026-01-15T09:30:00.123456Z', '2026-01-15T09:30:00.123Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-15T09:30:00-15:59', '2026-01-16T01:29:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('reads %s as the instant %s', (sent, instant) => expect(dateTime.parse(sent)).toBe(instant));

  it.each([
    // No clock has these, and Postgres fails on them.
    '2020-01-01T00:00:00+23:59',
    '2020-01-01T00:00:00-16:00',
    '2020-01-01T00:00:00+99:00',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-02-30T00:00:00Z',
    '2026-01-15T24:00:00Z',
    '2026-01-15T09:30:00',
    '2026-01-15T09Z',
    '2026-01-15T09:60Z',
    '2026-01-15',
    '',
    'tomorrow',
    '2026-01-15T09:30:00Z'.padEnd(1_000_000, 'Z'),
  ])('refuses %.40s', (sent) => expect(dateTime.safeParse(sent).success).toBe(false));

  it.each([
    [
      '2026-01-15T09:30:00',
      'must end with Z or an offset from UTC between -15:59 and +15:59, as 2026-01-15T09:30:00Z',
    ],
    [
      '2026-01-15T09:30:00+16:00',
      'must end with Z or an offset from UTC between -15:59 and +15:59, as 2026-01-15T09:30:00Z',
    ],
    ['2026-01-15', 'must be a date and time, as 2026-01-15T09:30:00Z'],
  ])('says of %s what is wrong', (sent, message) => {
    expect(dateTime.safeParse(sent).error?.issues[0]?.message).toBe(message);
  });
});
