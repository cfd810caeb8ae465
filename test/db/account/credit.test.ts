import { readFileSync } from 'node:fs';
import { recordings, templateTypes } from '../../../db/platform/vocabulary';
import { openCreditBook } from './credit-book';
import type { Attempt, Balances, CreditBook } from './credit-book';

describe('credits', () => {
  let book: CreditBook;
  beforeAll(async () => {
    book = await openCreditBook();
  });

  /** Makes the same call twenty times at the same time. Each call uses its own connection. */
  const twenty = <T>(merchantId: string, call: () => Promise<T>) =>
    book.meet(
      merchantId,
      Array.from({ length: 20 }, () => call),
    );
  const balancesOf = async (merchantId: string): Promise<Balances> => {
    const { monthly, single, extra } = await book.account(merchantId);
    return { monthly, single, extra };
  };
  const nothing: Balances = { monthly: 0, single: 0, extra: 0 };

  describe('price', () => {
    /** The rows of the tables of the guide that begin with names: the numbers after each name. */
    const published = new Map(
      Array.from(
        readFileSync('docs/guide/credits.md', 'utf8').matchAll(/^\| (`\w+`.*?) \|(.*)\|$/gm),
        ([, names = '', cells = '']) =>
          Array.from(
            names.matchAll(/`(\w+)`/g),
            ([, name = '']) => [name, cells.split('|').map(Number)] as const,
          ),
      ).flat(),
    );
    /** The factors of the guide, by the highest duration. */
    const factors = Array.from(
      readFileSync('docs/guide/credits.md', 'utf8').matchAll(/^\| ([\d,]+) seconds.*\| (\d) \|$/gm),
      ([, seconds = '', factor]) => [Number(seconds.replace(',', '')), Number(factor)] as const,
    );
    /** Each limit, the second after it, and the shortest durations. */
    const durations = [
      null,
      120,
      ...factors.flatMap(([limit]) => (limit === 7_200 ? [limit] : [limit, limit + 1])),
    ];
    const factorOf = (duration: number | null) =>
      factors.find(([limit]) => (duration ?? 0) <= limit)?.[1] ?? 0;
    const hundredths = (name: string, column: number) =>
      Math.round(100 * (published.get(name)?.[column] ?? Number.NaN));

    it('is that of the guide for every template, recording, full session and duration, stopped early or not', async () => {
      const cases = templateTypes.flatMap((template) =>
        [false, true].flatMap((early) =>
          [null, ...recordings].flatMap((recording) =>
            [null, ...recordings].flatMap((session) =>
              durations.map((duration) => {
                const base = hundredths(template, early ? 1 : 0);
                const extra =
                  (recording ? hundredths(recording, 0) : 0) + (session ? hundredths(session, 1) : 0);
                return {
                  template,
                  early,
                  recording,
                  session,
                  duration,
                  price: (base + extra) * factorOf(duration),
                };
              }),
            ),
          ),
        ),
      );
      const wrong = await book.database.rows(
        `select c.*, app.interview_price(template, early, recording, session, duration) as is
       from jsonb_to_recordset($1)
         as c (template text, early boolean, recording text, session text, duration integer, price integer)
       where 100 * app.interview_price(template, early, recording, session, duration) is distinct from price`,
        [JSON.stringify(cases)],
      );
      expect(wrong).toEqual([]);
      expect(cases).toHaveLength(6 * 2 * 5 * 5 * 11);
    });

    const charged: [situation: string, attempt: Attempt, price: number][] = [
      ['voice', {}, 1],
      ['an offline avatar', { template: 'offline_avatar_3' }, 0.35],
      ['the first avatar', { template: 'interactive_avatar_1' }, 2.5],
      [
        'the first avatar, stopped early, with video, of 31 minutes at most',
        {
          template: 'interactive_avatar_1',
          interview_status: 'completed, stopped early',
          recording: 'video_all',
          max_duration: 1_860,
        },
        5.25,
      ],
      [
        'the second avatar with everything, of two hours',
        {
          template: 'interactive_avatar_2',
          recording: 'audio_all',
          recording_full_session: 'video_all',
          max_duration: 7_200,
        },
        8.75,
      ],
      ['a draft of over 30 seconds', { status: 'draft', duration: 301 }, 1],
      ['a visit of a public avatar', { type: 'public_avatar', position: null }, 1],
    ];
    it.each(charged)('is taken from the account: %s', async (_, attempt, price) => {
      const merchant = await book.openAccount({ monthly: 100 });
      expect(await book.charge(await book.insertResult(merchant, attempt))).toBe('charged');
      expect(await balancesOf(merchant)).toEqual({ ...nothing, monthly: 100 - price });
    });
  });

  describe('charge_result', () => {
    const free: [situation: string, attempt: Attempt][] = [
      ['a test', { is_test: true }],
      ['a failed attempt', { interview_status: 'failed' }],
      ['an abandoned attempt', { interview_status: 'abandoned' }],
      ['an attempt without speech', { interview_status: 'terminated, no speech detected' }],
      [
        'an attempt outside production',
        { environment: 'uat', interview_status: 'completed', duration: 6_000 },
      ],
    ];
    it.each(free)('charges nothing for %s, also with an empty account', async (_, attempt) => {
      const merchant = await book.openAccount();
      const result = await book.insertResult(merchant, { ...attempt, status: 'draft' });
      expect(await book.charge(result)).toBe('free');
      expect(await book.chargeOf(result)).toBe('free');
      expect(await book.ledger(merchant)).toEqual(nothing);
    });

    it.each<[string, Attempt]>([
      ['not begun', { interview_status: null, duration: null }],
      ['under way', { status: 'draft', interview_status: 'started', duration: 5_000 }],
      ['completed within 30 seconds and not submitted', { status: 'draft', duration: 300 }],
      ['completed without a duration and not submitted', { status: 'draft', duration: null }],
    ])('charges nothing yet for an attempt that is %s', async (_, attempt) => {
      const merchant = await book.openAccount({ extra: 5 });
      const result = await book.insertResult(merchant, attempt);
      expect(await book.charge(result)).toBeNull();
      expect(await book.chargeOf(result)).toBeNull();
      expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 5 });
    });

    it('charges an attempt that was completed within 30 seconds when it is submitted', async () => {
      const merchant = await book.openAccount({ extra: 5 });
      const result = await book.insertResult(merchant, { status: 'draft', duration: 300 });
      expect(await book.charge(result)).toBeNull();
      await book.changeResult(result, 'status', 'active');
      expect(await book.charge(result)).toBe('charged');
      expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 4 });
    });

    it('does nothing for an unknown result', async () => {
      expect(await book.charge('00000000-0000-4000-8000-000000000000')).toBeNull();
    });

    it('charges once when it is called again and by 20 connections at once', async () => {
      const merchant = await book.openAccount({ single: 5 });
      const result = await book.insertResult(merchant);
      const outcomes = await twenty(merchant, () => book.charge(result));
      expect([...outcomes, await book.charge(result)]).toEqual(Array.from({ length: 21 }, () => 'charged'));
      expect(await balancesOf(merchant)).toEqual({ ...nothing, single: 4 });
      expect(await book.countEntries(merchant, 'charge')).toBe(1);
    });

    it('charges the next attempt of the same result separately', async () => {
      const merchant = await book.openAccount({ single: 5 });
      const result = await book.insertResult(merchant);
      await book.charge(result);
      await book.changeResult(result, 'attempt', 2);
      await book.changeResult(result, 'charge', null);
      expect(await book.charge(result)).toBe('charged');
      expect(await balancesOf(merchant)).toEqual({ ...nothing, single: 3 });
    });

    it('charges ten of 50 concurrent results with credit for ten, and leaves the others unpaid', async () => {
      const merchant = await book.openAccount({ monthly: 4, single: 3, extra: 3.75 });
      const results: string[] = [];
      while (results.length < 50) results.push(await book.insertResult(merchant));
      const outcomes = await book.meet(
        merchant,
        results.map((result) => () => book.charge(result)),
      );
      expect(outcomes.filter((outcome) => outcome === 'charged')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'unpaid')).toHaveLength(40);
      expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 0.75 });
      expect(await book.ledger(merchant)).toEqual({ ...nothing, extra: 0.75 });
      expect(await book.ledger(merchant, 'charge')).toEqual({ monthly: -4, single: -3, extra: -3 });
    });

    it('charges when the balance suffices exactly, and takes nothing when a hundredth is missing', async () => {
      const exact = await book.openAccount({ monthly: 0.5, single: 0.25, extra: 0.25 });
      expect(await book.charge(await book.insertResult(exact))).toBe('charged');
      expect(await balancesOf(exact)).toEqual(nothing);
      const short = await book.openAccount({ monthly: 0.5, single: 0.25, extra: 0.24 });
      const result = await book.insertResult(short);
      expect(await book.charge(result)).toBe('unpaid');
      expect(await book.chargeOf(result)).toBe('unpaid');
      expect(await balancesOf(short)).toEqual({ monthly: 0.5, single: 0.25, extra: 0.24 });
    });
  });

  describe('refund_result', () => {
    it('refunds to the original buckets once, also with 20 connections at once', async () => {
      const before = { monthly: 0.2, single: 0.3, extra: 5 };
      const merchant = await book.openAccount(before);
      const result = await book.insertResult(merchant);
      await book.charge(result);
      const refunded = await twenty(merchant, () => book.refund(result));
      expect(refunded.filter(Boolean)).toHaveLength(1);
      expect(await balancesOf(merchant)).toEqual(before);
      expect(await book.ledger(merchant)).toEqual(before);
      expect(await book.ledger(merchant, 'refund')).toEqual({ monthly: 0.2, single: 0.3, extra: 0.5 });
    });

    it('refunds to the monthly credits when the transaction of the charge began before the period', async () => {
      const merchant = await book.openAccount({ monthly: 7 });
      const result = await book.insertResult(merchant);
      await book.worker.writeAsWorker(async (trx) => {
        await trx.rows({ text: 'select now()' });
        await book.database.rows(
          'update credit_account set period_started_at = clock_timestamp() where merchant_id = $1',
          [merchant],
        );
        await trx.rows({ text: 'select app.charge_result($1)', values: [result] });
      });
      expect(await balancesOf(merchant)).toEqual({ ...nothing, monthly: 6 });
      expect(await book.refund(result)).toBe(true);
      expect(await balancesOf(merchant)).toEqual({ ...nothing, monthly: 7 });
    });

    it('refunds nothing without a charge, for another attempt or for an unknown result', async () => {
      const merchant = await book.openAccount({ extra: 5 });
      const failed = await book.insertResult(merchant, { interview_status: 'failed' });
      await book.charge(failed);
      expect(await book.refund(failed)).toBe(false);
      expect(await book.chargeOf(failed)).toBe('free');
      const result = await book.insertResult(merchant);
      await book.charge(result);
      expect(await book.refund(result, 2)).toBe(false);
      expect(await book.refund('00000000-0000-4000-8000-000000000000')).toBe(false);
      expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 4 });
    });

    it('refunds an earlier attempt and keeps the charge of the current one', async () => {
      const merchant = await book.openAccount({ extra: 5 });
      const result = await book.insertResult(merchant);
      await book.charge(result);
      await book.changeResult(result, 'attempt', 2);
      await book.changeResult(result, 'charge', null);
      await book.charge(result);
      expect(await book.refund(result, 1)).toBe(true);
      expect(await book.chargeOf(result)).toBe('charged');
      expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 4 });
    });
  });
});

