import { listSessions, revokeSession } from '../../../db/identity/access';
import type { OpenSession } from '../../../db/identity/access';
import { changeTeamMember, listTeamMembers } from '../../../db/identity/team';
import type { TeamMember, TeamOutcome } from '../../../db/identity/team';
import { claimMails } from '../../../db/people/mails';
import type { ClaimedMail } from '../../../db/people/mails';
import type { Requester } from '../../../db/platform/database';
import { people } from '../../../local/seed/accounts';
import {
  database,
  api,
  worker,
  main,
  other,
  makePerson,
  giveAccess,
  placesOf,
  accept,
  sessionOf,
  scopeOf,
  change,
  sub,
  refused,
  waitForLock,
  useTeamDatabase,
} from './team-fixture';

useTeamDatabase();

describe('update_team_member', () => {
  const owner = () => sessionOf(people.merchant_owner.id);
  const isAlive = async ({ sessionId }: { sessionId: string }) =>
    (await database.rows('select from session where id = $1 and revoked_at is null', [sessionId])).length ===
    1;

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
      trx.rows<TeamOutcome>(changeTeamMember(opener.id, { role: null, disabled: null, withdraw: true })),
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
      trx.rows<TeamMember>(listTeamMembers({ roles: null, state: null, text }, 10, 0)),
    );

  it('shows people of other merchants only with the name that this merchant gave and the dates of their access', async () => {
    const person = await makePerson(other.id, 'merchant');
    await database.rows(`update profile set name = 'Elsewhere', activated_at = '2020-01-01' where id = $1`, [
      person.id,
    ]);
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
    const mails = await worker.writeAsWorker((trx) => trx.rows<ClaimedMail>(claimMails(batch?.id ?? '', 5)));
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
