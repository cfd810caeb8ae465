import { randomUUID } from 'node:crypto';
import { merchants } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { cloneInterview, enrolmentsOf, makePosition, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
let interview: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});
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

  it('returns Skipped for one whom job-interview-register-users has invited', async () => {
    await calls.register([{ email: 'known@example.com' }], { interview_id: interview, send_email: true });
    expect(await inviteOne(candidate('known@example.com'))).toMatchObject({ result: 'Skipped' });
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

  it('enrolls a candidate of a position at its first step', async () => {
    const position = await makePosition(platform.database, [interview]);
    const row = await inviteOne(candidate('pos@example.com', { interview_id: position.toUpperCase() }));
    expect(row).toMatchObject({ result: 'Invited', interview_id: position });
    expect(await enrolmentsOf(platform.database, position)).toEqual([
      expect.objectContaining({ position_id: position, interview_id: interview }),
    ]);
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
      [await at({ status: 'archived' }), 'interview_id accepts no candidates: the interview is archived.'],
      [await at({ status: 'completed' }), 'interview_id accepts no candidates: the interview is completed.'],
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

  it('still returns Skipped for invited ones when it is used up, also with force_invite', async () => {
    await setSent(0);
    await inviteOne(candidate('was@example.com'));
    await setSent(limit + 5);
    const rows = await calls.invite([candidate('was@example.com'), candidate('is@example.com')]);
    expect(rows.map(({ result }) => result)).toEqual(['Skipped', noneLeft]);
    expect(await inviteOne(candidate('was@example.com'), { force_invite: true })).toMatchObject({
      result: noneLeft,
    });
    expect(await calls.status()).toMatchObject({ invitations_sent: limit + 5, invitations_available: 0 });
  });

  it('does not exist in the plan Special', async () => {
    await platform.database.rows(`update credit_account set plan = 'Special' where merchant_id = $1`, [
      merchants.main.id,
    ]);
    await setSent(100_000);
    expect(await inviteOne(candidate('special@example.com'))).toMatchObject({ result: 'Invited' });
    expect(await calls.status()).toMatchObject({
      invitations_sent: 100_001,
      invitations_limit: null,
      invitations_available: null,
    });
    await platform.database.rows(`update credit_account set plan = 'Growth' where merchant_id = $1`, [
      merchants.main.id,
    ]);
  });

  it('starts again with the period', async () => {
    await setSent(limit);
    await platform.database.rows('update credit_account set period_ends_at = now() where merchant_id = $1', [
      merchants.main.id,
    ]);
    expect(await inviteOne(candidate('renewed@example.com'))).toMatchObject({ result: 'Invited' });
    expect(await calls.status()).toMatchObject({ invitations_sent: 1 });
  });
});
