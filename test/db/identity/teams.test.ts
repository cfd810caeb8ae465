import { insertSession, listColleagues, listSessions, revokeSession } from '../../../db/identity/access';
import type { OpenSession } from '../../../db/identity/access';
import { requestSignIn } from '../../../db/identity/sign-in-links';
import { changeTeamMember, listTeamMembers } from '../../../db/identity/team';
import type { TeamMember, TeamMemberOutcome } from '../../../db/identity/team';
import { checkReferences } from '../../../db/interviews/interview-building';
import { claimMails } from '../../../db/people/mails';
import type { ClaimedMail } from '../../../db/people/mails';
import type { Requester } from '../../../db/platform/database';
import { refreshSession } from '../../../db/platform/sessions';
import { hashSecret } from '../../../db/platform/tokens';
import type { Environment } from '../../../db/platform/vocabulary';
import { people } from '../../../local/seed/accounts';
import {
  accept,
  api,
  change,
  database,
  ended,
  giveAccess,
  invite,
  main,
  makePerson,
  other,
  placesOf,
  refused,
  scopeOf,
  sessionOf,
  sub,
  useTeamDatabase,
  waitForLock,
  worker,
} from './team-fixture';
import type { Person } from './team-fixture';

describe('team', () => {
  useTeamDatabase();

  describe('a session that an owner or admin opened for another person', () => {
    it('reaches the merchant of the opener and its sub-merchants, and no merchant that gives access later', async () => {
      const person = await makePerson(main.id, 'merchant');
      const bound = await sessionOf(person.id, { boundTo: main.id });
      const own = await sessionOf(person.id);
      expect(await scopeOf({ ...bound, askedMerchantId: other.id })).toEqual([main.id, 'merchant']);
      expect(await scopeOf({ ...bound, askedMerchantId: 'nonsense' })).toEqual([main.id, 'merchant']);

      await giveAccess(person.id, other.id, 'merchant_owner');
      expect(await scopeOf({ ...own, askedMerchantId: other.id })).toEqual([other.id, 'merchant_owner']);
      // The person has access to `other` now, but this session is bound to `main`.
      await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(refused);
      expect(await scopeOf({ ...bound, askedMerchantId: 'nonsense' })).toEqual([main.id, 'merchant']);

      await giveAccess(person.id, sub.id, 'merchant_selection');
      expect(await scopeOf({ ...bound, askedMerchantId: sub.id })).toEqual([sub.id, 'merchant_selection']);
      await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(refused);
    });

    it('ends when the merchant of the opener ends the access of the person', async () => {
      const person = await makePerson(main.id, 'merchant');
      await giveAccess(person.id, other.id, 'merchant');
      const bound = await sessionOf(person.id, { boundTo: main.id });
      await database.rows('update profile set home_withdrawn_at = now() where id = $1', [person.id]);
      await expect(scopeOf(bound)).rejects.toMatchObject(ended);
      await expect(scopeOf({ ...bound, askedMerchantId: other.id })).rejects.toMatchObject(ended);
    });
  });

  describe('merchant_id of a person with an unaccepted invitation', () => {
    it('counts if it names the inviting merchant, and is ignored otherwise', async () => {
      const person = await makePerson(main.id, 'merchant', { accepted: false });
      await giveAccess(person.id, other.id, 'merchant_selection');
      expect(await accept(person.id, main.id)).toBe(true);
      const session = await sessionOf(person.id);
      expect(await scopeOf({ ...session, askedMerchantId: other.id })).toEqual([
        other.id,
        'merchant_selection',
      ]);
      for (const askedMerchantId of ['nonsense', sub.id])
        expect(await scopeOf({ ...session, askedMerchantId })).toEqual([main.id, 'merchant']);
    });
  });

  describe('a session whose opener lost the role', () => {
    let count = 0;
    const refreshed = async (sessionId: string) => {
      const token = `rt_${sessionId}_${(count += 1)}`;
      await database.rows(
        `insert into refresh_token (hash, session_id, expires_at) values ($1, $2, now() + interval '1 day')`,
        [hashSecret(token), sessionId],
      );
      return api.write({ kind: 'sign_in' }, (trx) => refreshSession(trx, token));
    };

    it.each([
      ['demoted', `update profile set role = 'merchant' where id = $1`],
      ['disabled at the merchant', 'update profile set home_disabled_at = now() where id = $1'],
      ['removed', 'update profile set home_withdrawn_at = now() where id = $1'],
      ['disabled by the platform', 'update profile set disabled_at = now() where id = $1'],
    ])('is rejected and cannot be refreshed: %s', async (_what, statement) => {
      const opener = await makePerson(main.id, 'merchant_owner');
      const person = await makePerson(main.id, 'merchant');
      const bound = await sessionOf(person.id, { boundTo: main.id, openedBy: opener.id });
      expect(await scopeOf(bound)).toEqual([main.id, 'merchant']);
      expect(await refreshed(bound.sessionId)).toMatchObject({ session_id: bound.sessionId });
      await database.rows(statement, [opener.id]);
      await expect(scopeOf(bound)).rejects.toMatchObject(ended);
      expect(await refreshed(bound.sessionId)).toBeUndefined();
    });

    it('stays valid if the opener is an admin, who has no role at the merchant', async () => {
      const person = await makePerson(main.id, 'merchant');
      const bound = await sessionOf(person.id, { boundTo: main.id, openedBy: people.admin.id });
      expect(await scopeOf(bound)).toEqual([main.id, 'merchant']);
    });

    it('is never opened while the opener is being demoted', async () => {
      const opener = await makePerson(main.id, 'merchant_owner');
      const person = await makePerson(main.id, 'merchant');
      const caller = await sessionOf(opener.id);
      const by = await sessionOf(people.merchant_owner.id);
      let opened: Promise<unknown[]> | undefined;
      await api.write(by, async (trx) => {
        const demoted = { role: 'merchant' as const, disabled: null, withdraw: false };
        expect(await trx.rows(changeTeamMember(opener.id, demoted))).toMatchObject([{ outcome: 'changed' }]);
        opened = api.write(caller, (rival) =>
          rival.rows(insertSession(person.id, 'rival', Buffer.from(opener.id))),
        );
        await waitForLock('open_session');
      });
      expect(await opened).toEqual([]);
      expect(await database.rows('select from session where opened_by = $1', [opener.id])).toEqual([]);
    });
  });

  it('replaces the least recently used of twenty sessions when the console opens another one', async () => {
    const person = await makePerson(main.id, 'merchant');
    const caller = await sessionOf(person.id);
    const open = (index: number) =>
      api.write(caller, async (trx) => {
        const [row] = await trx.rows<{ session_id: string }>(
          insertSession(person.id, `session ${index}`, Buffer.from(`${person.id} ${index}`)),
        );
        return row?.session_id;
      });
    const live = async () =>
      (
        await database.rows<{ id: string }>(
          'select id from session where profile_id = $1 and opened_by is not null and revoked_at is null',
          [person.id],
        )
      ).map(({ id }) => id);
    const ids: (string | undefined)[] = [];
    for (let index = 0; index < 20; index++) ids.push(await open(index));
    expect(new Set(await live())).toEqual(new Set(ids));
    await database.rows('update session set last_used_at = now() where id = $1', [ids[0]]);
    const last = await open(20);
    expect(new Set(await live())).toEqual(new Set([...ids.filter((id) => id !== ids[1]), last]));
    // The caller's own session has no `opened_by`, so it is not one of the twenty and stays valid.
    expect(await scopeOf(caller)).toEqual([main.id, 'merchant']);
  });

  describe('the role of a request', () => {
    it('is a team role elsewhere when the home makes the person a learner only', async () => {
      const person = await makePerson(sub.id, 'user');
      expect(await scopeOf(await sessionOf(person.id))).toEqual([sub.id, 'user']);
      // `first` has the higher id, so that an order by id would choose the other merchant.
      const [first, second] = main.id > other.id ? [main, other] : [other, main];
      await giveAccess(person.id, first.id, 'merchant_selection');
      await giveAccess(person.id, second.id, 'merchant_owner');
      expect(await scopeOf(await sessionOf(person.id))).toEqual([first.id, 'merchant_selection']);
      expect(await scopeOf(await sessionOf(person.id, { asked: second.id }))).toEqual([
        second.id,
        'merchant_owner',
      ]);
      expect(await scopeOf(await sessionOf(person.id, { asked: sub.id }))).toEqual([sub.id, 'user']);
    });

    it('does not move to a merchant that first gave a learner’s role and raised it later', async () => {
      const person = await makePerson(sub.id, 'user');
      for (const [first, second] of [
        [main, other],
        [other, main],
      ] as const) {
        await giveAccess(person.id, first.id, 'user');
        await giveAccess(person.id, second.id, 'merchant');
        await database.rows(
          `update merchant_access set role = 'merchant_owner' where profile_id = $1 and merchant_id = $2`,
          [person.id, first.id],
        );
        expect(await scopeOf(await sessionOf(person.id))).toEqual([second.id, 'merchant']);
        await database.rows('delete from merchant_access where profile_id = $1', [person.id]);
      }
    });

    it('does not move to a merchant whose earlier invitation the person did not accept', async () => {
      for (const [stranger, employer] of [
        [main, other],
        [other, main],
      ] as const) {
        const person = await makePerson(stranger.id, 'merchant_owner', { accepted: false });
        await giveAccess(person.id, sub.id, 'user');
        expect(await accept(person.id, sub.id)).toBe(true);
        await giveAccess(person.id, employer.id, 'merchant');
        expect(await scopeOf(await sessionOf(person.id))).toEqual([employer.id, 'merchant']);
      }
    });

    it('is the role at the home for everybody who works there', async () => {
      const person = await makePerson(main.id, 'merchant_selection');
      await giveAccess(person.id, other.id, 'merchant_owner');
      expect(await scopeOf(await sessionOf(person.id))).toEqual([main.id, 'merchant_selection']);
    });

    it('ignores a merchant where the person is disabled', async () => {
      const person = await makePerson(main.id, 'merchant_owner');
      await giveAccess(person.id, other.id, 'merchant');
      const session = await sessionOf(person.id);
      await database.rows('update profile set home_disabled_at = now() where id = $1', [person.id]);
      for (const asked of [null, main.id, other.id])
        await expect(scopeOf({ ...session, askedMerchantId: asked })).rejects.toMatchObject(ended);
      const elsewhere = await sessionOf(person.id);
      expect(await scopeOf(elsewhere)).toEqual([other.id, 'merchant']);
      await expect(scopeOf({ ...elsewhere, askedMerchantId: main.id })).rejects.toMatchObject(refused);
      await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [
        person.id,
      ]);
      await expect(scopeOf(elsewhere)).rejects.toMatchObject(ended);
    });
  });

  describe('request_sign_in', () => {
    const ask = (email: string, environment: Environment) =>
      api.write({ kind: 'sign_in' }, (trx) => trx.rows(requestSignIn(email, environment)));
    const links = async ({ id }: Person, environment: Environment) =>
      (
        await database.rows('select from sign_in_link where profile_id = $1 and environment = $2', [
          id,
          environment,
        ])
      ).length;
    const age = ({ id }: Person, minutes: number) =>
      database.rows(
        `update sign_in_link set created_at = created_at - $2 * interval '1 minute' where profile_id = $1`,
        [id, minutes],
      );

    it('counts each environment separately', async () => {
      const person = await makePerson(main.id, 'merchant');
      for (let time = 0; time < 7; time++) await ask(person.email, 'demo');
      await ask(person.email, 'production');
      expect([await links(person, 'demo'), await links(person, 'production')]).toEqual([5, 1]);
    });

    it('sends one mail every ten minutes after five in an hour, and at once if the last link was used', async () => {
      const person = await makePerson(main.id, 'merchant');
      for (let time = 0; time < 7; time++) await ask(person.email, 'production');
      await age(person, 9);
      await ask(person.email, 'production');
      expect(await links(person, 'production')).toBe(5);
      await age(person, 2);
      for (let time = 0; time < 3; time++) await ask(person.email, 'production');
      expect(await links(person, 'production')).toBe(6);
      await database.rows('update sign_in_link set used_at = now() where profile_id = $1', [person.id]);
      await ask(person.email, 'production');
      expect(await links(person, 'production')).toBe(7);
    });

    it('mails everybody who has a role for the console at any merchant, and nobody else', async () => {
      const learner = await makePerson(other.id, 'user');
      await ask(learner.email, 'production');
      expect(await links(learner, 'production')).toBe(0);
      await giveAccess(learner.id, main.id, 'merchant_selection');
      await ask(learner.email, 'production');
      expect(await links(learner, 'production')).toBe(1);
      await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [
        learner.id,
      ]);
      await ask(learner.email, 'production');
      expect(await links(learner, 'production')).toBe(1);
    });
  });
});

