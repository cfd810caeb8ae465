import { recordings, templateTypes } from '../../../db/platform/vocabulary';
import { openCreditBook } from './credit-book';
import type { Attempt, Balances, CreditBook } from './credit-book';

let book: CreditBook;
beforeAll(async () => {
  book = await openCreditBook();
});
afterAll(() => book.close());

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
  /** The price of each template, in hundredths of a credit. */
  const ofTemplate = {
    offline_avatar_1: 35,
    offline_avatar_2: 35,
    offline_avatar_3: 35,
    interactive_voice: 100,
    interactive_avatar_1: 250,
    interactive_avatar_2: 125,
  };
  const ofRecording = {
    audio_first_5_answers: 10,
    audio_all: 10,
    video_all: 25,
    video_first_5_answers: 25,
  };
  const ofSession = { audio_first_5_answers: 20, audio_all: 20, video_all: 40, video_first_5_answers: 40 };
  const factors = [
    [null, 1],
    [120, 1],
    [1_200, 1],
    [1_201, 2],
    [1_800, 2],
    [1_801, 3],
    [2_700, 3],
    [2_701, 4],
    [3_600, 4],
    [3_601, 5],
    [7_200, 5],
  ] as const;

  it('is defined for every template, recording, full session and duration, stopped early or not', async () => {
    const cases = templateTypes.flatMap((template) =>
      [false, true].flatMap((early) =>
        [null, ...recordings].flatMap((recording) =>
          [null, ...recordings].flatMap((session) =>
            factors.map(([duration, factor]) => {
              const base = early && template === 'interactive_avatar_1' ? 150 : ofTemplate[template];
              const extra = (recording ? ofRecording[recording] : 0) + (session ? ofSession[session] : 0);
              return { template, early, recording, session, duration, price: (base + extra) * factor };
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

  it('takes from monthly, then single, then extra credits', async () => {
    const merchant = await book.openAccount({ monthly: 0.2, single: 0.3, extra: 5 });
    expect(await book.charge(await book.insertResult(merchant))).toBe('charged');
    expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 4.5 });
    expect(await book.ledger(merchant, 'charge')).toEqual({ monthly: -0.2, single: -0.3, extra: -0.5 });
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

  it('charges an unpaid result when it is tried again with credit', async () => {
    const merchant = await book.openAccount();
    const result = await book.insertResult(merchant);
    expect(await book.charge(result)).toBe('unpaid');
    await book.grant(merchant, 'extra', 2);
    expect(await book.charge(result)).toBe('charged');
    expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 1 });
  });

  it('charges nothing in the plan Special, whatever the balances', async () => {
    const merchant = await book.openAccount({ extra: 5 }, { plan: 'Special' });
    expect(await book.charge(await book.insertResult(merchant))).toBe('free');
    expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 5 });
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

  it('does not let a refunded attempt be charged again or count as unpaid', async () => {
    const merchant = await book.openAccount({ extra: 5 });
    const result = await book.insertResult(merchant);
    await book.charge(result);
    await book.refund(result);
    expect(await book.chargeOf(result)).toBe('refunded');
    expect(await book.charge(result)).toBe('refunded');
    expect(await balancesOf(merchant)).toEqual({ ...nothing, extra: 5 });
  });

  it('refunds monthly credits of a month that has ended as extra credits', async () => {
    const merchant = await book.openAccount({ monthly: 0.25, single: 0.25, extra: 5 }, { monthly_limit: 7 });
    const result = await book.insertResult(merchant);
    await book.charge(result);
    await book.passMonths(merchant, 1);
    expect(await book.refund(result)).toBe(true);
    expect(await balancesOf(merchant)).toEqual({ monthly: 7, single: 0.25, extra: 5.25 });
    expect(await book.ledger(merchant, 'refund')).toEqual({ monthly: 0, single: 0.25, extra: 0.75 });
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
