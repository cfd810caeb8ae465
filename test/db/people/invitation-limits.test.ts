import { countAccountInvitations, lockInvitations } from '../../../db/people/invitation-limits';
import type { Requester } from '../../../db/platform/database';
import type { Environment } from '../../../db/platform/vocabulary';
import { api, database, main, makePerson, other, sessionOf, useTeamDatabase } from '../identity/team-fixture';
import type { Person } from '../identity/team-fixture';

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
    const rows = await trx.rows(lockInvitations([email, 'nobody@example.com']));
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
    for (const kind of ['reminder', 'final_reminder', 'submit_reminder']) await insertMail(person, { kind });
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