describe('team members', () => {
  useTeamDatabase();

  describe('update_team_member', () => {
    const owner = () => sessionOf(people.merchant_owner.id);
    const isAlive = async ({ sessionId }: { sessionId: string }) =>
      (await database.rows('select from session where id = $1 and revoked_at is null', [sessionId]))
        .length === 1;

    it('ends the sessions of the person at this merchant, and none that another merchant opened', async () => {
      const person = await makePerson(main.id, 'merchant');
      const here = [await sessionOf(person.id), await sessionOf(person.id, { boundTo: main.id })];
      const elsewhere = await sessionOf(person.id, { boundTo: other.id });
      expect(await change(await owner(), person.id, { role: 'merchant_selection' })).toBe('changed');
      expect(await Promise.all([...here, elsewhere].map(isAlive))).toEqual([false, false, true]);
      expect((await placesOf(person.id)).home).toMatchObject({ role: 'merchant_selection' });
    });

    it('ends the sessions that the person opened for others here, and returns how many active keys it created', async () => {
      const opener = await makePerson(main.id, 'merchant_owner');
      const person = await makePerson(main.id, 'merchant');
      const opened = await sessionOf(person.id, { boundTo: main.id, openedBy: opener.id });
      const theirs = await sessionOf(person.id, { boundTo: main.id });
      const elsewhere = await sessionOf(person.id, { boundTo: other.id, openedBy: opener.id });
      await database.rows(
        `insert into service_key (merchant_id, environment, hash, created_by, revoked_at)
       select $1, 'production', sha256(($2 || n)::bytea), $2::uuid, case when n = 2 then now() end
       from generate_series(1, 2) n`,
        [main.id, opener.id],
      );
      const [outcome] = await api.write(await owner(), (trx) =>
        trx.rows<TeamMemberOutcome>(
          changeTeamMember(opener.id, { role: null, disabled: null, withdraw: true }),
        ),
      );
      expect(outcome).toMatchObject({ outcome: 'changed', live_service_keys: 1 });
      expect(await Promise.all([opened, theirs, elsewhere].map(isAlive))).toEqual([false, true, true]);
    });

    it('keeps sessions for other merchants of a person who was disabled here before', async () => {
      const person = await makePerson(main.id, 'merchant');
      await giveAccess(person.id, other.id, 'merchant');
      expect(await change(await owner(), person.id, { disabled: true })).toBe('changed');
      const elsewhere = await sessionOf(person.id);
      const caller = await owner();
      const seen = await api.read(caller, (trx) => trx.rows<OpenSession>(listSessions(1_000)));
      expect(seen.map(({ profile_id }) => profile_id)).not.toContain(person.id);
      const [revoked] = await api.write(caller, (trx) =>
        trx.rows<{ is_revoked: boolean }>(revokeSession(elsewhere.sessionId)),
      );
      expect(revoked).toEqual({ is_revoked: false });
      for (const what of [{ disabled: false }, { disabled: true }])
        expect(await change(await owner(), person.id, what)).toBe('changed');
      const again = await sessionOf(person.id);
      expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
      expect(await isAlive(again)).toBe(true);
    });

    it('keeps sessions when nothing changes', async () => {
      const person = await makePerson(main.id, 'merchant');
      const session = await sessionOf(person.id);
      expect(await change(await owner(), person.id, { role: 'merchant', disabled: false })).toBe('unchanged');
      expect(await isAlive(session)).toBe(true);
    });

    it('removes this merchant from an operator of another one with the next request', async () => {
      const operator = await makePerson(other.id, 'merchant');
      await giveAccess(operator.id, main.id, 'merchant');
      const session = await sessionOf(operator.id, { asked: main.id });
      expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
      expect(await change(await owner(), operator.id, { disabled: true })).toBe('changed');
      // The call is rejected. It must not act at the operator's home merchant.
      await expect(scopeOf(session)).rejects.toMatchObject(refused);
      expect(await scopeOf({ ...session, askedMerchantId: sub.id })).toEqual([other.id, 'merchant']);
      expect(await change(await owner(), operator.id, { disabled: false })).toBe('changed');
      expect(await scopeOf(session)).toEqual([main.id, 'merchant']);
      expect(await change(await owner(), operator.id, { withdraw: true })).toBe('changed');
      await expect(scopeOf(session)).rejects.toMatchObject(refused);
      expect((await placesOf(operator.id)).access).toEqual([]);
    });

    it('keeps the access to other merchants when a merchant disables and removes a person', async () => {
      const person = await makePerson(main.id, 'merchant');
      await giveAccess(person.id, other.id, 'merchant');
      for (const what of [{ disabled: true }, { disabled: false }, { withdraw: true }])
        expect(await change(await owner(), person.id, what)).toBe('changed');
      expect(await scopeOf(await sessionOf(person.id))).toEqual([other.id, 'merchant']);
      expect(await change(await owner(), person.id, { role: 'merchant_owner' })).toBe('unknown');
    });

    it('withdraws a pending invitation, whose mail is not sent and which another merchant can replace', async () => {
      const lonely = await makePerson(main.id, 'merchant', { accepted: false });
      const wanted = await makePerson(main.id, 'merchant', { accepted: false });
      await giveAccess(wanted.id, other.id, 'mentor');
      await database.rows(
        `with batch as (
         insert into invitation_batch (merchant_id, environment, platform_language_code)
         values ($1, 'production', 'en') returning id
       )
       insert into mail (merchant_id, environment, batch_id, kind, profile_id)
       select $1, 'production', id, 'team_invitation', $2 from batch`,
        [main.id, lonely.id],
      );
      for (const { id } of [lonely, wanted])
        expect(await change(await owner(), id, { withdraw: true })).toBe('changed');
      expect(await database.rows('select state from mail where profile_id = $1', [lonely.id])).toEqual([
        { state: 'withdrawn' },
      ]);
      expect(await placesOf(lonely.id)).toMatchObject({ home: { is_withdrawn: true } });
      expect(await accept(lonely.id, main.id)).toBe(false);
      expect(await placesOf(wanted.id)).toMatchObject({
        home: { merchant_id: other.id, role: 'mentor', is_withdrawn: false },
        access: [],
      });
      expect(await accept(wanted.id, other.id)).toBe(true);
    });

    it('returns unknown for people of another merchant, candidates and admins', async () => {
      const strangers = [people.other_merchant.id, people.candidate.id, people.admin.id, main.id];
      for (const id of strangers) expect(await change(await owner(), id, { disabled: true })).toBe('unknown');
    });

    it('is available to owners and admins only', async () => {
      for (const person of [people.merchant, people.merchant_selection])
        expect(await change(await sessionOf(person.id), people.user.id, { disabled: true })).toBe('unknown');
      const admin = await sessionOf(people.admin.id, { asked: main.id });
      expect(await change(admin, people.user.id, { disabled: true })).toBe('changed');
    });

    it('never removes the last owner who can sign in, also when two owners demote each other at once', async () => {
      const self = people.other_merchant_owner.id;
      await database.rows(`delete from merchant_access where merchant_id = $1 and role = 'merchant_owner'`, [
        other.id,
      ]);
      for (const what of [{ role: 'merchant' as const }, { disabled: true }, { withdraw: true }])
        expect(await change(await sessionOf(self), self, what)).toBe('last_owner');
      // Owners who are disabled or have not accepted their invitation do not count. The person is therefore still the
      // last owner.
      await makePerson(other.id, 'merchant_owner', { accepted: false });
      const shut = await makePerson(other.id, 'merchant_owner');
      expect(await change(await sessionOf(self), shut.id, { disabled: true })).toBe('changed');
      expect(await change(await sessionOf(self), self, { disabled: true })).toBe('last_owner');

      const second = await makePerson(main.id, 'merchant');
      await giveAccess(second.id, other.id, 'merchant_owner');
      const [one, two] = [await sessionOf(self), await sessionOf(second.id, { asked: other.id })];
      const outcomes = await Promise.allSettled([
        change(one, second.id, { role: 'merchant' }),
        change(two, self, { role: 'merchant' }),
      ]);
      // Only one of the two calls succeeds. It demotes the caller of the other call, who is then no longer an owner and
      // can change nothing.
      const changed = outcomes.filter(
        (outcome) => outcome.status === 'fulfilled' && outcome.value === 'changed',
      );
      expect(changed).toHaveLength(1);
      const left = await database.rows(
        `select from profile where id = $1 and role = 'merchant_owner'
       union all select from merchant_access where merchant_id = $2 and role = 'merchant_owner'`,
        [self, other.id],
      );
      expect(left).toHaveLength(1);
    });
  });

  it.each([
    ['disables', { disabled: true }],
    ['demotes', { role: 'merchant' as const }],
    ['withdraws', { withdraw: true }],
  ])('rejects the change of an owner whom another owner %s while the change waits', async (_what, first) => {
    const [one, two] = [
      await makePerson(main.id, 'merchant_owner'),
      await makePerson(main.id, 'merchant_owner'),
    ];
    const [by, rival] = [await sessionOf(one.id), await sessionOf(two.id)];
    let second: Promise<unknown> | undefined;
    await api.write(by, async (trx) => {
      const changed = { role: null, disabled: null, withdraw: false, ...first };
      expect(await trx.rows(changeTeamMember(two.id, changed))).toMatchObject([{ outcome: 'changed' }]);
      second = change(rival, one.id, { disabled: true }).catch((error: unknown) => error);
      await waitForLock('update_team_member');
    });
    expect(await second).toMatchObject({ code: 'PA403' });
    expect(await scopeOf(by)).toEqual([main.id, 'merchant_owner']);
  });

  describe('list_team_members', () => {
    const listFor = async (caller: Requester, text: string) =>
      api.read(caller, (trx) =>
        trx.rows<TeamMember>(listTeamMembers({ roles: null, state: null, text }, 10, 0, null)),
      );

    it('shows people of other merchants only with the name that this merchant gave and the dates of their access', async () => {
      const person = await makePerson(other.id, 'merchant');
      await database.rows(
        `update profile set name = 'Elsewhere', activated_at = '2020-01-01' where id = $1`,
        [person.id],
      );
      await giveAccess(person.id, main.id, 'merchant');
      const caller = await sessionOf(people.merchant_owner.id);
      const [unnamed] = await listFor(caller, person.email);
      expect(unnamed).toMatchObject({ name: null, is_home: false, state: 'active', disabled_at: null });
      expect(unnamed?.accepted_at).toEqual(unnamed?.invited_at);
      expect(await listFor(caller, 'Elsewhere')).toEqual([]);
      await database.rows(`update merchant_access set name = 'Ann Lee' where profile_id = $1`, [person.id]);
      await database.rows('update profile set disabled_at = now() where id = $1', [person.id]);
      expect(await listFor(caller, 'ann lee')).toMatchObject([
        { profile_id: person.id, name: 'Ann Lee', state: 'active', disabled_at: null },
      ]);
    });

    it('returns nothing to callers other than owners and admins', async () => {
      for (const { id } of [people.merchant, people.merchant_selection])
        expect(await listFor(await sessionOf(id), '')).toEqual([]);
      expect(await listFor(await sessionOf(people.admin.id, { asked: main.id }), '')).not.toEqual([]);
    });
  });

  describe('a mail', () => {
    /** Queues one mail in a new batch of this merchant, and returns the mail as the worker claims it. */
    const claim = async (merchantId: string, profileId: string, interviewId: string | null = null) => {
      const [batch] = await database.rows<{ id: string }>(
        `with batch as (
         insert into invitation_batch (merchant_id, environment, platform_language_code)
         values ($1, 'production', 'en') returning id
       ), enrolled as (
         insert into enrolment (merchant_id, environment, interview_id, profile_id, email, email_key)
         select $1, i.environment, i.id, $2, $2::uuid || '@example.com', $2::uuid || '@example.com'
         from interview i where i.id = $3 returning id
       )
       insert into mail (merchant_id, environment, batch_id, kind, profile_id, enrolment_id)
       select $1, 'production', batch.id,
         case when enrolled.id is null then 'team_invitation' else 'candidate_invitation' end, $2, enrolled.id
       from batch left join enrolled on true returning batch_id as id`,
        [merchantId, profileId, interviewId],
      );
      const mails = await worker.writeAsWorker((trx) =>
        trx.rows<ClaimedMail>(claimMails(batch?.id ?? '', 5)),
      );
      expect(mails).toHaveLength(1);
      return mails[0];
    };

    it('uses the name that its own merchant gave the person, and never that of another merchant', async () => {
      const person = await makePerson(other.id, 'user', { accepted: false });
      await database.rows(`update profile set name = 'Win a prize' where id = $1`, [person.id]);
      await giveAccess(person.id, main.id, 'merchant');
      expect(await claim(main.id, person.id)).toMatchObject({ name: null });
      expect(await claim(other.id, person.id)).toMatchObject({ name: 'Win a prize' });
      await database.rows(`update merchant_access set name = 'Ann Lee' where profile_id = $1`, [person.id]);
      expect(await claim(main.id, person.id)).toMatchObject({ name: 'Ann Lee' });
    });

    it.each([
      ['disabled', 'update profile set home_disabled_at = now() where id = $1'],
      ['removed', 'update profile set home_withdrawn_at = now() where id = $1'],
      ['disabled by the platform', 'update profile set disabled_at = now() where id = $1'],
    ])('names the recruiter unless the recruiter was %s', async (_what, statement) => {
      const recruiter = await makePerson(main.id, 'merchant');
      const candidate = await makePerson(main.id, 'candidate');
      const late = await makePerson(main.id, 'candidate');
      const [interview] = await database.rows<{ id: string }>(
        `update interview set recruiter_profile_id = $2
       where id = (
         select i.id from interview i where i.merchant_id = $1 and i.environment = 'production'
           and not exists (select from position_step s where s.interview_id = i.id) limit 1
       ) returning id`,
        [main.id, recruiter.id],
      );
      const id = interview?.id ?? '';
      expect(await claim(main.id, candidate.id, id)).toMatchObject({
        enrolment: { recruiter_email: recruiter.email },
      });
      await database.rows(statement, [recruiter.id]);
      expect(await claim(main.id, late.id, id)).toMatchObject({
        enrolment: { recruiter_name: null, recruiter_email: null },
      });
    });
  });
});

