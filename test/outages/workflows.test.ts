import { randomUUID } from 'node:crypto';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { Conversation } from '../../local/fakes/zendesk';
import { people } from '../../local/seed/accounts';
import { technicalIssueId, webhookRetriesId } from '../../workflows/ids';
import type { createDoor } from '../harness/platform/door';
import { infrastructure } from '../harness/platform/infrastructure';
import { held } from '../harness/platform/platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { openDeliveries } from '../harness/reports/deliveries';
import { issueRow } from '../harness/support/issue-worker';
import { waitFor } from '../harness/wait-for';
import { startReceiver, status } from '../harness/webhooks/hook-sink';
import type { Answer, Receiver } from '../harness/webhooks/hook-sink';
import { webhookCalls } from '../harness/webhooks/webhook-calls';
import { openWebhooks } from '../harness/webhooks/webhooks';
import type { Webhooks } from '../harness/webhooks/webhooks';
import { outagePlatform } from './outage-platform';

describe('report-schedule while Temporal is away', () => {
  let platform: OwnPlatform;
  let door: Awaited<ReturnType<typeof outagePlatform>>['door'];
  let reports: Awaited<ReturnType<typeof openDeliveries>>;
  beforeAll(async () => {
    ({ platform, door } = await outagePlatform());
    reports = await openDeliveries(platform);
  });
  afterAll(() => reports.close());

  it('stores what is asked, and Temporal has it when it is back', async () => {
    const report = await reports.create('Away');
    const stopped = await reports.schedule(report);
    await reports.until(stopped, 'running');
    await door.close();
    const added = await reports.schedule(report, { every: 'month' });
    expect(
      (await reports.post('report-schedule', { id: report, every: 'off', schedule_id: stopped })).status,
    ).toBe(200);
    await waitFor('an attempt', async () => {
      const rows = await platform.database.rows(
        `select from workflow_start where workflow_type = 'reportDelivery' and attempts > 0`,
      );
      return rows.length > 0;
    });
    await door.open();
    await reports.until(added, 'running');
    await reports.until(stopped, 'none');
  });
});

describe('technical-issues', () => {
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
});

describe('webhookRetries', () => {
  let door: Awaited<ReturnType<typeof createDoor>>;
  let webhooks: Webhooks;
  let platform: OwnPlatform;
  let receiver: Receiver;
  let connection: Connection;
  let client: Client;
  beforeAll(async () => {
    ({ platform, door } = await outagePlatform());
    [webhooks, receiver] = await Promise.all([
      openWebhooks(platform.database, platform.sealingKeys),
      startReceiver(),
    ]);
    connection = await Connection.connect({ address: infrastructure().temporalAddress });
    client = new Client({ connection });
  });
  afterAll(async () => {
    await connection.close();
    await Promise.all([webhooks.post.close(), webhooks.worker.close(), receiver.close()]);
  });

  const plan = (ms: number) => ({ retry_waits_ms: Array.from({ length: 9 }, () => ms) });
  /** Makes the receiver respond with these answers in order, and with 200 after the last one. */
  const script = (...answers: Answer[]) => {
    receiver.answer = (received, response) => (answers.shift() ?? status(200))(received, response);
  };
  const stateOf = async (id: string) => (await webhooks.rowsOf(id)).map(({ state }) => state);
  const acknowledged = (id: string) =>
    waitFor('the acknowledgement', async () =>
      (await stateOf(id)).every((state) => state === 'acknowledged'),
    );
  const outcomesOf = async (id: string) => (await webhooks.attemptsOf(id)).map(({ outcome }) => outcome);
  const workflowOf = (id: string) => client.workflow.getHandle(webhookRetriesId(id));
  const statusOf = async (id: string): Promise<string | undefined> => {
    try {
      return (await workflowOf(id).describe()).status.name;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return undefined;
      throw error;
    }
  };
  const hasEnded = (id: string) =>
    waitFor('the end of the workflow', async () => (await statusOf(id)) === 'COMPLETED');

  it('runs while deliveries of its endpoint wait for a retry, and ends when all are done', async () => {
    script(status(500), status(503));
    const id = await webhooks.endpoint(`${receiver.url}/${randomUUID()}`, plan(300));
    await webhooks.deliveries(id, 1);
    await acknowledged(id);
    expect(await outcomesOf(id)).toEqual(['refused', 'refused', 'acknowledged']);
    await hasEnded(id);
  });

  it('shows at once that its endpoint is paused by hand', async () => {
    script(status(500));
    const id = await webhooks.endpoint(`${receiver.url}/${randomUUID()}`, plan(3_600_000));
    await webhooks.deliveries(id, 1);
    const flowStatusKey = async () => {
      if ((await statusOf(id)) === undefined) return undefined;
      return (await workflowOf(id).describe()).searchAttributes['FlowStatus']?.[0];
    };
    await waitFor('the wait', async () => (await flowStatusKey()) === 'waiting');
    expect((await webhookCalls(platform).pause({ endpoint_id: id })).status).toBe(200);
    await waitFor('the pause', async () => (await flowStatusKey()) === 'paused');
    expect(await stateOf(id)).toEqual(['retried']);
  });

  it('pauses an endpoint after 410 and mails its owner once, and sends what waited after a resume', async () => {
    script(status(410));
    const id = await webhooks.endpoint(`${receiver.url}/${randomUUID()}`, plan(300));
    await webhooks.deliveries(id, 1);
    const mails = async () =>
      ((await platform.fake('/mailbox')) as { to: string; custom_args: { mail_id: string } }[]).filter(
        ({ custom_args }) => custom_args.mail_id === id,
      );
    await waitFor('the mail', async () => (await mails()).length > 0);
    await waitFor('the pause', async () => {
      const { searchAttributes } = await workflowOf(id).describe();
      return searchAttributes['FlowStatus']?.[0] === 'paused';
    });
    expect(await stateOf(id)).toEqual(['retried']);
    await workflowOf(id).signal('resume');
    await acknowledged(id);
    await hasEnded(id);
    expect((await mails()).map(({ to }) => to)).toEqual([people.merchant_owner.email]);
  });

  it('is started by the cleanup job when Temporal is back, and first attempts go on in the meantime', async () => {
    script(status(500));
    await door.close();
    const id = await webhooks.endpoint(`${receiver.url}/${randomUUID()}`, plan(300));
    await webhooks.deliveries(id, 1);
    await waitFor('the first attempt', async () => (await stateOf(id))[0] === 'retried');
    const other = await webhooks.endpoint(`${receiver.url}/${randomUUID()}`);
    await webhooks.deliveries(other, 1);
    await acknowledged(other);
    expect([await stateOf(id), await statusOf(id)]).toEqual([['retried'], undefined]);
    await door.open();
    await acknowledged(id);
    expect(await outcomesOf(id)).toEqual(['refused', 'acknowledged']);
    await hasEnded(id);
  });
});
