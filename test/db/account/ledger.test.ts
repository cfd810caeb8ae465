import * as fc from 'fast-check';
import { addCredits, creditBuckets, listCreditEntries } from '../../../db/account/credits';
import type { CreditBucket } from '../../../db/account/credits';
import { changeAccount } from '../../../db/account/merchants';
import type { Requester } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import { openCreditBook } from './credit-book';
import type { CreditBook } from './credit-book';

/* The ledger after what platform admins do with accounts, mixed with what the product does by itself. */

let book: CreditBook;
beforeAll(async () => {
  book = await openCreditBook();
});

const unchanged = {
  name: undefined,
  plan: undefined,
  subscriptionStatus: undefined,
  monthlyLimit: undefined,
  coachingLimit: undefined,
};
const add = async (
  key: Requester,
  bucket: CreditBucket,
  cents: number,
  positionId: string | null = null,
): Promise<number | undefined> => {
  const [made] = await book.api.write(key, (trx) =>
    trx.rows(addCredits({ bucket, amount: cents / 100, reason: 'Any', positionId })),
  );
  return made && Math.round(made.balance * 100);
};

/** Returns a sentence for each entry and balance that contradicts the sum of the amounts. */
const contradictions = (merchantId: string) =>
  book.database.rows(
    `with e as (
       select *, sum(amount) over (partition by bucket order by created_at, id) as added from credit_entry
       where merchant_id = $1
     )
     select 'an entry of ' || bucket || ' says ' || balance_after || ', not ' || added as what from e
     where balance_after <> added
     union all
     select 'the balance of ' || b.bucket || ' is ' || b.balance || ', not ' || coalesce(s.sum, 0)
     from credit_account a
     cross join lateral (
       values ('monthly', a.monthly), ('single', a.single), ('extra', a.extra), ('coaching', a.coaching)
     ) b (bucket, balance)
     left join lateral (select sum(amount) from e where e.bucket = b.bucket) s on true
     where a.merchant_id = $1 and b.balance <> coalesce(s.sum, 0)`,
    [merchantId],
  );

const bucket = fc.constantFrom(...creditBuckets);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant('add'), bucket, cents: fc.integer({ min: -300, max: 300 }) }),
  },
  fc.record({ does: fc.constant('take') }),
  fc.record({ does: fc.constant('refund') }),
  fc.record({ does: fc.constant('month') }),
  fc.record({
    does: fc.constant('plan'),
    limit: fc.nat(5),
    status: fc.constantFrom(null, 'active', 'past_due', 'canceled'),
  }),
);

