import { randomUUID } from 'node:crypto';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { eachRow } from '../../harness/each-row';
import { peopleCalls, cloneInterview, enrolmentsOf, makePosition } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
});

describe('accounts', () => {
  const accountTypes = ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor'] as const;
  const coaching = new Set<string>(['user', 'mentor']);
  const addedAs = (type: string) => (coaching.has(type) ? 'CoachingAccessAdded' : 'SubMerchantAdded');
  const inviteOne = async (user: unknown, more: Record<string, unknown> = {}, token?: string) =>
    (await calls.invite([user], more, token === undefined ? {} : { token }))[0];
  const resultOf = async (...call: Parameters<typeof inviteOne>) => (await inviteOne(...call))?.result;
  const accountOf = async (email: string) =>
    (
      await platform.database.rows(
        `select id, merchant_id, role, name, email, platform_language_code, activated_at from profile
       where lower(email) = lower($1) and role <> 'candidate'`,
        [email],
      )
    )[0];
  const mailsFor = (email: string) =>
    platform.database.rows<{ id: string; kind: string }>(
      `select m.id, m.kind from mail m join profile p on p.id = m.profile_id where lower(p.email) = lower($1)
     order by m.created_at`,
      [email],
    );
  const activate = (email: string) =>
    platform.database.rows('update profile set activated_at = now() where lower(email) = lower($1)', [email]);

  describe('invite-users', () => {
    it('stores a pending account and one mail for each type', async () => {
      const users = accountTypes.map((type) => ({ email: `new-${type}@example.com`, type }));
      await calls.invite(users);
      for (const { email, type } of users) {
        expect(await accountOf(email)).toMatchObject({ role: type, activated_at: null });
        expect(await mailsFor(email)).toMatchObject([
          { kind: coaching.has(type) ? 'coaching_invitation' : 'team_invitation' },
        ]);
      }
    });
  });

  describe('invite-users, the member of a team', () => {
    const [type, email, kind] = ['merchant', 'first@example.com', 'team_invitation'];

    it('returns Invited for a new person, with a pending account here and one mail', async () => {
      const row = await inviteOne({ email, name: 'Newcomer', type });
      const account = await accountOf(email);
      expect(row).toEqual({
        email,
        name: 'Newcomer',
        type,
        interview_id: null,
        result: 'Invited',
        code: 'invited',
        profile_id: account?.['id'],
        profile_interview_id: null,
      });
      expect(account).toMatchObject({
        merchant_id: merchants.main.id,
        role: type,
        activated_at: null,
        platform_language_code: 'en',
      });
      expect(await mailsFor(email)).toMatchObject([{ kind }]);
    });

    it('returns Skipped for a pending person, and mails again with force_invite', async () => {
      const { profile_id } = (await inviteOne({ email: email.toUpperCase(), type })) ?? {};
      expect(profile_id).toBe((await accountOf(email))?.['id']);
      expect(await resultOf({ email, type })).toBe('Skipped');
      expect(await mailsFor(email)).toHaveLength(1);
      expect(await resultOf({ email, type }, { force_invite: true })).toBe('Invited');
      expect(await mailsFor(email)).toMatchObject([{ kind }, { kind }]);
    });

    it('returns Skipped for a pending person of another type, and an error with force_invite', async () => {
      const other = 'mentor';
      const [before, mails] = [await accountOf(email), await mailsFor(email)];
      expect(await resultOf({ email, type: other })).toBe('Skipped');
      expect(await resultOf({ email, type: other }, { force_invite: true })).toBe(
        `Error: This person was already invited as ${type}. An invitation cannot change a role.`,
      );
      expect([await accountOf(email), await mailsFor(email)]).toEqual([before, mails]);
    });

    // All types that get a team invitation behave like `merchant`, and all types that get a coaching invitation like `user`.
    it('gets access here if the person belongs to another merchant, and the account stays unchanged', () =>
      eachRow(
        [
          ['pending', 'merchant', 'team_invitation'],
          ['active', 'user', 'coaching_invitation'],
        ],
        async (state, type, kind) => {
          const elsewhere = `${state}-elsewhere-${type}@example.com`;
          const key = platform.stack.service_key;
          expect(
            await resultOf({ email: elsewhere, type: 'merchant' }, { merchant_id: merchants.other.id }, key),
          ).toBe('Invited');
          if (state === 'active') await activate(elsewhere);
          const before = await accountOf(elsewhere);
          expect(await inviteOne({ email: elsewhere, type })).toMatchObject({
            result: addedAs(type),
            profile_id: before?.['id'],
          });
          expect(await accountOf(elsewhere)).toEqual(before);
          expect((await mailsFor(elsewhere)).map((mail) => mail.kind)).toEqual(['team_invitation', kind]);
          const [access] = await platform.database.rows(
            'select merchant_id, role from merchant_access where profile_id = $1',
            [before?.['id']],
          );
          expect(access).toEqual({ merchant_id: merchants.main.id, role: type });
          expect(await resultOf({ email: elsewhere, type })).toBe(
            state === 'active' ? 'Activated' : 'Skipped',
          );
        },
      ));
  });

  describe('invite-users, a row', () => {
    it('about the same person is Skipped the second time, whatever its type and case', async () => {
      const rows = await calls.invite(
        [
          { email: 'twin@example.com', type: 'merchant' },
          { email: 'TWIN@example.com', type: 'user' },
          { email: 'twin@example.com', type: 'candidate', interview_id: interviewId('active') },
        ],
        { force_invite: true },
      );
      expect(rows.map(({ result }) => result)).toEqual(['Invited', 'Skipped', 'Invited']);
      expect(await accountOf('twin@example.com')).toMatchObject({ role: 'merchant' });
    });

    it('about a disabled account returns an error without a mail', async () => {
      await resultOf({ email: 'gone@example.com' });
      await platform.database.rows(`update profile set disabled_at = now() where email = 'gone@example.com'`);
      expect(await inviteOne({ email: 'gone@example.com' }, { force_invite: true })).toMatchObject({
        code: 'account_disabled',
        profile_id: null,
      });
      expect(await mailsFor('gone@example.com')).toHaveLength(1);
    });

    it('about a platform admin or a disabled person of another merchant returns the same error without access, mail and id', async () => {
      const shut = people.other_merchant;
      await platform.database.rows('update profile set disabled_at = now() where id = $1', [shut.id]);
      const refused = [people.admin, shut];
      const rows = await calls.invite(refused.map(({ email }) => ({ email, type: 'merchant' })));
      expect(rows.map(({ result, profile_id }) => [result, profile_id])).toEqual(
        refused.map(() => ['Error: This person cannot be invited.', null]),
      );
      const ids = refused.map(({ id }) => id);
      expect(
        await platform.database.rows(
          `select from merchant_access where profile_id = any ($1)
           union all select from mail where profile_id = any ($1)`,
          [ids],
        ),
      ).toEqual([]);
    });
  });

  describe('invite-users, callers', () => {
    const owner = { email: 'boss@example.com', type: 'merchant_owner' };

    it('returns an error when a recruiter invites an owner, and invites the next row', async () => {
      const rows = await calls.invite(
        [owner, { email: 'next@example.com' }],
        {},
        { token: platform.stack.tokens.merchant },
      );
      expect(rows.map(({ result }) => result)).toEqual([
        'Error: Only an owner can invite a merchant_owner.',
        'Invited',
      ]);
      expect(await accountOf(owner.email)).toBeUndefined();
    });

    it('lets owners and admins invite owners, but no service key', async () => {
      const { tokens, merchant_service_key, service_key } = platform.stack;
      const more = { merchant_id: merchants.main.id };
      const refused = 'Error: Only an owner can invite a merchant_owner.';
      for (const [place, [token, expected]] of [
        [tokens.merchant_owner, 'Invited'],
        [tokens.admin, 'Invited'],
        [merchant_service_key, refused],
        [service_key, refused],
      ].entries()) {
        const users = ['merchant', 'merchant_owner'].map((type) => ({
          email: `${type}.${place}@by.example`,
          type,
        }));
        const rows = await calls.invite(users, more, { token: token ?? '' });
        expect(rows.map(({ result }) => result)).toEqual(['Invited', expected]);
      }
    });
  });
});

