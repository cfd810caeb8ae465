import { merchants } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import {
  cloneInterview,
  enrolmentsOf,
  makePosition,
  openUrl,
  peopleCalls,
} from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

/* Tests merchant-candidate-list, merchant-invitation-list and the dry runs of the operations that add people. */

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
});

type Row = Record<string, unknown>;
async function list(operation: string, query: Record<string, string> = {}, options: CallOptions = {}) {
  const { status, text, body } = await platform.call(operation, { query, ...options });
  if (status !== 200) throw new Error(text);
  return body as unknown as { data: Row[]; pagination: { total: number; has_more: boolean } };
}
const candidates = (query: Record<string, string>) => list('merchant-candidate-list', query);
const mails = (query: Record<string, string>) => list('merchant-invitation-list', query);
const only = async (query: Record<string, string>) => {
  const { data, pagination } = await candidates(query);
  expect([data.length, pagination.total]).toEqual([1, 1]);
  return data[0] ?? {};
};

describe('merchant-candidate-list', () => {
  it('follows a candidate from the registration to the decision, and back after a reopened result', async () => {
    const { database } = platform;
    const interview_id = await cloneInterview(database);
    const row = () => only({ interview_id });
    await calls.register([{ email: 'Way@example.com', name: 'Way', external_id: 'w-1', phone: '1' }], {
      interview_id,
    });
    expect(await row()).toMatchObject({
      name: 'Way',
      email: 'Way@example.com',
      external_id: 'w-1',
      phone: '1',
      interview_id,
      position_id: null,
      status: 'registered',
      stage: null,
      mail_status: null,
      invited_at: null,
      interview_result_id: null,
    });
    await calls.invite([{ email: 'way@example.com', type: 'candidate', interview_id }]);
    expect(await row()).toMatchObject({
      status: 'invited',
      mail_status: 'queued',
      invited_at: expect.any(String),
    });
    const [result] = await database.rows<{ id: string }>(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, started_at)
       select merchant_id, environment, interview_id, id, 'started', now() from enrolment where interview_id = $1 returning id`,
      [interview_id],
    );
    expect(await row()).toMatchObject({ status: 'started', interview_result_id: result?.id });
    for (const [change, status, stage] of [
      [`interview_status = 'completed', ended_at = now()`, 'started', null],
      [`status = 'active', submitted_at = now()`, 'submitted', 'Interview 1st completed'],
      ['recruiter_go_next_round = false', 'decided', 'Rejected'],
      [
        `status = 'draft', interview_status = null, recruiter_go_next_round = null`,
        'invited',
        'Interview 1st planned',
      ],
    ] as const) {
      await database.rows(`update interview_result set ${change} where id = $1`, [result?.id]);
      expect([change, await row()]).toMatchObject([change, { status, stage }]);
    }
    await database.rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, is_test)
       select merchant_id, environment, interview_id, id, 'started', true from enrolment where interview_id = $1`,
      [interview_id],
    );
    expect((await row())['status']).toBe('invited');
    expect((await candidates({ interview_id, status: 'registered' })).data).toEqual([]);
  });

  it('shows the status at the current step of a position', async () => {
    const { database } = platform;
    const steps = [await cloneInterview(database), await cloneInterview(database)];
    const position = await makePosition(database, steps);
    await calls.register([{ email: 'step@example.com' }], { interview_id: position });
    const [enrolment] = await enrolmentsOf(database, position);
    const [result] = await database.rows<{ id: string }>(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, status, interview_status)
       select merchant_id, environment, interview_id, id, 'active', 'completed' from enrolment where id = $1 returning id`,
      [enrolment?.id],
    );
    expect(await only({ interview_id: position })).toMatchObject({
      interview_id: steps[0],
      position_id: position,
      interview_name: 'A position',
      status: 'submitted',
      interview_result_id: result?.id,
    });
    await platform.call('job-interview-result-update', {
      body: { interview_result_id: result?.id, recruiter_go_next_round: true },
    });
    expect(await only({ interview_id: steps[1] ?? '' })).toMatchObject({
      position_id: position,
      status: 'invited',
      interview_result_id: null,
    });
    expect((await candidates({ interview_id: steps[0] ?? '' })).data).toEqual([]);
  });

  it('finds people by texts and ids, counts all, and pages from the newest to the oldest', async () => {
    const interview_id = await cloneInterview(platform.database);
    const users = ['Ägir', 'Bo 50%', 'Cy'].map((name, place) => ({
      name,
      email: `p${place}@paging.example`,
      external_id: `PG_${place}`,
    }));
    for (const user of users) await calls.register([user], { interview_id });
    const names = async (query: Record<string, string>) =>
      (await candidates(query)).data.map(({ name }) => name);
    expect(await names({ filter_text: 'paging.EXAMPLE' })).toEqual(['Cy', 'Bo 50%', 'Ägir']);
    expect(await names({ filter_text: 'äGIR' })).toEqual(['Ägir']);
    expect(await names({ filter_text: '0%' })).toEqual(['Bo 50%']);
    expect(await names({ filter_text: 'pg_2' })).toEqual(['Cy']);
    expect(await names({ interview_id, limit: '1', offset: '1' })).toEqual(['Bo 50%']);
    const { profile_id } = await only({ filter_text: 'p2@paging.example' });
    expect(await names({ profile_id: String(profile_id) })).toEqual(['Cy']);
    const [{ count } = { count: 0 }] = await platform.database.rows<{ count: number }>(
      `select count(*)::int from enrolment where merchant_id = $1 and environment = 'production'`,
      [merchants.main.id],
    );
    expect((await candidates({ limit: '1' })).pagination).toMatchObject({ total: count, has_more: true });
  });
});

describe('merchant-candidate-withdraw', () => {
  it('ends links and unsent mails of a candidate who has not begun, who can be invited again', async () => {
    const interview_id = await cloneInterview(platform.database);
    const email = 'no@show.example';
    const invite = async () => (await calls.invite([{ email, type: 'candidate', interview_id }]))[0]?.code;
    const link = async () => (await calls.register([{ email }], { interview_id }))[0]?.interview_url ?? '';
    // A link works as long as its generation is that of the candidate (test/end-to-end/people/portal.test.ts).
    const works = async (url: string) => {
      const [enrolment] = await enrolmentsOf(platform.database, interview_id);
      return openUrl(url).claims['generation'] === enrolment?.link_generation;
    };
    expect(await invite()).toBe('invited');
    const url = await link();
    const { profile_interview_id } = await only({ interview_id });
    const withdraw = async () => {
      const { status, body } = await platform.call('merchant-candidate-withdraw', {
        body: { profile_interview_id },
      });
      return [status, body['code']];
    };
    expect(await works(url)).toBe(true);
    expect(await withdraw()).toEqual([200, undefined]);
    expect(await works(url)).toBe(false);
    expect(await only({ interview_id })).toMatchObject({
      status: 'registered',
      mail_status: 'failed',
      invited_at: null,
    });
    expect(await invite()).toBe('invited');
    expect(await works(await link())).toBe(true);
    await platform.database.rows(
      `insert into interview_result (merchant_id, environment, interview_id, enrolment_id, interview_status, started_at)
       select merchant_id, environment, interview_id, id, 'started', now() from enrolment where id = $1`,
      [profile_interview_id],
    );
    expect(await withdraw()).toEqual([422, 'not_permitted_state']);
    expect(await only({ interview_id })).toMatchObject({ status: 'started', mail_status: 'queued' });
  });
});

describe('merchant-invitation-list', () => {
  it('says what became of each mail and why it did not arrive', async () => {
    const { database } = platform;
    const interview_id = await cloneInterview(database);
    const states: [string, string, RegExp | null][] = [
      [`state = 'queued'`, 'queued', null],
      [
        `state = 'queued', last_error = 'SendGrid cannot be reached'`,
        'queued',
        /tried again: SendGrid cannot be reached/,
      ],
      [`state = 'sending'`, 'queued', null],
      [`state = 'sent', sent_at = now()`, 'sent', null],
      [`state = 'sent', delivered_at = now()`, 'delivered', null],
      [
        `state = 'sent', bounced_at = now(), bounce_reason = '550 no such user'`,
        'bounced',
        /550 no such user/,
      ],
      [`state = 'rejected', last_error = 'SendGrid rejected the request'`, 'rejected', /SendGrid rejected/],
      [`state = 'gave_up', last_error = 'SendGrid cannot be reached'`, 'failed', /24 hours/],
      [`state = 'withdrawn', kind = 'reminder'`, 'failed', /no longer needed/],
    ];
    await calls.invite(
      states.map((_, place) => ({ email: `m${place}@mails.example`, type: 'candidate', interview_id })),
    );
    for (const [place, [change, status, error]] of states.entries()) {
      const filter_text = `m${place}@mails.example`;
      await database.rows(
        `update mail set ${change} where enrolment_id = (select id from enrolment where email = $1)`,
        [filter_text],
      );
      const { data } = await mails({ filter_text, mail_status: status, type: 'candidate' });
      expect(data).toMatchObject([
        {
          email: filter_text,
          interview_id,
          result: 'Invited',
          mail_status: status,
          mail_error: error === null ? null : expect.stringMatching(error),
        },
      ]);
      expect((await candidates({ filter_text })).data[0]).toMatchObject({ mail_status: status });
    }
  });

  it('has rows that sent no mail, with the address and the error of a row that failed', async () => {
    const { access_token: token } = await signIn(platform, 'merchant_owner', 'uat');
    const interview_id = interviewId('uat');
    await platform.database.rows(`update merchant set test_recipients = '{ok@none.example}' where id = $1`, [
      merchants.main.id,
    ]);
    const users = ['ok@none.example', 'other@none.example'].map((email) => ({
      email,
      type: 'candidate',
      interview_id,
    }));
    await calls.invite(users, {}, { token });
    await calls.invite(users.slice(0, 1), {}, { token });
    const { data } = await list('merchant-invitation-list', { filter_text: 'none.example' }, { token });
    const failed = {
      email: 'other@none.example',
      profile_id: null,
      interview_id,
      kind: null,
      mail_status: 'failed',
    };
    expect(data).toHaveLength(3);
    expect(data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          email: 'ok@none.example',
          kind: null,
          result: 'Skipped',
          mail_status: null,
        }),
        expect.objectContaining({
          email: 'ok@none.example',
          kind: 'candidate_invitation',
          result: 'Invited',
        }),
        expect.objectContaining({
          ...failed,
          result: expect.stringMatching(/^Error: .*test recipients/),
          mail_error: expect.stringMatching(/test recipients/),
        }),
      ]),
    );
    expect((await list('merchant-invitation-list', { mail_status: 'failed' }, { token })).data).toMatchObject(
      [failed],
    );
  });

  it('shows the addresses of team members to people and not to service keys', async () => {
    await calls.invite([{ email: 'new@team.example', name: 'Newcomer', type: 'merchant' }]);
    const query = { type: 'merchant', filter_text: 'newcomer' };
    const shown = { name: 'Newcomer', type: 'merchant', result: 'Invited', kind: 'team_invitation' };
    expect((await mails(query)).data).toMatchObject([{ ...shown, email: 'new@team.example' }]);
    const key = await makeKey(platform, merchants.main.id);
    const asKey = await list(
      'merchant-invitation-list',
      { ...query, merchant_id: merchants.main.id },
      { token: key },
    );
    expect(asKey.data).toMatchObject([{ ...shown, email: null }]);
  });
});

describe('a dry run', () => {
  const stored = async () => {
    const [row] = await platform.database.rows(
      `select (select count(*) from enrolment) as candidates, (select count(*) from profile) as people,
         (select count(*) from mail) as mails, (select count(*) from invitation) as invitations,
         (select count(*) from audit_entry) as acts, (select count(*) from workflow_start) as starts,
         (select sum(invitations_sent) from credit_account) as budget`,
    );
    return row;
  };

  it('returns the outcome of each row and stores nothing', async () => {
    const interview_id = await cloneInterview(platform.database);
    await calls.invite([{ email: 'known@dry.example', type: 'candidate', interview_id }]);
    await calls.register([{ email: 'linked@dry.example', external_id: 'dry-1' }], { interview_id });
    const before = await stored();
    const users = [
      { email: 'new@dry.example' },
      { email: 'known@dry.example' },
      { email: 'wrong' },
      { email: 'NEW@dry.example' },
      { email: 'third@dry.example', external_id: 'dry-1' },
      { email: 'fourth@dry.example', external_id: 'dry-1' },
    ];
    const invitations = users.map((user) => ({ ...user, type: 'candidate', interview_id }));
    const outcomes = (rows: object[]) => rows.map((row) => (row as Row)['code']);
    const invited = await calls.invite(invitations, { dry_run: true });
    expect(outcomes(invited)).toEqual([
      'invited',
      'skipped',
      'invalid_format',
      'skipped',
      'invited',
      'external_id_taken',
    ]);
    expect(invited.map(({ profile_id, profile_interview_id }) => [profile_id, profile_interview_id])).toEqual(
      users.map(() => [null, null]),
    );
    const registered = await calls.register(users, { interview_id, send_email: true, dry_run: true });
    expect(outcomes(registered)).toEqual(['ok', 'ok', 'invalid_format', 'ok', 'ok', 'ok']);
    for (const row of registered) expect(row).not.toHaveProperty('interview_url');
    expect(await stored()).toEqual(before);
    expect(outcomes(await calls.invite(invitations))).toEqual(outcomes(invited));
    expect(await enrolmentsOf(platform.database, interview_id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'third@dry.example', external_id: 'dry-1', is_invited: true }),
      ]),
    );
  });
});
