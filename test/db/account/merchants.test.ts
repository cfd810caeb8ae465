import { randomUUID } from 'node:crypto';
import type { ErrorCode } from '../../../api/platform/operation/error-codes';
import { people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { cloneInterview } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

type Row = Record<string, unknown>;
const post = (name: string, body: Row, options: CallOptions = {}) =>
  platform.call(name, { token: platform.stack.tokens.admin, body, ...options });
const create = (more: Row = {}, options: CallOptions = {}) =>
  post(
    'merchant-create',
    {
      name: 'New Bakery',
      owner_email: `${randomUUID()}@bakery.example`,
      subscription_type: 'Growth',
      ...more,
    },
    options,
  );
const created = async (more: Row = {}): Promise<string> => {
  const { status, body } = await create(more);
  expect([status, body]).toEqual([200, expect.objectContaining({ result: 'Invited' })]);
  return String(body['merchant_id']);
};
const list = async (name: string, query: Record<string, string>, token = platform.stack.tokens.admin) => {
  const { status, body } = await platform.call(name, { token, query });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body['data'] as Row[];
};
const countMerchants = async () =>
  (await platform.database.rows<{ count: number }>('select count(*)::int from merchant'))[0]?.count;

describe('merchant-create', () => {
  it('creates the account and mails its owner once, also when the call is repeated with its key', async () => {
    const owner_email = `${randomUUID()}@bakery.example`;
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const more = {
      owner_email,
      time_zone: 'Europe/Amsterdam',
      parent_merchant_id: platform.stack.merchant_id,
    };
    const { body } = await create(more, key);
    expect((await create(more, key)).body).toEqual(body);
    const merchant_id = String(body['merchant_id']);
    expect(await list('merchant-list', { filter_text: merchant_id })).toEqual([
      expect.objectContaining({
        id: merchant_id,
        name: 'New Bakery',
        parent_merchant_id: platform.stack.merchant_id,
        subscription_type: 'Growth',
        subscription_status: null,
        credits_interview_monthly: 0,
      }),
    ]);
    const stored = await platform.database.rows(
      `select p.id, p.role, p.merchant_id, m.kind, m.state, z.time_zone, w.workflow_type
       from profile p join mail m on m.profile_id = p.id join merchant z on z.id = p.merchant_id
       join workflow_start w on w.merchant_id = z.id where p.email = $1`,
      [owner_email],
    );
    expect(stored).toEqual([
      {
        id: body['owner_profile_id'],
        role: 'merchant_owner',
        merchant_id,
        kind: 'team_invitation',
        state: 'queued',
        time_zone: 'Europe/Amsterdam',
        workflow_type: 'invitationBatch',
      },
    ]);
    const owner = await makeKey(platform, merchant_id);
    const entries = await list('merchant-audit-list', { merchant_id }, owner);
    expect(entries.map(({ action, object }) => [action, object])).toEqual([
      ['team-member-invite', 'person'],
      ['invite-users', 'interview'],
      ['merchant-create', 'merchant'],
    ]);
  });

  it('gives access to an owner who has an account at another merchant, also with a key of the platform', async () => {
    const { body } = await create(
      { owner_email: people.other_merchant_owner.email },
      { token: platform.stack.service_key },
    );
    expect(body).toMatchObject({
      result: 'SubMerchantAdded',
      owner_profile_id: people.other_merchant_owner.id,
    });
    const { access_token: token } = await signIn(platform, 'other_merchant_owner');
    const merchant_id = String(body['merchant_id']);
    expect(await list('merchant-credit-list', { merchant_id }, token)).toEqual([]);
  });

  it('creates nothing if the owner cannot be invited, or if the parent or the time zone does not exist', async () => {
    const before = await countMerchants();
    const uat = { token: (await signIn(platform, 'admin', 'uat')).access_token };
    const wrong: [Row, CallOptions, ErrorCode, string][] = [
      [{ owner_email: people.admin.email }, {}, 'invalid_value', 'owner_email'],
      [{}, uat, 'invalid_value', 'owner_email'],
      [{ parent_merchant_id: platform.stack.sub_merchant_id }, {}, 'unknown_id', 'parent_merchant_id'],
      [{ time_zone: 'Europe/Atlantis' }, {}, 'invalid_value', 'time_zone'],
    ];
    for (const [more, options, code, name] of wrong)
      expect(await create(more, options)).toMatchObject({ status: 422, body: errorBody(code, name) });
    expect(await countMerchants()).toBe(before);
  });
});

describe('merchant-update', () => {
  it('starts a subscription, which merchant-status then reports, and tells what has changed', async () => {
    const merchant_id = await created();
    const change = {
      subscription_status: 'active',
      credits_interview_monthly_limit: 50,
      credits_coaching_monthly_limit: 20,
    };
    const first = await post('merchant-update', { merchant_id, ...change, name: 'Old Bakery' });
    expect(first.body).toEqual({
      merchant_id,
      updated_fields: [
        'name',
        'subscription_status',
        'credits_interview_monthly_limit',
        'credits_coaching_monthly_limit',
      ],
    });
    expect((await post('merchant-update', { merchant_id, ...change })).body['updated_fields']).toEqual([]);
    const { body } = await platform.call('merchant-status', {
      token: platform.stack.tokens.admin,
      query: { merchant_id },
    });
    expect(body).toMatchObject({
      subscription_type: 'Growth',
      subscription_status: 'active',
      credits_interview_monthly: 50,
      credits_interview_monthly_limit: 50,
      credits_coaching_monthly: 20,
      credits_coaching_monthly_limit: 20,
      invitations_limit: 200,
    });
    expect(await list('merchant-credit-list', { merchant_id })).toMatchObject([
      { bucket: 'coaching', amount: 20, balance_after: 20, reason: 'renewal', actor: 'system' },
      { bucket: 'monthly', amount: 50, balance_after: 50, reason: 'renewal', actor: 'system' },
    ]);
  });
});

describe('merchant-credit-add', () => {
  it('adds credits once for a key, with its reason in the ledger and in the audit log', async () => {
    const merchant_id = await created();
    const body = { merchant_id, bucket: 'extra', amount: 12.5, reason: 'Invoice 7' };
    const key = { headers: { 'idempotency-key': randomUUID() } };
    const made = await post('merchant-credit-add', body, key);
    expect(made.body).toEqual({ id: expect.any(String), bucket: 'extra', balance: 12.5 });
    expect((await post('merchant-credit-add', body, key)).body).toEqual(made.body);
    const query = { merchant_id, bucket: 'extra' };
    const owner = await makeKey(platform, merchant_id);
    expect(await list('merchant-credit-list', query, owner)).toEqual([
      {
        id: made.body['id'],
        bucket: 'extra',
        amount: 12.5,
        balance_after: 12.5,
        reason: 'Invoice 7',
        interview_result_id: null,
        attempt: null,
        position_id: null,
        actor: 'platform_admin',
        created_at: expect.any(String),
      },
    ]);
    const [entry] = await list('merchant-audit-list', { merchant_id, action: 'merchant-credit-add' }, owner);
    expect(entry).toMatchObject({
      actor_profile_id: people.admin.id,
      actor_name: null,
      actor_role: 'admin',
      object: 'credit_entry',
      object_id: made.body['id'],
      details: { amount: 12.5, reason: 'Invoice 7' },
    });
  });

  it('returns 422 for credits that do not exist, a third decimal, and a position that the bucket does not have', async () => {
    const merchant_id = platform.stack.other_merchant_id;
    const position_id = interviewId('other');
    const wrong: [Row, ErrorCode, string][] = [
      [{ bucket: 'coaching', amount: -40.01 }, 'too_small', 'amount'],
      [{ bucket: 'single', amount: -1, position_id }, 'too_small', 'amount'],
      [{ bucket: 'extra', amount: 1.001 }, 'invalid_value', 'amount'],
      [{ bucket: 'extra', amount: 0 }, 'invalid_value', 'amount'],
      [{ bucket: 'single', amount: 1 }, 'required', 'position_id'],
      [{ bucket: 'extra', amount: 1, position_id }, 'conflicting_fields', 'position_id'],
      [{ bucket: 'single', amount: 1, position_id: interviewId('active') }, 'unknown_id', 'position_id'],
    ];
    for (const [more, code, name] of wrong)
      expect(await post('merchant-credit-add', { merchant_id, reason: 'Any', ...more })).toMatchObject({
        status: 422,
        body: errorBody(code, name),
      });
    const single = { merchant_id, bucket: 'single', amount: 2, reason: 'Any', position_id };
    expect((await post('merchant-credit-add', single)).body).toMatchObject({ balance: 2 });
  });

  it('takes single credits away from an interview that was deleted', async () => {
    const position_id = await cloneInterview(platform.database);
    const single = { merchant_id: platform.stack.merchant_id, bucket: 'single', reason: 'Any', position_id };
    await post('merchant-credit-add', { ...single, amount: 5 });
    await platform.database.rows(`update interview set status = 'deleted' where id = $1`, [position_id]);
    expect(await post('merchant-credit-add', { ...single, amount: -5 })).toMatchObject({ status: 200 });
    expect(await post('merchant-credit-add', { ...single, amount: 1 })).toMatchObject({
      status: 422,
      body: errorBody('unknown_id', 'position_id'),
    });
  });
});

describe('merchant-audit-list', () => {
  it('lists changes of what the account shares in every environment, and others in their own', async () => {
    await platform.database.rows('delete from audit_entry');
    const { access_token: token } = await signIn(platform, 'admin', 'uat');
    const merchant_id = platform.stack.merchant_id;
    await post('merchant-credit-add', { merchant_id, bucket: 'extra', amount: 1, reason: 'Any' }, { token });
    await post('job-interview-update', { position_id: interviewId('active'), name: 'Shared', merchant_id });
    const actionsSeen = async (reader: string) =>
      (await list('merchant-audit-list', { merchant_id }, reader)).map(({ action }) => action);
    expect(await actionsSeen(token)).toEqual(['merchant-credit-add']);
    expect(await actionsSeen(platform.stack.tokens.merchant_owner)).toEqual([
      'job-interview-update',
      'merchant-credit-add',
    ]);
  });

  it('filters by person, action, object and time', async () => {
    const position_id = interviewId('active');
    await platform.database.rows('delete from audit_entry');
    for (const [name, token] of [
      ['First', platform.stack.tokens.merchant],
      ['Second', platform.stack.tokens.merchant_owner],
      ['Third', platform.stack.merchant_service_key],
    ] as const)
      await post(
        'job-interview-update',
        { position_id, name, merchant_id: platform.stack.merchant_id },
        { token },
      );
    const all = await list('merchant-audit-list', {}, platform.stack.tokens.merchant_owner);
    expect(all.map(({ actor_profile_id, actor_role }) => [actor_profile_id, actor_role])).toEqual([
      [null, 'service'],
      [people.merchant_owner.id, 'merchant_owner'],
      [people.merchant.id, 'merchant'],
    ]);
    const [third, second, first] = all.map(({ id }) => id);
    const at = String(all[1]?.['created_at']);
    const filters: [Record<string, string>, unknown[]][] = [
      [{ actor: people.merchant.id }, [first]],
      [{ actor: people.mentor.id }, []],
      [{ action: 'job-interview-update', object_id: position_id }, [third, second, first]],
      [{ action: 'job-interview-set-state' }, []],
      [{ object_id: interviewId('draft') }, []],
      [{ since: at }, [third, second]],
      [{ until: at }, [first]],
    ];
    for (const [query, ids] of filters)
      expect([
        query,
        (await list('merchant-audit-list', query, platform.stack.tokens.merchant_owner)).map(({ id }) => id),
      ]).toEqual([query, ids]);
  });
});