describe('candidates', () => {
  let interview: string;
  beforeEach(async () => {
    interview = await cloneInterview(platform.database);
  });

  const noneLeft = 'Error: No invitations left in this period';
  const candidate = (email: string, more: Record<string, unknown> = {}) => ({
    email,
    type: 'candidate',
    interview_id: interview,
    ...more,
  });
  const inviteOne = async (user: unknown, more: Record<string, unknown> = {}) =>
    (await calls.invite([user], more))[0];
  const sent = async () => Number((await calls.status())['invitations_sent']);
  const mailsOf = (enrolmentId: string | undefined) =>
    platform.database.rows(
      `select m.kind, b.platform_language_code as language, b.message_from_recruiter as message, b.hide_menu, b.hide_iframe, b.is_test
     from mail m join invitation_batch b on b.id = m.batch_id where m.enrolment_id = $1 order by m.created_at`,
      [enrolmentId],
    );
  const begin = (enrolmentId: string | undefined, is_test = false) =>
    platform.database.rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, is_test)
     select merchant_id, environment, interview_id, id, 'started', $2 from enrolment where id = $1`,
      [enrolmentId, is_test],
    );
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  describe('invite-users, a candidate', () => {
    it('returns Invited for a new one, who is enrolled and mailed and counts in the budget', async () => {
      const before = await sent();
      const row = await inviteOne(candidate('New@example.com', { name: 'Ann' }), {
        platform_language_code: 'fr',
        message_from_recruiter: '  Bonjour  ',
      });
      const [enrolment] = await enrolmentsOf(platform.database, interview);
      expect(row).toEqual({
        email: 'New@example.com',
        name: 'Ann',
        type: 'candidate',
        interview_id: interview,
        result: 'Invited',
        code: 'invited',
        profile_id: enrolment?.profile_id,
        profile_interview_id: enrolment?.id,
      });
      expect(enrolment).toMatchObject({ email: 'New@example.com', name: 'Ann', is_invited: true });
      expect(await mailsOf(enrolment?.id)).toEqual([
        {
          kind: 'candidate_invitation',
          language: 'fr',
          message: 'Bonjour',
          hide_menu: false,
          hide_iframe: false,
          is_test: false,
        },
      ]);
      const [profile] = await platform.database.rows(
        'select role, platform_language_code, merchant_id from profile where id = $1',
        [enrolment?.profile_id],
      );
      expect(profile).toEqual({
        role: 'candidate',
        platform_language_code: 'fr',
        merchant_id: merchants.main.id,
      });
      expect(await sent()).toBe(before + 1);
    });

    it('returns Skipped for an invited one who has not begun, and Invited again with force_invite', async () => {
      const first = await inviteOne(candidate('again@example.com'));
      const before = await sent();
      expect(await inviteOne(candidate('AGAIN@example.com'))).toMatchObject({
        result: 'Skipped',
        code: 'skipped',
        profile_id: first?.profile_id,
        profile_interview_id: first?.profile_interview_id,
      });
      expect(await sent()).toBe(before);
      expect(await inviteOne(candidate('again@example.com'), { force_invite: true })).toMatchObject({
        result: 'Invited',
      });
      expect(await sent()).toBe(before + 1);
      expect(await mailsOf(first?.profile_interview_id ?? '')).toHaveLength(2);
    });

    it('returns Invited for one who was registered without a mail, and keeps what was registered', async () => {
      await calls.register([{ email: 'known@example.com', name: 'Ann', external_id: 'x', phone: '1' }], {
        interview_id: interview,
      });
      expect(await inviteOne(candidate('known@example.com'))).toMatchObject({ result: 'Invited' });
      expect(await enrolmentsOf(platform.database, interview)).toEqual([
        expect.objectContaining({ name: 'Ann', external_id: 'x', phone: '1', is_invited: true }),
      ]);
    });

    it('returns Activated for one who has begun, also with force_invite, but not after a test', async () => {
      const row = await inviteOne(candidate('begun@example.com'));
      await begin(row?.profile_interview_id ?? '', true);
      expect(await inviteOne(candidate('begun@example.com'))).toMatchObject({ result: 'Skipped' });
      await begin(row?.profile_interview_id ?? '');
      const before = await sent();
      for (const force_invite of [false, true])
        expect(await inviteOne(candidate('begun@example.com'), { force_invite })).toMatchObject({
          result: 'Activated',
          profile_interview_id: row?.profile_interview_id,
        });
      expect([await sent(), (await mailsOf(row?.profile_interview_id ?? '')).length]).toEqual([before, 1]);
    });

    it('returns Skipped for the second row of a call, but Invited for another interview', async () => {
      const other = await cloneInterview(platform.database);
      const rows = await calls.invite([
        candidate('two@example.com'),
        candidate('TWO@example.com'),
        candidate('two@example.com', { interview_id: other }),
      ]);
      expect(rows.map(({ result }) => result)).toEqual(['Invited', 'Skipped', 'Invited']);
      expect(rows[2]?.profile_id).toBe(rows[0]?.profile_id);
      for (const { profile_interview_id } of [rows[0], rows[2]].flatMap((row) => row ?? []))
        expect(await mailsOf(profile_interview_id ?? '')).toHaveLength(1);
    });

    it('returns an error for the row of an interview that is not open, without counting it in the budget', async () => {
      const at = (changes: Record<string, unknown>) => cloneInterview(platform.database, changes);
      const before = await sent();
      const refused: [string, string][] = [
        [randomUUID(), 'interview_id does not name an interview or position.'],
        [interviewId('other'), 'interview_id does not name an interview or position.'],
        [interviewId('uat'), 'interview_id does not name an interview or position.'],
        [positionIds.other, 'interview_id does not name an interview or position.'],
        [await at({ status: 'deleted' }), 'interview_id does not name an interview or position.'],
        [
          await at({ status: 'archived' }),
          'interview_id accepts no candidates: the interview or its position is archived.',
        ],
        [
          await at({ status: 'completed' }),
          'interview_id accepts no candidates: the interview or its position is completed.',
        ],
        [
          await at({ interview_available_till: day(-1) }),
          'interview_id accepts no candidates: the interview is past its end.',
        ],
        [
          await makePosition(platform.database, []),
          'interview_id accepts no candidates: the position has no interviews.',
        ],
      ];
      const rows = await calls.invite([
        ...refused.map(([interview_id]) => candidate('no@example.com', { interview_id })),
        candidate('draft@example.com', { interview_id: await at({ status: 'draft' }) }),
        candidate('yes@example.com'),
      ]);
      expect(rows.map(({ result }) => result)).toEqual([
        ...refused.map(([, error]) => `Error: ${error}`),
        'Invited',
        'Invited',
      ]);
      expect(rows[0]).toMatchObject({ profile_id: null, profile_interview_id: null });
      const codes = new Set(rows.slice(0, refused.length).map(({ code }) => code));
      expect([...codes].toSorted((a, b) => a.localeCompare(b))).toEqual(['interview_closed', 'unknown_id']);
      expect(await sent()).toBe(before + 2);
    });
  });

  describe('invite-users, the budget', () => {
    const setSent = (count: number) =>
      platform.database.rows('update credit_account set invitations_sent = $2 where merchant_id = $1', [
        merchants.main.id,
        count,
      ]);
    const limit = Math.floor(4 * (120 + 12 + 30.5));

    it('limits candidates in their order, and neither team nor coaching', async () => {
      await setSent(limit - 2);
      const rows = await calls.invite([
        candidate('b1@example.com'),
        { email: 'team@example.com', type: 'merchant' },
        candidate('b2@example.com'),
        candidate('b3@example.com'),
        { email: 'learner@example.com', type: 'user' },
        candidate('wrong'),
      ]);
      expect(rows.map(({ result }) => result)).toEqual([
        'Invited',
        'Invited',
        'Invited',
        noneLeft,
        'Invited',
        expect.stringMatching(/^Error: email/),
      ]);
      expect(rows[3]).toMatchObject({ profile_id: null, profile_interview_id: null });
      expect((await enrolmentsOf(platform.database, interview)).map(({ email }) => email)).toEqual([
        'b1@example.com',
        'b2@example.com',
      ]);
      expect(await calls.status()).toMatchObject({
        invitations_sent: limit,
        invitations_limit: limit,
        invitations_available: 0,
      });
    });
  });
});

describe('invitation rows', () => {
  let interview: string;
  beforeEach(async () => {
    interview = await cloneInterview(platform.database);
    await platform.database.rows('delete from invitation');
    await platform.database.rows('update credit_account set invitations_sent = 0');
  });

  const recorded = () =>
    platform.database.rows(
      `select type, result, channel, interview_id, enrolment_id is not null as is_enrolled, is_test,
       expires_at > now() as expires, language
     from invitation order by id`,
    );

  describe('the rows that reports count', () => {
    it('have the outcome of each registered candidate, and no address', async () => {
      await calls.register([{ email: 'one@example.com' }, { email: 'no address' }], {
        interview_id: interview,
        is_test: true,
      });
      const row = {
        type: 'candidate',
        channel: 'link',
        interview_id: interview,
        is_test: true,
        language: 'en',
      };
      expect(await recorded()).toEqual([
        { ...row, result: 'invited', is_enrolled: true, expires: true },
        { ...row, result: 'error', is_enrolled: false, expires: null },
      ]);
      const [all] = await platform.database.rows<{ text: string }>(
        'select string_agg(v::text, $$ $$) as text from invitation v',
      );
      expect(all?.text).not.toContain('example.com');
      const [enrolled] = await platform.database.rows(
        'select source from enrolment where interview_id = $1',
        [interview],
      );
      expect(enrolled).toEqual({ source: 'registered' });
    });

    it('have the outcome of each invited person', async () => {
      await calls.invite([
        { email: 'two@example.com', type: 'candidate', interview_id: interview },
        { email: 'two@example.com', type: 'candidate', interview_id: interview },
        { email: `${randomUUID()}@example.com`, type: 'merchant' },
        { email: 'three@example.com', type: 'candidate', interview_id: randomUUID() },
        { email: 'four@example.com', type: 'nobody' },
        'no row',
        null,
      ]);
      const rows = await recorded();
      expect(rows.map(({ type, result }) => [type, result])).toEqual([
        ['candidate', 'invited'],
        ['candidate', 'skipped'],
        ['merchant', 'invited'],
        ['candidate', 'error'],
      ]);
      expect(rows[0]).toMatchObject({
        channel: 'email',
        interview_id: interview,
        is_enrolled: true,
        expires: true,
      });
      const [enrolled] = await platform.database.rows(
        'select source from enrolment where interview_id = $1',
        [interview],
      );
      expect(enrolled).toEqual({ source: 'invited' });
    });
  });
});
