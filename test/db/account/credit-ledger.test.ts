import * as fc from 'fast-check';
import { buckets, openCreditBook } from './credit-book';
import type { Balances, CreditBook } from './credit-book';

/*
 * Runs random operations on accounts, in any order, both in Postgres and in a simple model. The balances of an
 * account must equal those of the model and the sums of the ledger, and no attempt may be charged twice or in part.
 */

let book: CreditBook;
beforeAll(async () => {
  book = await openCreditBook();
});
afterAll(() => book.close());

/** Prices in hundredths of a credit. */
const prices = {
  offline_avatar_3: 35,
  interactive_voice: 100,
  interactive_avatar_1: 250,
  interactive_avatar_2: 125,
} as const;
const monthlyLimit = 300;

const step = fc.oneof(
  fc.record({
    does: fc.constant('grant'),
    bucket: fc.constantFrom(...buckets),
    cents: fc.integer({ min: 1, max: 400 }),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('take'),
      template: fc.constantFrom(...(Object.keys(prices) as (keyof typeof prices)[])),
    }),
  },
  fc.record({ does: fc.constant('charge again'), index: fc.nat(9) }),
  { weight: 2, arbitrary: fc.record({ does: fc.constant('refund'), index: fc.nat(9) }) },
  fc.record({ does: fc.constant('month'), status: fc.constantFrom('active', 'past_due') }),
);

type Taken = { id: string; cents: number; outcome: string; parts: Balances; month: number };

/** Computes the expected balances, in hundredths of a credit. */
class Model {
  balances: Balances = { monthly: 0, single: 0, extra: 0 };
  month = 0;
  readonly taken: Taken[] = [];

  charge(result: Taken): void {
    if (result.outcome !== 'unpaid') return;
    const { monthly, single, extra } = this.balances;
    if (monthly + single + extra < result.cents) return;
    let due = result.cents;
    for (const bucket of buckets) {
      result.parts[bucket] = Math.min(due, this.balances[bucket]);
      this.balances[bucket] -= result.parts[bucket];
      due -= result.parts[bucket];
    }
    result.month = this.month;
    result.outcome = 'charged';
  }

  refund(result: Taken): boolean {
    if (result.outcome !== 'charged') return false;
    for (const bucket of buckets)
      this.balances[bucket === 'monthly' && result.month < this.month ? 'extra' : bucket] +=
        result.parts[bucket];
    result.outcome = 'refunded';
    return true;
  }
}

const inHundredths = ({ monthly, single, extra }: Balances): Balances => ({
  monthly: Math.round(monthly * 100),
  single: Math.round(single * 100),
  extra: Math.round(extra * 100),
});

describe('an account', () => {
  it('has the balances, ledger and outcomes of the model after any steps', async () => {
    const walk = fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25, size: 'max' }),
      async (steps) => {
        const merchant = await book.openAccount({}, { plan: 'Growth', monthly_limit: monthlyLimit / 100 });
        const model = new Model();
        for (const each of steps) {
          if (each.does === 'grant') {
            await book.grant(merchant, each.bucket, each.cents / 100);
            model.balances[each.bucket] += each.cents;
          } else if (each.does === 'take') {
            const id = await book.insertResult(merchant, { template: each.template });
            const parts = { monthly: 0, single: 0, extra: 0 };
            const result = { id, cents: prices[each.template], outcome: 'unpaid', parts, month: 0 };
            model.taken.push(result);
            model.charge(result);
            expect(await book.charge(id)).toBe(result.outcome);
          } else if (each.does === 'month') {
            await book.setSubscription(merchant, each.status);
            await book.passMonths(merchant, 1);
            await book.renew();
            model.month += 1;
            model.balances.monthly = each.status === 'active' ? monthlyLimit : 0;
          } else {
            const result = model.taken[each.index];
            if (!result) continue;
            if (each.does === 'refund') expect(await book.refund(result.id)).toBe(model.refund(result));
            else {
              model.charge(result);
              expect(await book.charge(result.id)).toBe(result.outcome);
            }
          }
          expect(inHundredths(await book.account(merchant))).toEqual(model.balances);
        }
        expect(inHundredths(await book.ledger(merchant))).toEqual(model.balances);
      },
    );
    await fc.assert(walk, { numRuns: 25 });
  });

  it('has a ledger that adds up to the balances, and attempts that are paid or refunded completely, after concurrent steps', async () => {
    const walk = fc.asyncProperty(
      fc.record({ monthly: fc.nat(500), single: fc.nat(500), extra: fc.nat(500) }),
      fc.array(fc.constantFrom('charge', 'refund', 'renew', 'reserve'), { minLength: 20, maxLength: 40 }),
      async ({ monthly, single, extra }, steps) => {
        const merchant = await book.openAccount(
          { monthly: monthly / 100, single: single / 100, extra: extra / 100 },
          { plan: 'Growth', subscription_status: 'active', monthly_limit: monthlyLimit / 100 },
        );
        const key = await book.openKey(merchant);
        const results: string[] = [];
        for (const template of [
          'interactive_voice',
          'interactive_avatar_1',
          'interactive_avatar_2',
          'offline_avatar_3',
        ] as const)
          results.push(
            await book.insertResult(merchant, { template }),
            await book.insertResult(merchant, { template }),
          );
        await book.charge(results[0] ?? '');
        await book.passMonths(merchant, 1);
        await Promise.all(
          steps.map(async (does, index) => {
            const result = results[index % results.length] ?? '';
            if (does === 'charge') await book.charge(result);
            else if (does === 'refund') await book.refund(result);
            else if (does === 'renew') await book.renew();
            else await book.reserve(key, 1);
          }),
        );
        await book.renew();
        expect(inHundredths(await book.ledger(merchant))).toEqual(inHundredths(await book.account(merchant)));
        expect(await book.countEntries(merchant, 'renewal')).toBe(1);
        const broken = await book.database.rows(
          `select r.charge, sums.* from interview_result r
           join interview i on i.id = r.interview_id join interview_template t on t.id = i.interview_template_id
           cross join lateral (
             select coalesce(sum(amount) filter (where kind = 'charge'), 0) as charged,
               coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded
             from credit_entry e where e.result_id = r.id
           ) sums
           cross join lateral (select app.interview_price(t.type, false, null, null, i.max_duration) as price) due
           where r.merchant_id = $1 and (charged, refunded) is distinct from (
             case when r.charge in ('charged', 'refunded') then -price else 0 end,
             case when r.charge = 'refunded' then price else 0 end
           )`,
          [merchant],
        );
        expect(broken).toEqual([]);
      },
    );
    await fc.assert(walk, { numRuns: 6 });
  });
});
