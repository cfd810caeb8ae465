import { randomUUID } from 'node:crypto';
import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { people } from '../../local/seed/accounts';
import { webhookRetriesId } from '../../workflows/ids';
import type { createDoor } from '../harness/platform/door';
import { infrastructure } from '../harness/platform/infrastructure';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { waitFor } from '../harness/wait-for';
import { startReceiver, status } from '../harness/webhooks/hook-sink';
import type { Answer, Receiver } from '../harness/webhooks/hook-sink';
import { webhookCalls } from '../harness/webhooks/webhook-calls';
import { openWebhooks } from '../harness/webhooks/webhooks';
import type { Webhooks } from '../harness/webhooks/webhooks';
import { outagePlatform } from './outage-platform';

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
  waitFor('the acknowledgement', async () => (await stateOf(id)).every((state) => state === 'acknowledged'));
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

describe('webhookRetries', () => {
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
    const workflowStatus = async () => {
      if ((await statusOf(id)) === undefined) return undefined;
      return (await workflowOf(id).describe()).searchAttributes['FlowStatus']?.[0];
    };
    await waitFor('the wait', async () => (await workflowStatus()) === 'waiting');
    expect((await webhookCalls(platform).pause({ endpoint_id: id })).status).toBe(200);
    await waitFor('the pause', async () => (await workflowStatus()) === 'paused');
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