describe('credit periods', () => {
  /* Tests when a credit period of an account begins and ends, and what its renewal changes (docs/account.md#periods). */

  let book: CreditBook;
  beforeAll(async () => {
    book = await openCreditBook();
  });

  /** Returns the credit period that is the current calendar month in UTC. */
  const calendarMonth = () => {
    const now = new Date();
    const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
    return { period_started_at: first(0), period_ends_at: first(1) };
  };

  describe('credit_period', () => {
    /** The times are in UTC; a time without hours is midnight. */
    const periods = `
      situation                                           | anchor           | moment                  | begin            | end
      at the anchor                                       | 2026-01-15T09:30 | 2026-01-15T09:30        | 2026-01-15T09:30 | 2026-02-15T09:30
      just before the end                                 | 2026-01-15T09:30 | 2026-02-15T09:29:59.999 | 2026-01-15T09:30 | 2026-02-15T09:30
      years later                                         | 2020-05-10       | 2026-03-09T23:00        | 2026-02-10       | 2026-03-10
      over the end of a year                              | 2025-12-20       | 2026-01-05              | 2025-12-20       | 2026-01-20
      anchor on the 31st, in February                     | 2026-01-31T12:00 | 2026-03-01              | 2026-02-28T12:00 | 2026-03-31T12:00
      anchor on the 31st, morning of the last of February | 2026-01-31T12:00 | 2026-02-28T11:59:59     | 2026-01-31T12:00 | 2026-02-28T12:00
      anchor on the 31st, after a month of 30 days        | 2026-01-31       | 2026-05-30T23:59:59     | 2026-04-30       | 2026-05-31
      anchor on the 30th, in a leap year                  | 2023-11-30       | 2024-02-29              | 2024-02-29       | 2024-03-30
      anchor on the 29th of February, a year later        | 2024-02-29       | 2025-02-28T08:00        | 2025-02-28       | 2025-03-29
      anchor on the 29th of February, four years later    | 2024-02-29       | 2028-02-28T08:00        | 2028-01-29       | 2028-02-29`
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('|').map((cell) => cell.trim()));
    it.each(periods)('returns the period of a moment: %s', async (_, ...times) => {
      const [anchor, at, started_at, ends_at] = times.map(
        (time) => new Date(time.includes('T') ? `${time}Z` : time),
      );
      expect(await book.database.rows('select * from app.credit_period($1, $2)', [anchor, at])).toEqual([
        { started_at, ends_at },
      ]);
    });

    it('returns a period that contains the moment and ends where the next one begins, for any anchor', async () => {
      const broken = await book.database.rows(`
      select anchor, at from generate_series(timestamptz '2023-10-01 00:00Z', '2024-10-01 00:00Z', interval '1 day') anchor,
        generate_series(timestamptz '2024-10-01 17:00Z', '2028-10-01 00:00Z', interval '13 days') at,
        app.credit_period(anchor, at) period, app.credit_period(anchor, period.ends_at) next
      where not (period.started_at <= at and at < period.ends_at and next.started_at = period.ends_at)`);
      expect(broken).toEqual([]);
    });
  });

  describe('the period of an account without a subscription', () => {
    it('is the calendar month in UTC, also after a renewal', async () => {
      const merchant = await book.openAccount();
      expect(await book.account(merchant)).toMatchObject(calendarMonth());
      await book.passMonths(merchant, 2);
      await book.renew();
      const account = await book.account(merchant);
      expect({ ...account, ...calendarMonth() }).toEqual(account);
    });

    it('cannot begin on another day of the month', async () => {
      await expect(book.openAccount({}, { period_anchor: '2026-01-15T00:00:00Z' })).rejects.toMatchObject({
        code: '23514',
      });
    });
  });

  describe('renewal', () => {
    // If a month ends while the tests run, the periods of the accounts of other tests end too. Those accounts are
    // renewed before each test, so that the test itself renews only its own account.
    beforeEach(() => book.renew());
    const growth = { plan: 'Growth', subscription_status: 'active', monthly_limit: 20 };
    const due = async (more: Record<string, unknown> = {}, months = 1) => {
      const merchant = await book.openAccount({ monthly: 3.5, single: 1, extra: 2 }, { ...growth, ...more });
      await book.database.rows('update credit_account set invitations_sent = 9 where merchant_id = $1', [
        merchant,
      ]);
      await book.passMonths(merchant, months);
      return merchant;
    };

    it('expires unused monthly credits, grants those of the next month and counts invitations from zero', async () => {
      const merchant = await due();
      expect(await book.renew()).toBe(1);
      expect(await book.account(merchant)).toEqual({
        monthly: 20,
        single: 1,
        extra: 2,
        invitations_sent: 0,
        ...calendarMonth(),
      });
      expect(await book.ledger(merchant, 'expiry')).toEqual({ monthly: -3.5, single: 0, extra: 0 });
      expect(await book.ledger(merchant, 'renewal')).toEqual({ monthly: 20, single: 0, extra: 0 });
      expect(await book.ledger(merchant)).toEqual({ monthly: 20, single: 1, extra: 2 });
      expect(await book.renew()).toBe(0);
    });

    it('happens once, into the current period, when the worker was down for three months', async () => {
      const merchant = await due({}, 3);
      expect(await book.renew()).toBe(1);
      expect(await book.account(merchant)).toMatchObject({ monthly: 20, ...calendarMonth() });
      expect(await book.countEntries(merchant, 'renewal')).toBe(1);
      expect(await book.countEntries(merchant, 'expiry')).toBe(1);
    });

    it.each([
      ['trialing', 20],
      ['active', 20],
      ['past_due', 0],
      ['canceled', 0],
    ])('grants a subscription that is %s this many credits: %d', async (subscription_status, monthly) => {
      const merchant = await due({ subscription_status });
      await book.renew();
      expect(await book.account(merchant)).toMatchObject({
        monthly,
        single: 1,
        extra: 2,
        invitations_sent: 0,
      });
      expect(await book.ledger(merchant)).toEqual({ monthly, single: 1, extra: 2 });
    });

    it('is done by a charge that comes before the cleanup job', async () => {
      const merchant = await due();
      expect(await book.charge(await book.insertResult(merchant))).toBe('charged');
      expect(await book.account(merchant)).toMatchObject({ monthly: 20, single: 0, extra: 2 });
      expect(await book.renew()).toBe(0);
    });

    it('is done by a reservation that comes before the cleanup job', async () => {
      const merchant = await due();
      expect(await book.reserve(await book.openKey(merchant), 90)).toBe(90);
      expect(await book.account(merchant)).toMatchObject({ monthly: 20, invitations_sent: 90 });
      expect(await book.renew()).toBe(0);
    });

    it('happens once with concurrent charges, reservations and cleanup jobs', async () => {
      const merchant = await due();
      const key = await book.openKey(merchant);
      const results: string[] = [];
      while (results.length < 7) results.push(await book.insertResult(merchant));
      await book.meet<unknown>(merchant, [
        ...results.map((result) => () => book.charge(result)),
        ...Array.from({ length: 7 }, () => () => book.reserve(key, 1)),
      ]);
      await Promise.all(Array.from({ length: 6 }, () => book.renew()));
      expect(await book.account(merchant)).toMatchObject({ monthly: 14, invitations_sent: 7 });
      expect(await book.countEntries(merchant, 'renewal')).toBe(1);
      expect(await book.countEntries(merchant, 'expiry')).toBe(1);
      expect(await book.ledger(merchant)).toEqual({ monthly: 14, single: 0, extra: 2 });
    });

    it('takes as many accounts at a time as requested, until all are renewed', async () => {
      const merchants = [await due(), await due(), await due()];
      const renew = (limit: number) =>
        book.worker.writeAsWorker((trx) =>
          trx.rows({ text: 'select app.renew_credit_accounts($1) as renewed', values: [limit] }),
        );
      expect(await renew(2)).toEqual([{ renewed: 2 }]);
      expect(await renew(2)).toEqual([{ renewed: 1 }]);
      for (const merchant of merchants) expect(await book.account(merchant)).toMatchObject(calendarMonth());
    });
  });
});
