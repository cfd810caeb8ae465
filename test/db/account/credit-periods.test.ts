import { openCreditBook } from './credit-book';
import type { CreditBook } from './credit-book';

/* Tests when a credit period of an account begins and ends, and what its renewal changes (docs/account.md#periods). */

let book: CreditBook;
beforeAll(async () => {
  book = await openCreditBook();
});
afterAll(() => book.close());

/** Returns the credit period that is the current calendar month in UTC. */
const calendarMonth = () => {
  const now = new Date();
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
  return { period_started_at: first(0), period_ends_at: first(1) };
};

describe('credit_period', () => {
  it.each([
    [
      'at the anchor',
      '2026-01-15T09:30:00Z',
      '2026-01-15T09:30:00Z',
      '2026-01-15T09:30:00Z',
      '2026-02-15T09:30:00Z',
    ],
    [
      'just before the end',
      '2026-01-15T09:30:00Z',
      '2026-02-15T09:29:59.999Z',
      '2026-01-15T09:30:00Z',
      '2026-02-15T09:30:00Z',
    ],
    [
      'years later',
      '2020-05-10T00:00:00Z',
      '2026-03-09T23:00:00Z',
      '2026-02-10T00:00:00Z',
      '2026-03-10T00:00:00Z',
    ],
    [
      'over the end of a year',
      '2025-12-20T00:00:00Z',
      '2026-01-05T00:00:00Z',
      '2025-12-20T00:00:00Z',
      '2026-01-20T00:00:00Z',
    ],
    [
      'anchor on the 31st, in February',
      '2026-01-31T12:00:00Z',
      '2026-03-01T00:00:00Z',
      '2026-02-28T12:00:00Z',
      '2026-03-31T12:00:00Z',
    ],
    [
      'anchor on the 31st, hours before noon of the last day of February',
      '2026-01-31T12:00:00Z',
      '2026-02-28T11:59:59Z',
      '2026-01-31T12:00:00Z',
      '2026-02-28T12:00:00Z',
    ],
    [
      'anchor on the 31st, after a month of 30 days',
      '2026-01-31T00:00:00Z',
      '2026-05-30T23:59:59Z',
      '2026-04-30T00:00:00Z',
      '2026-05-31T00:00:00Z',
    ],
    [
      'anchor on the 30th, in a leap year',
      '2023-11-30T00:00:00Z',
      '2024-02-29T00:00:00Z',
      '2024-02-29T00:00:00Z',
      '2024-03-30T00:00:00Z',
    ],
    [
      'anchor on the 29th of February, a year later',
      '2024-02-29T00:00:00Z',
      '2025-02-28T08:00:00Z',
      '2025-02-28T00:00:00Z',
      '2025-03-29T00:00:00Z',
    ],
    [
      'anchor on the 29th of February, four years later',
      '2024-02-29T00:00:00Z',
      '2028-02-28T08:00:00Z',
      '2028-01-29T00:00:00Z',
      '2028-02-29T00:00:00Z',
    ],
  ])('returns the period of a moment: %s', async (_, anchor, at, startedAt, endsAt) => {
    expect(await book.database.rows('select * from app.credit_period($1, $2)', [anchor, at])).toEqual([
      { started_at: new Date(startedAt), ends_at: new Date(endsAt) },
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
    expect(await book.account(merchant)).toMatchObject({ monthly, single: 1, extra: 2, invitations_sent: 0 });
    expect(await book.ledger(merchant)).toEqual({ monthly, single: 1, extra: 2 });
  });

  it('is done by a charge that comes before the cleanup job', async () => {
    const merchant = await due();
    expect(await book.charge(await book.insertResult(merchant))).toBe('charged');
    expect(await book.account(merchant)).toMatchObject({ monthly: 19, single: 1, extra: 2 });
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
    expect(await book.account(merchant)).toMatchObject({ monthly: 13, invitations_sent: 7 });
    expect(await book.countEntries(merchant, 'renewal')).toBe(1);
    expect(await book.countEntries(merchant, 'expiry')).toBe(1);
    expect(await book.ledger(merchant)).toEqual({ monthly: 13, single: 1, extra: 2 });
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
