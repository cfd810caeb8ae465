import { Client, Connection } from '@temporalio/client';
import type { Conversation } from '../../local/fakes/zendesk';
import { technicalIssueId } from '../../workflows/ids';
import type { createDoor } from '../harness/platform/door';
import { infrastructure } from '../harness/platform/infrastructure';
import { held } from '../harness/platform/platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { issueRow } from '../harness/support/issue-worker';
import { waitFor } from '../harness/wait-for';
import { outagePlatform } from './outage-platform';

let platform: OwnPlatform;
let door: Awaited<ReturnType<typeof createDoor>>;
beforeAll(async () => {
  ({ platform, door } = await outagePlatform());
});
beforeEach(async () => {
  await platform.clearFaults();
  await platform.database.rows(`update technical_issue set created_at = created_at - interval '2 days'`);
  // The provider forgets idempotency keys at once, which is the worst case.
  await fetch(`${platform.stack.fakes_url}/support/settings`, {
    method: 'PUT',
    body: JSON.stringify({ forget_keys_after_ms: 0 }),
  });
});

const report = () =>
  platform.call('merchant-technical-issue', { body: { description: 'The page stays blank.' } });
const fault = (what: Record<string, unknown>) => platform.fault({ provider: 'support', ...what });
const conversations = async () => (await platform.fake('/conversations')) as Conversation[];
const conversationsOf = async (id: unknown) =>
  (await conversations()).filter(({ external_id }) => external_id === id);
const waitForSent = (id: unknown) =>
  waitFor('support to have it', async () => {
    const row = await issueRow(platform.database, String(id));
    return row?.status === 'sent' ? row : undefined;
  });
/**
 * Waits until the queued issue has been sent. Checks that support received the issue once and that its reference is
 * recorded.
 */
async function expectSentLater(id: unknown, ...attempts: number[]): Promise<void> {
  const row = await waitForSent(id);
  expect(attempts).toContain(row.attempts);
  expect((await conversationsOf(id)).map(({ number }) => `#${number}`)).toEqual([row.reference]);
}
const queued = { id: expect.any(String), status: 'queued', reference: null };

describe('merchant-technical-issue, support in trouble', () => {
  it('is queued when support does not respond in time, and sent when it does', async () => {
    await fault(held);
    const { status, body } = await report();
    expect([status, body]).toEqual([200, queued]);
    const heldCalls = async () => held.times - (await platform.faultsLeft());
    const attempts = await waitFor('the attempt', async () => (await heldCalls()) || undefined);
    await platform.clearFaults();
    // The workflow's current attempt ends 2 seconds after the call. If the machine stalls for that long, the next
    // attempt sends the issue.
    await expectSentLater(body['id'], attempts, attempts + 1);
  });
});

describe('merchant-technical-issue, its workflow terminated by hand', () => {
  it('is started again 20 minutes later and sends the issue', async () => {
    // After this failure, the workflow waits for an hour. It is terminated while it waits.
    await fault({ status: 503, headers: { 'retry-after': '3600' } });
    const { body } = await report();
    expect(body).toEqual(queued);
    const connection = await Connection.connect({ address: infrastructure().temporalAddress });
    try {
      const { workflow } = new Client({ connection });
      await workflow.getHandle(technicalIssueId(String(body['id']))).terminate();
    } finally {
      await connection.close();
    }
    await platform.database.rows(
      `update technical_issue set restart_at = restart_at - interval '20 minutes' where id = $1`,
      [body['id']],
    );
    await expectSentLater(body['id'], 2);
  });
});

describe('merchant-technical-issue, Temporal unavailable', () => {
  it('is queued and sent when Temporal is back, in one conversation', async () => {
    await door.close();
    const { status, body } = await report();
    expect([status, body]).toEqual([200, queued]);
    expect(await conversationsOf(body['id'])).toEqual([]);
    await door.open();
    await expectSentLater(body['id'], 1);
    await waitFor('its start to be done with', async () => {
      const starts = await platform.database.rows('select from workflow_start');
      return starts.length === 0;
    });
    expect(await conversationsOf(body['id'])).toHaveLength(1);
  });
});
