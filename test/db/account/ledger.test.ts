import * as fc from 'fast-check';
import { addCredits, creditBuckets, listCreditEntries } from '../../../db/account/credits';
import type { CreditBucket } from '../../../db/account/credits';
import { changeAccount } from '../../../db/account/merchants';
import type { Requester } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import { findResultDetails } from '../../../db/results/result-details';
import { uuid } from '../platform/world';
import { openCreditBook } from './credit-book';
import type { Attempt, CreditBook } from './credit-book';

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
     select 'the single credits are ' || a.single || ', not ' || s.sum
     from credit_account a
     cross join lateral (
       select coalesce(sum(c.balance), 0) as sum from single_credit c where c.merchant_id = a.merchant_id
     ) s
     where a.merchant_id = $1 and a.single <> s.sum
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

/* A model of the account, in hundredths of a credit, that knows the rules and nothing of the database. */

/** Interviews of the model: what an attempt costs, and the interview and position whose single credits can pay for it. */
const interviews = [
  { template: 'interactive_voice', cents: 100, position: 0 },
  { template: 'interactive_avatar_1', cents: 250, position: 0 },
  { template: 'interactive_avatar_2', cents: 125, position: 1 },
  { template: 'offline_avatar_3', cents: 35, position: null },
  { template: 'interactive_voice', cents: 100, position: null, type: 'coaching' },
  { template: 'interactive_voice', cents: 0, position: 1, environment: 'uat' },
] as const satisfies (Pick<Attempt, 'template' | 'type' | 'environment'> & {
  cents: number;
  position: number | null;
})[];
/** Single credits are for one of these: the interviews 0 and 3, and both positions. */
const scopes = ['i0', 'i3', 'p0', 'p1'] as const;
type Taken = { id: string; at: number; parts: Map<string, number>; state: string; month: number };

class Model {
  readonly balances = new Map<string, number>();
  readonly taken: Taken[] = [];
  month = 0;
  isSpecial = false;

  of = (balance: string) => this.balances.get(balance) ?? 0;

  add(balance: string, cents: number): void {
    this.balances.set(balance, this.of(balance) + cents);
    this.payWaiting();
  }

  take(id: string, at: number): void {
    const state = this.isSpecial || interviews[at]?.cents === 0 ? 'free' : 'unpaid';
    this.taken.push({ id, at, parts: new Map(), state, month: 0 });
    this.payWaiting();
  }

  /** Pays the oldest attempt that can be paid with what no older attempt waits for, until there is none. */
  payWaiting(): void {
    const waited = new Set<string>();
    for (const each of this.taken.filter(({ state }) => state === 'unpaid')) {
      const usable = balancesFor(each.at).filter((balance) => !waited.has(balance));
      let due = interviews[each.at]?.cents ?? 0;
      if (usable.reduce((sum, balance) => sum + this.of(balance), 0) >= due) {
        for (const balance of usable) {
          const part = Math.min(due, this.of(balance));
          if (part > 0) each.parts.set(balance, part);
          this.balances.set(balance, this.of(balance) - part);
          due -= part;
        }
        Object.assign(each, { state: 'charged', month: this.month });
        this.payWaiting();
        return;
      }
      for (const balance of balancesFor(each.at)) waited.add(balance);
    }
  }

  /** In the plan Special nothing costs anything, and nothing waits for credits any more. */
  changePlan(isSpecial: boolean): void {
    this.isSpecial = isSpecial;
    for (const each of this.taken) if (isSpecial && each.state === 'unpaid') each.state = 'forgiven';
  }

  refund(each: Taken): boolean {
    if (each.state !== 'charged' && each.state !== 'unpaid') return false;
    for (const [balance, part] of each.parts) {
      const isOver = balance === 'monthly' && each.month < this.month;
      this.balances.set(isOver ? 'extra' : balance, this.of(isOver ? 'extra' : balance) + part);
    }
    each.state = 'refunded';
    this.payWaiting();
    return true;
  }

  beginMonth(cents: number): void {
    this.month += 1;
    for (const balance of ['monthly', 'coaching']) this.balances.set(balance, cents);
    this.payWaiting();
  }
}

/** The balances that can pay for an attempt, in the order in which they are used. */
function balancesFor(at: number): string[] {
  const { position = null, ...interview } = interviews[at] ?? {};
  if ('type' in interview) return ['coaching'];
  return [`i${at}`, ...(position === null ? [] : [`p${position}`]), 'monthly', 'extra'];
}

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('add'),
      bucket: fc.constantFrom(...creditBuckets),
      scope: fc.constantFrom(...scopes),
      cents: fc.integer({ min: -300, max: 400 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('take'), at: fc.nat(interviews.length - 1) }) },
  fc.record({ does: fc.constant('refund'), index: fc.nat(20) }),
  fc.record({ does: fc.constant('plan'), isSpecial: fc.boolean() }),
  fc.record({
    does: fc.constant('month'),
    limit: fc.nat(5),
    status: fc.constantFrom('active', 'past_due'),
  }),
);

