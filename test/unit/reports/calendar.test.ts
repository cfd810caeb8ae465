import { dayAt, isTimeZone, parseDay, startOfDay, writeDay } from '../../../api/reports/language/calendar';
import { resolvePeriod } from '../../../api/reports/language/resolve-period';

const day = (text: string) => parseDay(text) ?? Number.NaN;
const start = (text: string, zone: string) => new Date(startOfDay(day(text), zone)).toISOString();

describe('startOfDay', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z', 24],
    // In these four rows, the clocks go forward or back at night.
    ['Europe/Amsterdam', '2026-03-29', '2026-03-28T23:00:00.000Z', 23],
    ['Europe/Amsterdam', '2026-10-25', '2026-10-24T22:00:00.000Z', 25],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    // In these two rows, the clocks change by half an hour.
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00.000Z', 24.5],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00.000Z', 23.5],
    // In these two rows, the clocks skip the hour after midnight.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', 23],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', 23],
    // In these two rows, the hour before or after midnight happens twice.
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00.000Z', 25],
    ['America/Havana', '2025-11-02', '2025-11-02T04:00:00.000Z', 25],
    // Samoa skipped 30 December 2011.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    ['Asia/Kolkata', '2026-11-23', '2026-11-22T18:30:00.000Z', 24],
  ])('in %s, %s begins at %s and has %d hours', (zone, date, instant, hours) => {
    expect(start(date, zone)).toBe(instant);
    expect((startOfDay(day(date) + 1, zone) - startOfDay(day(date), zone)) / 3_600_000).toBe(hours);
  });

  it('begins on the day itself, and the millisecond before on another one', () => {
    for (const zone of ['Europe/Amsterdam', 'Africa/Cairo'])
      for (let date = day('2026-01-01'); date <= day('2026-12-31'); date += 1) {
        const instant = startOfDay(date, zone);
        expect([dayAt(new Date(instant), zone), dayAt(new Date(instant - 1), zone)]).toEqual([
          date,
          date - 1,
        ]);
      }
  });
});

describe('parseDay', () => {
  it.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-1-1',
    '0999-01-01',
    '2026-01-01T',
    '',
    'yesterday!',
  ])('rejects %j', (text) => expect(parseDay(text)).toBeUndefined());
  it('reads what writeDay writes', () => {
    for (const text of ['1000-01-01', '1969-12-31', '2024-02-29', '2100-12-31'])
      expect(writeDay(day(text))).toBe(text);
  });
});

describe('isTimeZone', () => {
  it.each([
    'UTC',
    'Europe/Amsterdam',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
  ])('accepts %s', (name) => expect(isTimeZone(name)).toBe(true));
  it.each([
    '',
    '+02:00',
    'Mars/Olympus',
    'Europe/Amsterdam\0',
    'Europe/Amsterdam '.repeat(10_000),
    "UTC'; --",
  ])('rejects %.30j', (name) => expect(isTimeZone(name)).toBe(false));
});

