import { openCreditBook } from '../account/credit-book';
import type { Balances, CreditBook } from '../account/credit-book';

/* Tests how `invitations_limit` is computed and used up (docs/people.md#invitation-budget). */

let book: CreditBook;
beforeAll(async () => {
  book = await openCreditBook();
});
afterAll(() => book.close());

const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((all, one) => all + (one ?? 0), 0);

describe('reserve_invitations', () => {
  it.each<[string, Balances, number]>([
    ['nothing', { monthly: 0, single: 0, extra: 0 }, 0],
    ['less than a quarter', { monthly: 0.24, single: 0, extra: 0 }, 0],
    ['a quarter in three parts', { monthly: 0.05, single: 0.1, extra: 0.1 }, 1],
    ['decimals that add up', { monthly: 1.1, single: 1.2, extra: 0.2 }, 10],
    ['decimals that fall short by a hundredth', { monthly: 1.1, single: 1.2, extra: 0.19 }, 9],
    ['whole ones', { monthly: 20, single: 1, extra: 4 }, 100],
  ])('rounds a budget of 4 times %s down', async (_, balances, limit) => {
    const merchant = await book.openAccount(balances);
    const key = await book.openKey(merchant);
    expect(await book.reserve(key, 1_000)).toBe(limit);
    expect(await book.reserve(key, 1)).toBe(0);
    expect(await book.account(merchant)).toMatchObject({ invitations_sent: limit });
  });

  it('grants ten of 50 concurrent invitations from two keys with a budget of 10', async () => {
    const merchant = await book.openAccount({ monthly: 1, single: 1, extra: 0.5 });
    const keys = [await book.openKey(merchant), await book.openKey(merchant)];
    const granted = await book.meet(
      merchant,
      keys.flatMap((key) =>
        Array.from({ length: 25 }, (_, index) => () => book.reserve(key, 1 + (index % 3))),
      ),
    );
    expect(sum(granted)).toBe(10);
    expect(granted.filter((count) => count === undefined || count < 0 || count > 3)).toEqual([]);
    expect(await book.account(merchant)).toMatchObject({ invitations_sent: 10 });
  });

  it('stops at zero when credits were spent meanwhile, and continues with new ones', async () => {
    const merchant = await book.openAccount({ extra: 2 });
    const key = await book.openKey(merchant);
    expect(await book.reserve(key, 6)).toBe(6);
    await book.charge(await book.insertResult(merchant));
    expect(await book.reserve(key, 1)).toBe(0);
    await book.grant(merchant, 'single', 1);
    expect(await book.reserve(key, 5)).toBe(2);
  });

  it('reserves and returns nothing for zero and negative numbers', async () => {
    const merchant = await book.openAccount({ extra: 2 });
    const key = await book.openKey(merchant);
    expect(await book.reserve(key, 3)).toBe(3);
    expect([await book.reserve(key, 0), await book.reserve(key, -3)]).toEqual([0, 0]);
    expect(await book.account(merchant)).toMatchObject({ invitations_sent: 3 });
  });

  it('reserves nothing in a transaction that is rolled back', async () => {
    const merchant = await book.openAccount({ extra: 2 });
    const key = await book.openKey(merchant);
    await expect(book.reserve(key, 3, new Error('rolled back'))).rejects.toThrow('rolled back');
    expect(await book.account(merchant)).toMatchObject({ invitations_sent: 0 });
  });

  it('reserves any number in the plan Special and counts them', async () => {
    const merchant = await book.openAccount({}, { plan: 'Special' });
    expect(await book.reserve(await book.openKey(merchant), 1_000)).toBe(1_000);
    expect(await book.account(merchant)).toMatchObject({ invitations_sent: 1_000 });
  });

  it('fails for a caller without a merchant', async () => {
    await expect(
      book.api.write({ kind: 'sign_in' }, async (trx) => {
        await trx.rows({ text: `select set_config('role', 'app_user', true)` });
        return trx.rows({ text: 'select app.reserve_invitations(5)' });
      }),
    ).rejects.toMatchObject({ code: 'P0002' });
  });
});