describe('the ledger', () => {
  it('has the balances of the model after any steps, pays the oldest attempts first, and charges each once', async () => {
    const walk = fc.asyncProperty(
      fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
      async (steps) => {
        const merchant = await book.openAccount();
        const key = await book.openKey(merchant, 'production', true);
        const ids = new Map([...scopes, 'i1', 'i2', 'i4', 'i5'].map((name) => [name, uuid()]));
        for (const name of ['p0', 'p1']) await book.insertPosition(merchant, ids.get(name) ?? '');
        const model = new Model();
        for (const each of steps) {
          if ('cents' in each) {
            if (each.cents === 0) continue;
            const balance = each.bucket === 'single' ? each.scope : each.bucket;
            const isEnough = model.of(balance) + each.cents >= 0;
            const position = each.bucket === 'single' ? (ids.get(each.scope) ?? '') : null;
            if (isEnough) model.add(balance, each.cents);
            const added = await add(key, each.bucket, each.cents, position);
            if (each.bucket !== 'single') expect(added).toBe(isEnough ? model.of(balance) : undefined);
            else expect(added === undefined).toBe(!isEnough);
          } else if ('at' in each) {
            const { template, position, ...more } = interviews[each.at] ?? interviews[0];
            const id = await book.insertResult(merchant, {
              ...('type' in more ? { type: more.type } : {}),
              ...('environment' in more ? { environment: more.environment } : {}),
              template,
              interview: ids.get(`i${each.at}`),
              position: position === null ? null : ids.get(`p${position}`),
            });
            await book.charge(id);
            model.take(id, each.at);
          } else if ('index' in each) {
            const taken = model.taken[each.index];
            if (taken) expect(await book.refund(taken.id)).toBe(model.refund(taken));
          } else if ('isSpecial' in each) {
            const plan = each.isSpecial ? 'Special' : 'Free';
            await book.api.write(key, (trx) => trx.one(changeAccount({ ...unchanged, plan })));
            model.changePlan(each.isSpecial);
          } else {
            const { limit, status } = each;
            await book.database.rows(
              `update credit_account set subscription_status = $2, monthly_limit = $3, coaching_limit = $3
               where merchant_id = $1`,
              [merchant, status, limit],
            );
            await book.passMonths(merchant, 1);
            await book.renew();
            model.beginMonth(status === 'active' ? 100 * limit : 0);
          }
          expect(await contradictions(merchant)).toEqual([]);
          expect(await book.stateOf(merchant)).toEqual({
            balances: Object.fromEntries(
              [...model.balances]
                .filter(([, cents]) => cents > 0)
                .map(([balance, cents]) => [ids.get(balance) ?? balance, cents]),
            ),
            unpaid: model.taken.filter(({ state }) => state === 'unpaid').map(({ id }) => id),
          });
        }
        for (const { id, parts, state } of model.taken) {
          const [paid] = await book.database.rows<{ cents: number; entries: number }>(
            `select coalesce(-sum(amount) * 100, 0)::int as cents, count(*)::int as entries from credit_entry
             where result_id = $1 and kind = 'charge'`,
            [id],
          );
          const due = [...parts.values()].reduce((sum, part) => sum + part, 0);
          expect([state, paid]).toEqual([state, { cents: due, entries: parts.size }]);
        }
      },
    );
    await fc.assert(walk, { numRuns: 20 });
  });

  it('pays each of ten attempts once that are submitted while credits are added, oldest first', async () => {
    const merchant = await book.openAccount();
    const key = await book.openKey(merchant, 'production', true);
    const waiting = await Promise.all(Array.from({ length: 5 }, () => book.insertResult(merchant)));
    for (const id of waiting) await book.charge(id);
    const results = await Promise.all(Array.from({ length: 10 }, () => book.insertResult(merchant)));
    await book.meet<unknown>(merchant, [
      ...results.map((id) => () => book.charge(id)),
      ...Array.from({ length: 4 }, () => () => add(key, 'extra', 200)),
    ]);
    const { unpaid } = await book.stateOf(merchant);
    expect(unpaid).toHaveLength(7);
    expect(unpaid.filter((id) => waiting.includes(id))).toEqual([]);
    expect((await book.account(merchant)).extra).toBe(0);
    expect(await contradictions(merchant)).toEqual([]);
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

  it('is in the details of a result: what it cost, 0 if it is free, and null while it waits', async () => {
    const merchant = await book.openAccount({ monthly: 0.5, extra: 0.5 });
    const key = await book.openKey(merchant, 'production', true);
    const results: string[] = [];
    for (const interview_status of ['completed', 'failed', 'completed', 'completed', 'completed']) {
      results.push(await book.insertResult(merchant, { interview_status }));
      await book.charge(results.at(-1) ?? '');
    }
    const costs = async () => {
      const read = results.map((id) => book.api.query(key, findResultDetails(id, undefined)));
      return (await Promise.all(read)).map(([row]) => (row as { credits_charged: unknown }).credits_charged);
    };
    expect(await costs()).toEqual([1, 0, null, null, null]);
    await book.refund(results[0] ?? '');
    expect(await costs()).toEqual([0, 0, 1, null, null]);
    // The scoring of an attempt that waits fails, and the others no longer wait in the plan Special.
    await book.refund(results[3] ?? '');
    expect(await costs()).toEqual([0, 0, 1, 0, null]);
    await book.api.write(key, (trx) => trx.one(changeAccount({ ...unchanged, plan: 'Special' })));
    expect(await costs()).toEqual([0, 0, 1, 0, 0]);
    expect(await book.stateOf(merchant)).toEqual({ balances: {}, unpaid: [] });
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
