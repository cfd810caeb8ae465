import { randomUUID } from 'node:crypto';
import { signIn } from '../../harness/identity/accounts';
import { grantInvitations } from '../../harness/people/mailbox';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
  await grantInvitations(platform);
});
beforeEach(() => platform.database.rows('delete from audit_entry'));

type Entry = {
  act: string;
  subject_id: string | null;
  details: Record<string, unknown>;
  merchant_id: string | null;
};
const entries = () =>
  platform.database.rows<Entry>('select act, subject_id, details, merchant_id from audit_entry order by id');
const call = async (operation: string, body: Record<string, unknown>, token?: string) => {
  const reply = await platform.call(operation, { body, ...(token === undefined ? {} : { token }) });
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
  return reply.body;
};

describe('the audit log', () => {
  it('has one entry for a call of invite-users and one for each team member, and none for a repeated call', async () => {
    const interview_id = await cloneInterview(platform.database, { name: 'Backend engineer' });
    const candidates = ['ann', 'bo', 'cy'].map((name) => ({
      email: `${name}@audit.example`,
      name: `Name of ${name}`,
      type: 'candidate',
      interview_id,
    }));
    const users = [...candidates, { email: 'ola@audit.example', name: 'Ola Nord', type: 'merchant_owner' }];
    const headers = { 'idempotency-key': randomUUID() };
    const rows = await calls.invite(users, {}, { headers });
    expect(await calls.invite(users, {}, { headers })).toEqual(rows);
    expect(await entries()).toMatchObject([
      {
        act: 'invite-users',
        subject_id: interview_id,
        details: { candidate: 3, merchant_owner: 1, interviews: 1 },
      },
      { act: 'team-member-invite', subject_id: rows[3]?.profile_id, details: { role: 'merchant_owner' } },
    ]);
    expect(JSON.stringify(await entries())).not.toMatch(/audit\.example|Name of|Ola/);
  });

  it('has the changes of an interview and its embed keys, and nothing when nothing changed', async () => {
    const position_id = await cloneInterview(platform.database, { name: 'Shift lead' });
    await call('job-interview-update', { position_id, name: 'Shift manager' });
    await call('job-interview-update', { position_id, name: 'Shift manager' });
    for (const is_embedded of [true, true, false, false])
      await call('job-interview-set-state', { position_id, is_embedded });
    await call('job-interview-set-state', { position_id, status: 'archived' });
    await call('job-interview-set-state', { position_id, status: 'archived' });
    expect((await entries()).map(({ act, details }) => [act, details])).toEqual([
      ['job-interview-update', { updated_fields: ['name'] }],
      ['job-interview-set-state', { embed_key: 'made' }],
      ['job-interview-set-state', { embed_key: 'revoked' }],
      ['job-interview-set-state', { status: 'archived' }],
    ]);
  });

  it('has the directories of the merchant, and platform-wide ones for platform admins only', async () => {
    const id = `audit-${randomUUID().slice(0, 8)}`;
    await call('catalogue-tag-create', { id, name: 'Audited' });
    await call('catalogue-tag-update', { id, name: 'Audited again' });
    await call('catalogue-tag-update', { id, name: 'Audited again' });
    const admin = (await signIn(platform, 'admin')).access_token;
    await call('catalogue-tag-create', { id: `${id}-all`, name: 'For all', visibility: 'public' }, admin);
    expect(await entries()).toMatchObject([
      { act: 'catalogue-tag-create', subject_id: id, merchant_id: platform.stack.merchant_id },
      { act: 'catalogue-tag-update', subject_id: id, details: { updated_fields: ['name'] } },
      { act: 'catalogue-tag-create', subject_id: `${id}-all`, merchant_id: null },
    ]);
    const listed = async (options: CallOptions = {}) => {
      const { body } = await platform.call('merchant-audit-list', options);
      return (body['data'] as { object_id: string }[]).map(({ object_id }) => object_id);
    };
    expect(await listed()).toEqual([id, id]);
    const query = { merchant_id: platform.stack.merchant_id };
    expect(await listed({ token: admin, query })).toEqual([`${id}-all`, id, id]);
  });
});