describe('the ledger', () => {
  it('adds up to the balances after any steps, and no balance falls below 0', async () => {
    const walk = fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }),
      async (steps) => {
        const merchant = await book.openAccount();
        const key = await book.openKey(merchant, 'production', true);
        const position = await book.insertResult(merchant, { status: 'draft', interview_status: null });
        const results: string[] = [];
        for (const each of steps) {
          if (each.does === 'add' && 'cents' in each) {
            if (each.cents === 0) continue;
            const [before] = await book.database.rows<Record<CreditBucket, number>>(
              'select monthly::float8, extra::float8, single::float8, coaching::float8 from credit_account where merchant_id = $1',
              [merchant],
            );
            const expected = Math.round((before?.[each.bucket] ?? 0) * 100) + each.cents;
            const balance = await add(
              key,
              each.bucket,
              each.cents,
              each.bucket === 'single' ? position : null,
            );
            // Single credits that attempts were charged are still among those that were added for the position.
            if (expected < 0) expect(balance).toBeUndefined();
            else if (each.bucket !== 'single') expect(balance).toBe(expected);
          } else if (each.does === 'take') {
            results.push(await book.insertResult(merchant, {}));
            await book.charge(results.at(-1) ?? '');
          } else if (each.does === 'refund') await book.refund(results.at(-1) ?? position);
          else if (each.does === 'month') {
            await book.passMonths(merchant, 1);
            await book.renew();
          } else if ('limit' in each)
            await book.api.write(key, (trx) =>
              trx.one(
                changeAccount({
                  ...unchanged,
                  monthlyLimit: each.limit,
                  coachingLimit: each.limit,
                  subscriptionStatus: each.status,
                }),
              ),
            );
          expect(await contradictions(merchant)).toEqual([]);
        }
      },
    );
    await fc.assert(walk, { numRuns: 15 });
  });

  it('has every entry when two people add credits at once, and takes no more away than there is', async () => {
    const merchant = await book.openAccount({ extra: 5 });
    const keys = [
      await book.openKey(merchant, 'production', true),
      await book.openKey(merchant, 'uat', true),
    ] as const;
    const calls = (cents: number) =>
      Array.from({ length: 20 }, (_, index) => () => add(keys[index % 2 ? 1 : 0], 'extra', cents));
    const added = await book.meet(merchant, calls(25));
    expect(added.map(Number).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => 525 + 25 * index),
    );
    const taken = await book.meet(merchant, calls(-300));
    expect(taken.filter((balance) => balance !== undefined)).toHaveLength(3);
    expect((await book.account(merchant)).extra).toBe(1);
    expect(await contradictions(merchant)).toEqual([]);
  });

  it('lists what the attempts of one result cost, for callers of its environment', async () => {
    const merchant = await book.openAccount({ monthly: 0.5, extra: 5 });
    const [one, other] = [await book.insertResult(merchant), await book.insertResult(merchant)];
    for (const result of [one, other]) await book.charge(result);
    const costs = async (environment: Environment) => {
      const key = await book.openKey(merchant, environment, true);
      const rows = await book.api.query(key, listCreditEntries({ interview_result_id: one }, 10, 0));
      return rows.map(({ total, bucket, amount, attempt }) => [total, bucket, amount, attempt]);
    };
    expect(await costs('production')).toEqual([
      [2, 'extra', -0.5, 1],
      [2, 'monthly', -0.5, 1],
    ]);
    expect(await costs('uat')).toEqual([[0, null, null, null]]);
  });

  it('keeps the single credits of each position apart', async () => {
    const merchant = await book.openAccount();
    const key = await book.openKey(merchant, 'production', true);
    const [one, other] = [await book.insertResult(merchant), await book.insertResult(merchant)];
    expect(await add(key, 'single', 300, one)).toBe(300);
    expect(await add(key, 'single', 200, other)).toBe(500);
    expect(await add(key, 'single', -250, other)).toBeUndefined();
    expect(await add(key, 'single', -200, other)).toBe(300);
    const entries = await book.api.query(key, listCreditEntries({ bucket: 'single' }, 10, 0));
    expect(entries.map(({ amount, position_id, actor }) => [amount, position_id, actor])).toEqual([
      [-2, other, 'platform_key'],
      [2, other, 'platform_key'],
      [3, one, 'platform_key'],
    ]);
  });
});

describe('the functions of the platform', () => {
  it('do nothing for a key of the merchant', async () => {
    const merchant = await book.openAccount({ extra: 5 });
    const key = await book.openKey(merchant);
    const ask = <Row>(text: string, values: unknown[]) =>
      book.api.write(key, (trx) => trx.rows<Row>({ text, values }));
    expect(await add(key, 'extra', 100)).toBeUndefined();
    expect(
      await book.api.write(key, (trx) => trx.rows(changeAccount({ ...unchanged, plan: 'Special' }))),
    ).toEqual([{ changed: null }]);
    expect(await ask(`select app.create_merchant('Any', null, 'Free', 'UTC') as id`, [])).toEqual([
      { id: null },
    ]);
    expect(await ask(`select * from app.list_merchants('', null, 10, 0)`, [])).toEqual([]);
    expect(await book.account(merchant)).toMatchObject({ extra: 5 });
  });
});

describe('a subscription', () => {
  it('begins a period with the credits of the plan, and calendar months follow when it has ended', async () => {
    const merchant = await book.openAccount({ monthly: 3, extra: 1 });
    const key = await book.openKey(merchant, 'production', true);
    const change = (subscriptionStatus: 'active' | 'past_due' | null, monthlyLimit?: number) =>
      book.api.write(key, (trx) =>
        trx.one(changeAccount({ ...unchanged, subscriptionStatus, monthlyLimit, coachingLimit: 2 })),
      );
    const before = new Date();
    expect(await change('active', 20)).toEqual({
      changed: ['subscription_status', 'monthly_limit', 'coaching_limit'],
    });
    const begun = await book.account(merchant);
    expect(begun).toMatchObject({ monthly: 20, extra: 1 });
    expect(begun.period_started_at.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(await change('past_due')).toEqual({ changed: ['subscription_status'] });
    expect(await book.account(merchant)).toMatchObject({ monthly: 20, period_ends_at: begun.period_ends_at });
    expect(await change(null)).toEqual({ changed: ['subscription_status'] });
    await book.database.rows(`update credit_account set period_ends_at = now() where merchant_id = $1`, [
      merchant,
    ]);
    await book.renew();
    const { monthly, period_started_at: startedAt } = await book.account(merchant);
    expect([monthly, startedAt.toISOString()]).toEqual([20, expect.stringMatching(/-01T00:00:00.000Z$/)]);
    expect(await contradictions(merchant)).toEqual([]);
  });
});