describe('invite withdrawn', () => {
  useTeamDatabase();

  /*
   * Tests how people accept invitations, and how people are invited again after an owner withdrew them
   * (docs/identity.md#changing-the-team).
   */

  const owner = () => sessionOf(people.merchant_owner.id);

  describe('a colleague who was withdrawn', () => {
    it('is a full member with role, home and sessions again after an owner’s invitation', async () => {
      const person = await makePerson(main.id, 'merchant_selection');
      expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
      expect(await invite(await owner(), person, 'merchant')).toMatchObject({
        code: 'invited',
        profile_id: person.id,
        mail: { kind: 'team_invitation' },
      });
      expect(await placesOf(person.id)).toEqual({
        home: { merchant_id: main.id, role: 'merchant', is_active: true, is_withdrawn: false },
        access: [],
      });
      const caller = await owner();
      const read = await api.read(caller, async (trx) => ({
        members: await trx.rows(
          listTeamMembers({ roles: null, state: null, text: person.email }, 10, 0, null),
        ),
        colleagues: await trx.rows(listColleagues(1_000)),
        references: await trx.rows(checkReferences(null, null, person.id)),
      }));
      expect(read.members).toMatchObject([{ is_home: true, state: 'active', name: 'New name' }]);
      expect(read.colleagues).toContainEqual(expect.objectContaining({ id: person.id }));
      expect(read.references).toMatchObject([{ recruiter_known: true }]);

      const own = await sessionOf(person.id);
      expect(await scopeOf(own)).toEqual([main.id, 'merchant']);
      const [opened] = await api.write(caller, (trx) =>
        trx.rows(insertSession(person.id, 'For a colleague', Buffer.from(person.id))),
      );
      const seen = await api.read(caller, (trx) => trx.rows<OpenSession>(listSessions(1_000)));
      const ids = seen.filter(({ profile_id }) => profile_id === person.id).map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set([own.sessionId, opened?.session_id]));
      expect(await api.write(caller, (trx) => trx.rows(revokeSession(own.sessionId)))).toEqual([
        { is_revoked: true },
      ]);
    });

    it.each([
      ['home', 'invited'],
      ['access', 'sub_merchant_added'],
    ])('can be invited again by owners and admins only (withdrawn from the %s)', async (where, code) => {
      const person = await makePerson(where === 'home' ? main.id : other.id, 'merchant');
      if (where === 'access') await giveAccess(person.id, main.id, 'merchant');
      expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
      const before = await placesOf(person.id);
      const recruiter = await sessionOf(people.merchant.id);
      expect(await invite(recruiter, person, 'merchant', false)).toMatchObject({
        result: 'Error: An owner withdrew this person, so only an owner can invite the person again.',
        code: 'owner_required',
        profile_id: null,
      });
      expect(await placesOf(person.id)).toEqual(before);
      const admin = await sessionOf(people.admin.id, { asked: main.id });
      expect(await invite(admin, person, 'merchant')).toMatchObject({ code });
      expect(await scopeOf(await sessionOf(person.id, { asked: main.id }))).toEqual([main.id, 'merchant']);
      // The person belongs to the merchant again, so every further invitation finds an active account.
      expect(await invite(recruiter, person, 'merchant', false)).toMatchObject({ code: 'activated' });
    });
  });

  describe('accepting an invitation', () => {
    it('moves the home of an account that was never accepted to that merchant', async () => {
      const person = await makePerson(other.id, 'user', { accepted: false });
      await giveAccess(person.id, main.id, 'merchant_owner');
      expect(await accept(person.id, main.id)).toBe(true);
      expect(await placesOf(person.id)).toEqual({
        home: { merchant_id: main.id, role: 'merchant_owner', is_active: true, is_withdrawn: false },
        access: [{ merchant_id: other.id, role: 'user' }],
      });
      // Only the first acceptance changes the person's home merchant. At the second acceptance, the account is already
      // active.
      expect(await accept(person.id, other.id)).toBe(false);
      expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id });
    });

    it('gives the profile the name of the accepted merchant, and leaves the other name to the merchant that gave it', async () => {
      const person = await makePerson(other.id, 'user', { accepted: false });
      await database.rows('update profile set name = $2 where id = $1', [person.id, 'Win a prize']);
      await giveAccess(person.id, main.id, 'merchant', 'Ada Low');
      await accept(person.id, main.id);
      const names = await database.rows(
        `select p.name, a.name as name_elsewhere from profile p join merchant_access a on a.profile_id = p.id
       where p.id = $1`,
        [person.id],
      );
      expect(names).toEqual([{ name: 'Ada Low', name_elsewhere: 'Win a prize' }]);
    });

    it('works when the first merchant has named the person as a recruiter', async () => {
      const person = await makePerson(other.id, 'merchant', { accepted: false });
      const named = await database.rows(
        `update interview set recruiter_profile_id = $2 where merchant_id = $1 returning id`,
        [other.id, person.id],
      );
      expect(named).not.toEqual([]);
      await giveAccess(person.id, main.id, 'merchant_selection');
      expect(await accept(person.id, main.id)).toBe(true);
      expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id });
    });

    it('fails for a merchant that did not invite or withdrew, and where the person is disabled', async () => {
      const person = await makePerson(other.id, 'user', { accepted: false });
      expect(await accept(person.id, main.id)).toBe(false);
      await database.rows('update profile set home_disabled_at = now() where id = $1', [person.id]);
      expect(await accept(person.id, other.id)).toBe(false);
      await database.rows(
        'update profile set home_disabled_at = null, home_withdrawn_at = now() where id = $1',
        [person.id],
      );
      expect(await accept(person.id, other.id)).toBe(false);
      await giveAccess(person.id, main.id, 'merchant');
      await database.rows('update merchant_access set disabled_at = now() where profile_id = $1', [
        person.id,
      ]);
      expect(await accept(person.id, main.id)).toBe(false);
      expect((await placesOf(person.id)).home).toMatchObject({ is_active: false });
    });
  });

  describe('an invitation that was withdrawn', () => {
    it.each(['home', 'access'])(
      'leaves its links invalid after the next invitation (to the %s of a new account)',
      async (where) => {
        const person = await makePerson(where === 'home' ? main.id : other.id, 'merchant', {
          accepted: false,
        });
        if (where === 'access') await giveAccess(person.id, main.id, 'merchant');
        for (const generation of [1, 2]) {
          expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
          expect(await accept(person.id, main.id, generation)).toBe(false);
          await invite(await owner(), person, 'merchant');
          expect(await accept(person.id, main.id, generation - 1)).toBe(false);
        }
        expect(await accept(person.id, main.id, 2)).toBe(true);
        expect((await placesOf(person.id)).home).toMatchObject({ merchant_id: main.id, is_active: true });
      },
    );

    it('ends no link of another merchant', async () => {
      const person = await makePerson(main.id, 'merchant', { accepted: false });
      await giveAccess(person.id, other.id, 'merchant');
      expect(await change(await owner(), person.id, { withdraw: true })).toBe('changed');
      expect(await accept(person.id, other.id)).toBe(true);
    });
  });

  it('lets people of other merchants be recruiters while this merchant gives them access', async () => {
    const person = await makePerson(other.id, 'merchant_selection');
    const isRecruiter = async () => {
      const [row] = await api.read(await owner(), (trx) => trx.rows(checkReferences(null, null, person.id)));
      return row?.recruiter_known;
    };
    expect(await isRecruiter()).toBe(false);
    await giveAccess(person.id, main.id, 'merchant');
    expect(await isRecruiter()).toBe(true);
    await database.rows(`update merchant_access set role = 'merchant_selection' where profile_id = $1`, [
      person.id,
    ]);
    expect(await isRecruiter()).toBe(false);
  });
});