const presetRows: [string, string, string, string | null, string | null, string | null, string | null][] = [
  // preset, first day, last day, previous period, previous year; today is Monday, 2026-11-23
  ['today', '2026-11-23', '2026-11-23', '2026-11-22', '2026-11-22', '2025-11-23', '2025-11-23'],
  ['yesterday', '2026-11-22', '2026-11-22', '2026-11-21', '2026-11-21', '2025-11-22', '2025-11-22'],
  ['last_7_days', '2026-11-17', '2026-11-23', '2026-11-10', '2026-11-16', '2025-11-17', '2025-11-23'],
  ['last_14_days', '2026-11-10', '2026-11-23', '2026-10-27', '2026-11-09', '2025-11-10', '2025-11-23'],
  ['last_30_days', '2026-10-25', '2026-11-23', '2026-09-25', '2026-10-24', '2025-10-25', '2025-11-23'],
  ['last_90_days', '2026-08-26', '2026-11-23', '2026-05-28', '2026-08-25', '2025-08-26', '2025-11-23'],
  ['last_180_days', '2026-05-28', '2026-11-23', '2025-11-29', '2026-05-27', '2025-05-28', '2025-11-23'],
  ['last_365_days', '2025-11-24', '2026-11-23', '2024-11-24', '2025-11-23', '2024-11-24', '2025-11-23'],
  ['this_week', '2026-11-23', '2026-11-23', '2026-11-16', '2026-11-16', '2025-11-23', '2025-11-23'],
  ['last_week', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15', '2025-11-16', '2025-11-22'],
  ['this_month', '2026-11-01', '2026-11-23', '2026-10-01', '2026-10-23', '2025-11-01', '2025-11-23'],
  ['last_month', '2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30', '2025-10-01', '2025-10-31'],
  ['this_quarter', '2026-10-01', '2026-11-23', '2026-07-01', '2026-08-23', '2025-10-01', '2025-11-23'],
  ['last_quarter', '2026-07-01', '2026-09-30', '2026-04-01', '2026-06-30', '2025-07-01', '2025-09-30'],
  ['this_year', '2026-01-01', '2026-11-23', '2025-01-01', '2025-11-23', '2025-01-01', '2025-11-23'],
  ['last_year', '2025-01-01', '2025-12-31', '2024-01-01', '2024-12-31', '2024-01-01', '2024-12-31'],
  ['last_12_months', '2025-11-01', '2026-10-31', '2024-11-01', '2025-10-31', '2024-11-01', '2025-10-31'],
  ['all_time', '2020-02-29', '2026-11-23', null, null, null, null],
]; // prettier-ignore

const utc = {
  now: new Date('2026-11-23T12:00:00Z'),
  zone: 'UTC',
  firstRowAt: new Date('2020-02-29T05:00:00Z'),
};
const daysIn = (range: { from: string | null; to: string } | null) =>
  range && [range.from?.slice(0, 10), writeDay(day(range.to.slice(0, 10)) - 1)];

describe('resolvePeriod', () => {
  it.each(presetRows)('resolves %s', (preset, first, last, ...previous) => {
    const period = { preset: preset as 'today' };
    const resolved = resolvePeriod(period, 'previous_period', utc);
    expect([resolved.firstDay, resolved.lastDay]).toEqual([first, last]);
    expect(resolved.from?.slice(0, 10) ?? first).toBe(first);
    expect(daysIn(resolved)?.[1]).toBe(last);
    const [from, to, yearFrom, yearTo] = previous;
    expect(daysIn(resolved.previous)).toEqual(from === null ? null : [from, to]);
    expect(daysIn(resolvePeriod(period, 'previous_year', utc).previous)).toEqual(
      yearFrom === null ? null : [yearFrom, yearTo],
    );
    expect(resolvePeriod(period, null, utc).previous).toBeNull();
  });

  it.each([
    ['2024-02-01', '2024-02-29', ['2024-01-03', '2024-01-31'], ['2023-02-01', '2023-02-28']],
    ['2024-02-29', '2024-02-29', ['2024-02-28', '2024-02-28'], ['2023-02-28', '2023-02-28']],
    ['2025-03-01', '2025-03-01', ['2025-02-28', '2025-02-28'], ['2024-03-01', '2024-03-01']],
    ['2000-01-01', '2100-12-31', ['1898-12-31', '1999-12-31'], ['1999-01-01', '2099-12-31']],
  ])('compares the custom period %s to %s with %j and %j', (from, to, period, year) => {
    const custom = { preset: 'custom' as const, from, to };
    expect(daysIn(resolvePeriod(custom, 'previous_period', utc).previous)).toEqual(period);
    expect(daysIn(resolvePeriod(custom, 'previous_year', utc).previous)).toEqual(year);
  });

  it('ends the elapsed part of a longer month with the month before', () => {
    const clock = { now: new Date('2026-03-31T12:00:00Z'), zone: 'UTC' };
    const { previous } = resolvePeriod({ preset: 'this_month' }, 'previous_period', clock);
    expect(daysIn(previous)).toEqual(['2026-02-01', '2026-02-28']);
  });

  it('takes today from the time zone', () => {
    const clock = { now: new Date('2026-11-23T22:00:00Z'), zone: 'Asia/Tokyo' };
    expect(resolvePeriod({ preset: 'today' }, null, clock)).toMatchObject({
      from: '2026-11-23T15:00:00.000Z',
      to: '2026-11-24T15:00:00.000Z',
      firstDay: '2026-11-24',
    });
  });

  it.each([
    ['Europe/Amsterdam', '2026-03-29T12:00:00Z', '2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    ['America/New_York', '2026-11-01T12:00:00Z', '2026-10-31T04:00:00.000Z', '2026-11-01T04:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:00:00Z', '2026-10-02T13:30:00.000Z', '2026-10-03T13:30:00.000Z'],
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-22T22:00:00.000Z', '2026-04-23T22:00:00.000Z'],
  ])('compares today with the whole day before in %s', (zone, now, from, to) => {
    const { previous, ...today } = resolvePeriod({ preset: 'today' }, 'previous_period', {
      now: new Date(now),
      zone,
    });
    expect(previous).toEqual({ from, to });
    expect(today.from).toBe(to);
  });
});
