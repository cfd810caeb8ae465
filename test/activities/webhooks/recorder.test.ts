import { until } from '../../harness/wait-for';
import { startReceiver } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { SentDelivery, Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await openWebhooks();
  receiver = await startReceiver();
});
afterAll(async () => {
  await webhooks.close();
  await receiver.close();
});

const settled = (endpointId: string, isSettled: (row: SentDelivery) => boolean) =>
  until(
    'every delivery to be settled',
    () => webhooks.rowsOf(endpointId),
    (rows) => rows.every(isSettled),
  );

describe('an attempt that cannot be recorded although its values are valid', () => {
  it('counts as lost and is sent again, the others of its batch are recorded, and no lease remains', async () => {
    const id = await webhooks.endpoint(receiver.url);
    const [odd = '', ...others] = await webhooks.deliveries(id, 30);
    await webhooks.database.rows(`
      create function public.refuse_attempt() returns trigger language plpgsql as $$
      begin
        raise exception 'not this one' using errcode = 'XX000';
      end $$`);
    await webhooks.database.rows(
      `create trigger refuse before insert on webhook_attempt for each row
       when (new.outcome <> 'worker_lost' and new.delivery_id = '${odd}') execute function public.refuse_attempt()`,
    );
    webhooks.send();
    await settled(id, ({ id: each, state, attempts }) =>
      each === odd ? attempts > 0 : state === 'acknowledged',
    );
    await webhooks.database.rows('drop trigger refuse on webhook_attempt');
    await settled(id, ({ state }) => state === 'acknowledged');
    const outcomes = (of: string, attempts: Awaited<ReturnType<typeof webhooks.attemptsOf>>) =>
      attempts.filter(({ delivery_id }) => delivery_id === of).map(({ outcome }) => outcome);
    const attempts = await webhooks.attemptsOf(id);
    const ofOdd = outcomes(odd, attempts);
    expect([ofOdd[0], ofOdd.at(-1)]).toEqual(['worker_lost', 'acknowledged']);
    for (const other of others) expect(outcomes(other, attempts)).toEqual(['acknowledged']);
    expect(receiver.received.filter((one) => one.id === odd)).toHaveLength(ofOdd.length);
    await webhooks.stopSenders();
    expect(await webhooks.database.rows('select owner from webhook_lease')).toEqual([]);
  });
});

describe('the recorder of a database without disk space', () => {
  it('records the attempts once there is space, and no delivery is sent twice', async () => {
    const id = await webhooks.endpoint(receiver.url);
    const ids = await webhooks.deliveries(id, 20);
    await webhooks.database.rows(`
      create function public.refuse_disk() returns trigger language plpgsql as $$
      begin
        perform pg_catalog.nextval('public.refusals');
        raise exception 'could not extend file' using errcode = '53100';
      end $$`);
    await webhooks.database.rows('create sequence public.refusals');
    await webhooks.database.rows('grant usage on sequence public.refusals to public');
    await webhooks.database.rows(
      'create trigger refuse before insert on webhook_attempt for each row execute function public.refuse_disk()',
    );
    webhooks.send();
    // The recorder tries again after temporary errors, without a limit. After other errors, it gives up after a dozen
    // tries and records the attempts as lost.
    await until(
      'many tries to record',
      () => webhooks.database.rows<{ last_value: string }>('select last_value from public.refusals'),
      ([row]) => Number(row?.last_value) > 12,
    );
    await webhooks.database.rows('drop trigger refuse on webhook_attempt');
    await settled(id, ({ state }) => state === 'acknowledged');
    expect(new Set((await webhooks.attemptsOf(id)).map(({ outcome }) => outcome))).toEqual(
      new Set(['acknowledged']),
    );
    expect(receiver.received.filter((one) => ids.includes(one.id))).toHaveLength(ids.length);
    await webhooks.stopSenders();
  });
});
