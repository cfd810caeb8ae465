import { randomUUID } from 'node:crypto';
import { signIn } from '../../harness/identity/accounts';
import { openConsole } from '../../harness/identity/console';
import { grantInvitations } from '../../harness/people/mailbox';
import { cloneInterview, peopleCalls } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
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
const shownActivity = async () =>
  (await (await openConsole(platform, 'merchant_owner')).get('/console/audit')).html.replace(/\s+/g, ' ');

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
    const page = await shownActivity();
    expect(page).toContain('Invited 3 candidates to Backend engineer, 1 owner');
    expect(page).toMatch(/Invited <a href="\/console\/team">Ola Nord<\/a> as owner/);
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
    const page = await shownActivity();
    expect(page).toContain('Set Shift manager to archived');
    expect(page).toContain('Revoked the embed key of Shift manager');
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
    expect(await shownActivity()).toContain('Changed directory Audited again');
    expect(await shownActivity()).not.toContain('For all');
    const support = await openConsole(platform, 'admin');
    const page = await support.get(`/console/audit?merchant_id=${platform.stack.merchant_id}`);
    expect(page.html).toContain('Created platform-wide directory For all');
  });

  it('keeps the description and host of a deleted endpoint without its path', async () => {
    const { id } = await call('webhook-endpoint-create', {
      url: 'https://hooks.example.com/a-secret-path',
      description: 'Old hook',
      events: ['interview_result'],
    });
    await call('webhook-endpoint-pause', { endpoint_id: id });
    await call('webhook-endpoint-delete', { endpoint_id: id });
    expect((await entries()).at(-1)).toMatchObject({
      act: 'webhook-endpoint-delete',
      subject_id: id,
      details: { description: 'Old hook', host: 'hooks.example.com' },
    });
    const page = await shownActivity();
    expect(page).toContain('Deleted webhook endpoint Old hook');
    expect(page).toContain('Paused webhook endpoint Old hook');
    expect(page).not.toContain('a-secret-path');
  });
});
