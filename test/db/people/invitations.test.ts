import { countAccountInvitations, lockAndCountInvitations } from '../../../db/people/invitation-limits';
import type { Requester } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import { submitAttempt } from '../../../db/taking/attempts';
import { readNewestLink, queryWithLink } from '../../../local/demo/candidate';
import { openCreditBook } from '../account/credit-book';
import type { Balances, CreditBook } from '../account/credit-book';
import { api, database, main, makePerson, other, sessionOf, useTeamDatabase } from '../identity/team-fixture';
import type { Person } from '../identity/team-fixture';
import { createResultWorld } from '../results/result-world';
import type { ResultWorld } from '../results/result-world';

describe('invitation budget', () => {
  /* Tests how `invitations_limit` is computed and used up (docs/people.md#invitation-budget). */

  let book: CreditBook;
  beforeAll(async () => {
    book = await openCreditBook();
  });

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

    it('leaves the rest to other calls if a part of the budget is asked for', async () => {
      const merchant = await book.openAccount({ extra: 2.5 });
      const key = await book.openKey(merchant);
      const text = 'select app.reserve_invitations(9, 0.8) as granted';
      expect(await book.api.write(key, (trx) => trx.one({ text }))).toEqual({ granted: 8 });
      expect(await book.api.write(key, (trx) => trx.one({ text }))).toEqual({ granted: 0 });
      expect(await book.reserve(key, 9)).toBe(2);
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
});

describe('invitation limits', () => {
  useTeamDatabase();

  /* Tests which mails the limits of invitations include (docs/identity.md#limits-of-invitations). */

  type MailOf = {
    merchantId?: string;
    environment?: Environment;
    kind?: string;
    state?: string;
    age?: string;
  };

  /** Inserts a mail to the person. For a mail to a candidate, also inserts an interview and an enrolment. */
  async function insertMail(
    { id, email }: Person,
    {
      merchantId = main.id,
      environment = 'production',
      kind = 'candidate_invitation',
      state = 'sent',
      age = '23 hours',
    }: MailOf = {},
  ): Promise<void> {
    const isCandidate = !['team_invitation', 'coaching_invitation'].includes(kind);
    await database.rows(
      `with batch as (
       insert into invitation_batch (merchant_id, environment, platform_language_code)
       values ($1, $2, 'en') returning id
     ), place as (
       insert into interview select (jsonb_populate_record(i, jsonb_build_object('id', uuidv7(), 'slug', null))).*
       from interview i where $7 and i.id = (select id from interview where merchant_id = $1 limit 1) returning id
     ), enrolled as (
       insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
       select $1, $2, place.id, $3, $8, $8 from place returning id
     )
     insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id, state, created_at)
     select $1, $2, batch.id, $4, $3, enrolled.id, $5, now() - $6::interval from batch left join enrolled on true`,
      [merchantId, environment, id, kind, state, age, isCandidate, email],
    );
  }

  const countOf = (caller: Requester, { email }: Person) =>
    api.write(caller, async (trx) => {
      const rows = await trx.rows(lockAndCountInvitations([email, 'nobody@example.com']));
      expect(rows.length).toBeLessThan(2);
      return rows[0]?.mailed;
    });
  let owner: Requester;
  beforeAll(async () => {
    owner = await sessionOf((await makePerson(main.id, 'merchant_owner')).id);
  });

  describe('lock_invitations', () => {
    it('counts the mails to a person as a candidate of any interview and as a team member', async () => {
      const candidate = await makePerson(main.id, 'candidate');
      for (const state of ['queued', 'sent', 'rejected']) await insertMail(candidate, { state });
      expect(await countOf(owner, candidate)).toBe(3);
      const [account] = await database.rows<{ id: string }>(
        `insert into profile (merchant_id, role, email, email_key) values ($1, 'merchant', $2, $2) returning id`,
        [other.id, candidate.email],
      );
      await insertMail({ ...candidate, id: account?.id ?? '' }, { kind: 'team_invitation' });
      expect(await countOf(owner, candidate)).toBe(4);
    });

    it('does not count reminders, withdrawn and old mails, other environments and other merchants', async () => {
      const person = await makePerson(main.id, 'candidate');
      const [elsewhere] = await database.rows<Person>(
        `insert into profile (merchant_id, role, email, email_key) values ($1, 'candidate', $2, $2) returning id, email`,
        [other.id, person.email],
      );
      for (const kind of ['reminder', 'final_reminder', 'submit_reminder'])
        await insertMail(person, { kind });
      await insertMail(person, { state: 'withdrawn' });
      await insertMail(person, { age: '25 hours' });
      await insertMail(person, { environment: 'demo' });
      await insertMail(elsewhere ?? person, { merchantId: other.id });
      expect(await countOf(owner, person)).toBe(0);
      await insertMail(person);
      expect(await countOf(owner, person)).toBe(1);
    });
  });

  it('counts the mails of the environment of the caller in count_account_invitations', async () => {
    const person = await makePerson(main.id, 'merchant');
    const demo: Requester = { ...(await sessionOf(person.id)), environment: 'demo' };
    await database.rows(`update session set environment = 'demo' where id = $1`, [
      demo.kind === 'user_session' ? demo.sessionId : null,
    ]);
    const count = (caller: Requester) =>
      api.read(caller, async (trx) => (await trx.rows(countAccountInvitations))[0]?.mailed ?? 0);
    const before = [await count(owner), await count(demo)];
    for (const kind of ['team_invitation', 'coaching_invitation'])
      await insertMail(person, { kind, environment: 'demo' });
    await insertMail(person, { kind: 'team_invitation', state: 'withdrawn', environment: 'demo' });
    expect([await count(owner), await count(demo)]).toEqual([before[0], (before[1] ?? 0) + 2]);
  });
});

describe('link rights', () => {
  /*
   * With a link, a candidate can change only their own attempt, and only with the functions for links (docs/taking.md).
   */

  let world: ResultWorld;
  beforeAll(async () => {
    world = await createResultWorld();
  });

  const refused = { code: '42501' };
  const run = async (enrolment: string, text: string, values: unknown[] = []) => {
    const link = await readNewestLink(world, enrolment);
    return world.api.write(link, (trx) => trx.rows({ text, values }));
  };

  describe('a candidate’s link', () => {
    let enrolment: string;
    beforeAll(async () => {
      ({ enrolment } = await world.states.started());
    });

    it.each([
      'select id from interview_result',
      'select id from result_question',
      'select place from attempt_step',
      'select candidate_expectations_json from interview',
      'select candidate_expectations_json from question',
      `update interview_result set interview_status = 'completed'`,
      `update result_question set answer = 'Splendid.'`,
      'update enrolment set link_generation = link_generation + 1',
      'delete from result_question',
    ])('may not %s', async (text) => {
      await expect(run(enrolment, text)).rejects.toMatchObject(refused);
    });

    it.each([
      [`app.ask_next_turn(gen_random_uuid(), 1, gen_random_uuid(), 'next_planned', null)`],
      [`app.set_transcript(gen_random_uuid(), 'Splendid.', 'done')`],
      [`app.fail_attempt(gen_random_uuid(), 1, 'failed', 'Any.')`],
      ['app.close_due_attempts(1)'],
      ['app.charge_result(gen_random_uuid())'],
      ['app.submit_collected(null::interview_result)'],
      ['app.reopen_result(gen_random_uuid())'],
    ])('may not call %s', async (call) => {
      await expect(run(enrolment, `select ${call}`)).rejects.toMatchObject(refused);
    });

    it('does not submit the result of another candidate', async () => {
      const { key } = await world.states.collected();
      const stranger = await world.enrol();
      expect(await queryWithLink(world, stranger, submitAttempt)).toEqual({
        outcome: 'not_collected',
        attempt: null,
      });
      expect(await world.show(key.result_id)).toMatchObject({ status: 'draft' });
    });
  });
});
