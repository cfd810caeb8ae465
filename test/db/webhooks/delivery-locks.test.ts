import type { ClientBase } from 'pg';
import { withAdmin } from '../../../db/platform/credentials';
import { queriesOn } from '../../../db/platform/database';
import type { Queries } from '../../../db/platform/database';
import { holdEndpointOf, lockDelivery } from '../../../db/webhooks/delivery-history';
import { recordOutcomes } from '../../../db/webhooks/delivery-outcomes';
import { cancelDeliveries, deleteEndpoint, lockEndpoint } from '../../../db/webhooks/webhook-endpoints';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { waitFor } from '../../harness/wait-for';
import { noExchange } from '../../harness/webhooks/attempts';
import { deliveriesOf, endpointRow, putDelivery, putEndpoint } from '../../harness/webhooks/webhook-rows';

/*
 * Tests that two transactions that both lock an endpoint and its delivery do not deadlock
 * (docs/webhooks.md#lock-order).
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});

type Session = Queries & { client: ClientBase; pid: number };
/** Runs `work` with two open transactions. A statement that waits 20 s for a lock fails. */
const inTwoTransactions = (work: (one: Session, other: Session) => Promise<void>): Promise<void> =>
  withAdmin(database.adminUrl, (first) =>
    withAdmin(database.adminUrl, async (second) => work(await begin(first), await begin(second))),
  );
async function begin(client: ClientBase): Promise<Session> {
  await client.query(`begin; set local lock_timeout = '20s'`);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return { ...queriesOn(client), client, pid: rows[0]?.pid ?? 0 };
}
const commit = ({ client }: Session) => client.query('commit');
const toWait = ({ pid }: Session) =>
  waitFor('the transaction to wait for a lock', async () => {
    const found = await database.rows<{ is_waiting: boolean }>(
      `select wait_event_type = 'Lock' as is_waiting from pg_stat_activity where pid = $1`,
      [pid],
    );
    return found[0]?.is_waiting === true;
  });

/**
 * Creates a delivery that a sender is sending. The endpoint has not failed before. Recording the first failure
 * therefore also updates the endpoint's row, which the other transaction locks.
 */
const makeDelivery = async () => {
  const endpointId = await putEndpoint(database);
  const id = await putDelivery(database, endpointId, { state: 'retried', attempts: 1, is_released: true });
  return { endpointId, id };
};
const failureOf = (id: string) =>
  recordOutcomes([
    {
      ...noExchange,
      id,
      series: 1,
      attempts: 1,
      outcome: 'refused',
      wait_ms: 1_000,
      since_ms: 0,
      status: 500,
    },
  ]);

describe('a retry and the record of an outcome', () => {
  it('both succeed when the retry locks the endpoint first', async () => {
    const { endpointId, id } = await makeDelivery();
    await inTwoTransactions(async (retry, sender) => {
      await retry.rows(holdEndpointOf(id));
      expect(await sender.rows(failureOf(id))).toHaveLength(1);
      const locked = retry.one(lockDelivery(id));
      await toWait(retry);
      await commit(sender);
      expect(await locked).toMatchObject({ state: 'retried', attempts: 2 });
      await commit(retry);
    });
    expect((await endpointRow(database, endpointId)).failing_since).not.toBeNull();
  });

  it('both succeed when the record locks the delivery first', async () => {
    const { id } = await makeDelivery();
    await inTwoTransactions(async (retry, sender) => {
      expect(await sender.rows(failureOf(id))).toHaveLength(1);
      await retry.rows(holdEndpointOf(id));
      const locked = retry.one(lockDelivery(id));
      await toWait(retry);
      await commit(sender);
      expect(await locked).toMatchObject({ state: 'retried', attempts: 2 });
      await commit(retry);
    });
  });
});

describe('the deletion of an endpoint and the record of an outcome', () => {
  it('both succeed, and the delivery that is being recorded is left to the cleanup job', async () => {
    const { endpointId, id } = await makeDelivery();
    const waiting = await putDelivery(database, endpointId, { state: 'retried', attempts: 1 });
    // The deletion skips the leased delivery while the record of its outcome locks its row.
    await inTwoTransactions(async (remove, sender) => {
      await remove.one(lockEndpoint(endpointId));
      const recorded = sender.rows(failureOf(id));
      await toWait(sender);
      await remove.count(deleteEndpoint(endpointId));
      expect(await remove.count(cancelDeliveries(endpointId, 100))).toBe(1);
      await commit(remove);
      expect(await recorded).toHaveLength(1);
      await commit(sender);
    });
    const states = new Map((await deliveriesOf(database, endpointId)).map((row) => [row.id, row.state]));
    expect([states.get(id), states.get(waiting)]).toEqual(['retried', 'cancelled']);
  });
});

describe('the deletion of an endpoint and a retry', () => {
  it('run one after the other', async () => {
    const { endpointId, id } = await makeDelivery();
    await inTwoTransactions(async (remove, retry) => {
      await retry.rows(holdEndpointOf(id));
      const locked = remove.one(lockEndpoint(endpointId));
      await toWait(remove);
      await retry.one(lockDelivery(id));
      await commit(retry);
      expect(await locked).toMatchObject({ id: endpointId });
      await commit(remove);
    });
  });
});
