import { merchants } from '../../../local/seed/accounts';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
let development: string;
beforeAll(async () => {
  platform = await openOperations({ accountInvitationsPerDay: 12 });
  calls = peopleCalls(platform);
  development = (await signIn(platform, 'merchant_owner', 'development')).access_token;
});

const mails = async (environment: string) =>
  (await platform.database.rows('select from mail where environment = $1', [environment])).length;

describe('account invitations in production', () => {
  it('are limited to five mails to one person in 24 hours, and the sixth row is an error', async () => {
    const user = { email: 'often@example.com', type: 'merchant' };
    const results = [];
    for (let time = 0; time < 6; time++)
      results.push((await calls.invite([user], { force_invite: true }))[0]);
    expect(results.map((row) => row?.result)).toEqual([
      ...Array<string>(5).fill('Invited'),
      expect.stringMatching(/^Error: This person got 5 invitations/),
    ]);
    expect(results[5]).toMatchObject({ code: 'invitation_limit_reached' });
    await platform.database.rows(`update mail set created_at = created_at - interval '25 hours'`);
    expect((await calls.invite([user], { force_invite: true }))[0]?.result).toBe('Invited');
  });

  it('are limited to the number a day that the deployment allows, for each merchant', async () => {
    const many = Array.from({ length: 14 }, (_, index) => ({
      email: `many${index}@example.com`,
      type: 'user',
    }));
    const rows = await calls.invite(many);
    const refused = rows.filter(({ result }) =>
      result.startsWith('Error: This merchant sent 12 team and coaching invitations'),
    );
    expect(refused.length).toBe(3);
    expect(await platform.database.rows(`select from profile where email = 'many13@example.com'`)).toEqual(
      [],
    );
    const elsewhere = await calls.invite(
      [{ email: 'elsewhere@example.com', type: 'user' }],
      { merchant_id: merchants.other.id },
      { token: await makeKey(platform, merchants.other.id) },
    );
    expect(elsewhere[0]?.result).toBe('Invited');
  });
});

describe('candidate invitations', () => {
  const limited = {
    result: expect.stringMatching(/^Error: This person got 5 invitations/),
    code: 'invitation_limit_reached',
  };
  const mailsTo = async (email: string) =>
    (
      await platform.database.rows(
        'select from mail m join profile p on p.id = m.profile_id where p.email_key = $1',
        [email],
      )
    ).length;
  const clones = async (count: number) => {
    const ids: string[] = [];
    while (ids.length < count) ids.push(await cloneInterview(platform.database));
    return ids;
  };

  it('are limited to five mails to one person in 24 hours by both operations together', async () => {
    const [interview_id = '', second = ''] = await clones(2);
    const email = 'often@candidate.example';
    const user = { email, type: 'candidate', interview_id };
    for (let time = 0; time < 3; time++)
      expect(await calls.invite([user], { force_invite: true })).toMatchObject([{ result: 'Invited' }]);
    const registering = { interview_id: second, send_email: true };
    for (let time = 0; time < 2; time++)
      expect(await calls.register([{ email }], registering)).toMatchObject([{ result: 'ok' }]);

    const before = await calls.status();
    expect(await calls.register([{ email: 'OFTEN@candidate.example' }], registering)).toMatchObject([
      limited,
    ]);
    expect(
      await calls.invite([user, { ...user, email: 'new@candidate.example' }], { force_invite: true }),
    ).toMatchObject([limited, { result: 'Invited' }]);
    expect(await calls.invite([{ email, type: 'merchant' }])).toMatchObject([
      { ...limited, profile_id: null },
    ]);
    expect(await mailsTo(email)).toBe(5);
    expect((await calls.status())['invitations_sent']).toBe(Number(before['invitations_sent']) + 1);
    // These calls send no mail, so the limit of mails does not apply to them.
    expect(await calls.invite([user])).toMatchObject([{ result: 'Skipped' }]);
    expect(await calls.register([{ email }], { interview_id: second })).toMatchObject([{ result: 'ok' }]);

    await platform.database.rows(`update mail set created_at = created_at - interval '25 hours'`);
    expect(await calls.invite([user], { force_invite: true })).toMatchObject([{ result: 'Invited' }]);
  });

  it('are limited within one call to five interviews, or four and the team', async () => {
    const ids = await clones(6);
    const rows = (email: string) => ids.map((interview_id) => ({ email, type: 'candidate', interview_id }));
    const fiveInvited = Array.from({ length: 5 }, () => ({ result: 'Invited' }));
    expect(await calls.invite(rows('six@candidate.example'))).toMatchObject([...fiveInvited, limited]);
    const mixed = [
      ...rows('mixed@candidate.example').slice(0, 5),
      { email: 'mixed@candidate.example', type: 'merchant' },
    ];
    expect(await calls.invite(mixed)).toMatchObject([...fiveInvited, limited]);
    expect(await mailsTo('mixed@candidate.example')).toBe(5);
  });

  it('are limited to five mails for ten simultaneous calls', async () => {
    const email = 'rush@candidate.example';
    const ids = await clones(10);
    const replies = await Promise.all(
      ids.map((interview_id, index) =>
        index % 2
          ? calls.register([{ email }], { interview_id, send_email: true })
          : calls.invite([{ email, type: 'candidate', interview_id }]),
      ),
    );
    const codes = replies.flat().map(({ code }) => code);
    expect(codes.filter((code) => code === 'invitation_limit_reached')).toHaveLength(5);
    expect(await mailsTo(email)).toBe(5);
  });
});

describe('invitations outside production', () => {
  it('are sent to test recipients only, and do not count in the budget of production', async () => {
    const before = await calls.status();
    const rows = await calls.invite(
      [
        { email: 'tester@example.com', type: 'merchant' },
        { email: 'stranger@victim.example', type: 'merchant' },
      ],
      {},
      { token: development },
    );
    expect(rows).toMatchObject([
      { result: 'Invited' },
      {
        result: expect.stringMatching(/^Error: Outside production/),
        code: 'not_a_test_recipient',
        profile_id: null,
      },
    ]);
    expect(await mails('development')).toBe(1);
    expect(await calls.status()).toMatchObject({
      invitations_sent: before['invitations_sent'],
      invitations_limit: before['invitations_limit'],
    });
    expect(await calls.status({ token: development })).toMatchObject({
      invitations_sent: 1,
      invitations_limit: 100,
      invitations_available: 99,
    });
  });

  it('are limited to 100 a day', async () => {
    const many = Array.from({ length: 105 }, (_, index) => ({
      email: `dev${index}@example.com`,
      type: 'user',
    }));
    const rows = await calls.invite(many, {}, { token: development });
    expect(rows.filter(({ result }) => result === 'Invited')).toHaveLength(99);
    expect(rows.at(-1)).toMatchObject({ code: 'budget_exhausted' });
    await platform.database.rows(`update test_invitation_budget set day = day - 1`);
    expect(await calls.status({ token: development })).toMatchObject({ invitations_sent: 0 });
    expect((await calls.invite(many.slice(-1), {}, { token: development }))[0]?.result).toBe('Invited');
  });
});
