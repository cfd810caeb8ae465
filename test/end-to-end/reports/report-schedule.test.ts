import { people } from '../../../local/seed/accounts';
import { makeKey, signIn } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let recruiter: string;
let owner: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ access_token: recruiter } = await signIn(platform, 'merchant'));
  ({ access_token: owner } = await signIn(platform, 'merchant_owner'));
});

const completed = { id: 'completed', type: 'kpi', dataset: 'interview_results', measures: ['completed'] };
const note = { id: 'note', type: 'text', content_md: 'Hello' };
const create = async (filters: object = {}): Promise<string> => {
  const definition = { schema: 'platform.report/v1', title: 'Any', filters, blocks: [completed, note] };
  const { status, body } = await platform.call('report-create', { token: recruiter, body: { definition } });
  expect(status).toBe(200);
  return String(body['id']);
};
const weekly = { every: 'week', format: 'pdf', recipients: [people.merchant.id] };
const schedule = (id: string, body: object = weekly, token = recruiter) =>
  platform.call('report-schedule', { token, body: { id, ...body } });
const listed = async (id: string, token = recruiter) =>
  (await platform.call('report-get', { token, query: { id } })).body['schedules'];
const starts = async () =>
  (
    await platform.database.rows<{ id: string }>(
      `select argument ->> 'schedule_id' as id from workflow_start where workflow_type = 'reportDelivery'`,
    )
  ).map(({ id }) => id);

describe('report-schedule', () => {
  it('adds a schedule, queues it for Temporal, and tells when it runs next in the time zone of the report', async () => {
    const id = await create({ timezone: 'Asia/Tokyo' });
    const { status, body } = await schedule(id);
    expect([status, body]).toMatchObject([200, { id }]);
    const [shown] = (await listed(id)) as { next_run_at: string }[];
    expect(shown).toEqual({
      schedule_id: body['schedule_id'],
      every: 'week',
      format: 'pdf',
      block_id: null,
      recipients: [{ profile_id: people.merchant.id, name: people.merchant.name }],
      timezone: 'Asia/Tokyo',
      created_by_name: people.merchant.name,
      paused_because: null,
      next_run_at: expect.any(String),
      last_run: null,
    });
    const next = new Date(shown?.next_run_at ?? '');
    expect(next.getTime()).toBeGreaterThan(Date.now());
    const local = {
      timeZone: 'Asia/Tokyo',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
    } as const;
    expect(next.toLocaleString('en-GB', local)).toBe('Mon 07:00');
    expect(await starts()).toContain(body['schedule_id']);
  });

  it('changes a schedule, which runs for the caller from then on, and stops it', async () => {
    const id = await create();
    const { schedule_id } = (await schedule(id)).body;
    const csv = {
      every: 'month',
      format: 'csv',
      block_id: 'completed',
      recipients: [people.merchant_owner.id],
    };
    const changed = await schedule(id, { ...csv, schedule_id }, owner);
    expect([changed.status, changed.body['schedules']]).toMatchObject([
      200,
      [
        {
          schedule_id,
          every: 'month',
          format: 'csv',
          block_id: 'completed',
          created_by_name: people.merchant_owner.name,
        },
      ],
    ]);
    const stopped = await schedule(id, { every: 'off', schedule_id });
    expect([stopped.status, stopped.body]).toEqual([200, { id, schedule_id, schedules: [] }]);
    expect((await schedule(id, { ...weekly, schedule_id })).body).toMatchObject({
      code: 'unknown_id',
      name: 'schedule_id',
    });
  });

  it('returns a 422 with the name of the wrong field', async () => {
    const id = await create();
    const wrong: [object, string, string][] = [
      [{ ...weekly, format: 'csv' }, 'block_id', 'required'],
      [{ ...weekly, format: 'csv', block_id: 'note' }, 'block_id', 'invalid_value'],
      [{ ...weekly, block_id: 'none' }, 'block_id', 'invalid_value'],
      [{ every: 'week', format: 'pdf' }, 'recipients', 'required'],
      [{ ...weekly, recipients: [people.merchant.id, people.user.id] }, 'recipients[1]', 'unknown_id'],
    ];
    for (const [sent, name, code] of wrong) {
      const { status, body } = await schedule(id, sent);
      expect([status, body]).toMatchObject([422, { name, code }]);
    }
  });

  it('returns a 409 if the account has 200 schedules, also those of other people and environments', async () => {
    const id = await create();
    const [row] = await platform.database.rows<{ left: number }>(
      `select 199 - count(*)::int as left from report_schedule s join report r on r.id = s.report_id
       where s.merchant_id = $1 and s.stopped_at is null and r.archived_at is null`,
      [platform.stack.merchant_id],
    );
    await platform.database.rows(
      `with r as (
         insert into report (merchant_id, title, creator_id) values ($1, 'Other', $2) returning id
       )
       insert into report_schedule (merchant_id, environment, report_id, creator_id, every, format, recipients)
       select $1, case when n % 2 = 0 then 'uat' else 'production' end, id, $2, 'week', 'pdf', array[$2]::uuid[]
       from r, generate_series(1, $3) n`,
      [platform.stack.merchant_id, people.merchant_owner.id, row?.left],
    );
    const last = await schedule(id);
    expect(last.status).toBe(200);
    const over = await schedule(id);
    expect([over.status, over.body]).toMatchObject([409, { code: 'limit_reached' }]);
    const { schedule_id } = last.body;
    expect((await schedule(id, { ...weekly, every: 'month', schedule_id })).status).toBe(200);
    await schedule(id, { every: 'off', schedule_id });
    expect((await schedule(id)).status).toBe(200);
    await platform.database.rows('update report_schedule set stopped_at = now() where stopped_at is null');
  });

  it('is only for those who can edit the report, and not for service keys', async () => {
    const { access_token: manager } = await signIn(platform, 'merchant_selection');
    const id = await create();
    await platform.call('report-share', { token: recruiter, body: { id, shared: true } });
    await schedule(id);
    expect((await schedule(id, weekly, manager)).status).toBe(403);
    expect(await listed(id, manager)).toEqual([]);
    const key = await makeKey(platform, platform.stack.merchant_id);
    const body = { id, ...weekly, merchant_id: platform.stack.merchant_id };
    expect((await platform.call('report-schedule', { token: key, body })).body).toMatchObject({
      code: 'key_not_allowed',
    });
  });

  it('says why a schedule is paused, as long as the reason lasts', async () => {
    const id = await create();
    await schedule(id);
    const reasonWhile = async (change: string, undo: string) => {
      await platform.database.rows(change);
      const [found] = (await listed(id, owner)) as { paused_because: string; next_run_at: null }[];
      await platform.database.rows(undo);
      return found;
    };
    const person = `where id = '${people.merchant.id}'`;
    const demoted = await reasonWhile(
      `update profile set role = 'merchant_selection' ${person}`,
      `update profile set role = 'merchant' ${person}`,
    );
    expect(demoted).toMatchObject({
      paused_because: expect.stringContaining('edit this report'),
      next_run_at: null,
    });
    const disabled = await reasonWhile(
      `update profile set home_disabled_at = now() ${person}`,
      `update profile set home_disabled_at = null ${person}`,
    );
    expect(disabled?.paused_because).toContain('sign in');
    expect(await listed(id, owner)).toMatchObject([{ paused_because: null }]);
  });
});
