import { openConsole } from '../../harness/identity/console';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
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
