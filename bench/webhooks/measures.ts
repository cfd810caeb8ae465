import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { scaled } from '../stack';
import { end } from '../worker';
import type { Ground, Seconds } from './ground';
import { insertDeliveries, insertEndpoints, merchantIds } from './rows';

const urls = (ground: Ground, path: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${ground.sinkUrl}/${path}/${index}`);

/** Waits until the sink has received `count` requests of a kind. Returns their rate per second since the first one. */
async function rateOf(ground: Ground, kind: string, count: number, limitMs = 180_000): Promise<number> {
  let startedAt = performance.now();
  for (const until = performance.now() + limitMs; performance.now() < until; await wait(20)) {
    const seen = (await ground.count()).byKind[kind] ?? 0;
    if (seen === 0) startedAt = performance.now();
    if (seen >= count) return (seen / (performance.now() - startedAt)) * 1_000;
  }
  throw new Error(`the sink did not get its ${count} requests`);
}

const since = (now: Seconds, before: Seconds): Seconds => ({
  postgres: now.postgres - before.postgres,
  sink: now.sink - before.sink,
  senders: now.senders - before.senders,
});

export type Drain = { perSecond: number; cpu: Seconds; attempts: number };

/** Inserts the given number of deliveries at 50 endpoints and waits until all are sent and recorded. */
export async function measureDrain(ground: Ground, count: number): Promise<Drain> {
  await ground.clean();
  const ids = await insertEndpoints(ground.admin, urls(ground, 'ok', 50));
  await insertDeliveries(ground.admin, ids, count);
  await ground.admin.query('checkpoint');
  const child = await ground.start('sender-process');
  const before = ground.cpuSeconds();
  const startedAt = performance.now();
  await rateOf(ground, 'ok', count);
  while (((await ground.states())['queued'] ?? 0) > 0) await wait(20);
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = since(ground.cpuSeconds(), before);
  const { rows } = await ground.admin.query<{ count: number }>(
    'select count(*)::int as count from webhook_attempt',
  );
  await end(child, 'SIGKILL');
  const per = 1_000 / count;
  return {
    perSecond: count / seconds,
    cpu: { postgres: used.postgres * per, sink: used.sink * per, senders: used.senders * per },
    attempts: rows[0]?.count ?? 0,
  };
}

/**
 * The numbers of healthy (`well`) and ill endpoints, and the number of deliveries to each of the two groups. The ill
 * endpoints have the path `illPath`.
 */
export type Others = {
  well: number;
  count: number;
  ill: number;
  illPath: string;
  illCount: number;
  /** With three merchants, the ill endpoints belong to the first one and the healthy endpoints to the other two. */
  merchants?: 1 | 3;
};

/**
 * Measures the rate of the healthy endpoints while deliveries to ill endpoints wait, or without ill endpoints if
 * `ill` is 0.
 */
export async function measureOthers(
  ground: Ground,
  { well, count, ill, illPath, illCount, merchants = 1 }: Others,
): Promise<number> {
  await ground.clean();
  const [first, ...others] = merchantIds.slice(0, merchants);
  const illIds = await insertEndpoints(ground.admin, urls(ground, illPath, ill), first);
  if (ill > 0) await insertDeliveries(ground.admin, illIds, illCount);
  const healthy = others.length > 0 ? others : [first];
  for (const merchant of healthy) {
    const ids = await insertEndpoints(ground.admin, urls(ground, 'ok', well / healthy.length), merchant);
    await insertDeliveries(ground.admin, ids, Math.ceil(count / healthy.length));
  }
  await ground.admin.query('checkpoint');
  const child = await ground.start('sender-process');
  const rate = await rateOf(ground, 'ok', count);
  await end(child, 'SIGKILL');
  return rate;
}

/**
 * Measures the requests per second to an endpoint that takes three seconds to respond. The first 20 s do not count,
 * because the sender is still raising its number of concurrent requests.
 */
export async function measureSlow(ground: Ground): Promise<number> {
  await ground.clean();
  const ids = await insertEndpoints(ground.admin, urls(ground, 'wait/3000', 1));
  await insertDeliveries(ground.admin, ids, scaled(1_000));
  const child = await ground.start('sender-process');
  await wait(scaled(20_000));
  const seen = async () => (await ground.count()).byKind['wait'] ?? 0;
  const before = await seen();
  const ms = scaled(12_000);
  await wait(ms);
  const rate = (((await seen()) - before) / ms) * 1_000;
  await end(child, 'SIGKILL');
  return rate;
}

/** Measures the CPU milliseconds that Postgres spends on one change of a result that creates a delivery. */
export async function measureBirth(ground: Ground, count: number): Promise<number> {
  await ground.clean();
  await insertEndpoints(ground.admin, urls(ground, 'ok', 1));
  const change = async (changes: number) => {
    const load = await ground.start('load-process', { PER_SECOND: '1000', SECONDS: String(changes / 1_000) });
    await once(load, 'exit');
  };
  await change(scaled(1_000));
  const before = ground.cpuSeconds();
  await change(count);
  return (since(ground.cpuSeconds(), before).postgres / count) * 1_000;
}

/** Sends deliveries to receivers that respond with 500. Measures the requests per second. */
export async function measureFailures(ground: Ground, count: number): Promise<number> {
  await ground.clean();
  const ids = await insertEndpoints(ground.admin, urls(ground, 'status/500', 50));
  await insertDeliveries(ground.admin, ids, count);
  await ground.admin.query('checkpoint');
  const child = await ground.start('sender-process');
  const perSecond = await rateOf(ground, 'status', count);
  await end(child, 'SIGKILL');
  return perSecond;
}

/**
 * Measures the milliseconds from the change of a result to the request that reports it, at a steady rate of changes.
 */
export async function measureLag(
  ground: Ground,
  perSecond: number,
  seconds: number,
): Promise<{ p50: number; p99: number }> {
  await ground.clean();
  await insertEndpoints(ground.admin, urls(ground, 'ok', 1));
  const child = await ground.start('sender-process');
  await wait(500);
  const load = (lasting: number) =>
    ground.start('load-process', { PER_SECOND: String(perSecond), SECONDS: String(lasting) });
  // The first second is a warm-up and does not count.
  const warmUp = scaled(1_000) / 1_000;
  await load(warmUp);
  await rateOf(ground, 'ok', perSecond * warmUp * 0.9);
  // A change of a result that is still queued would create no delivery.
  while (((await ground.states())['queued'] ?? 0) > 0) await wait(20);
  await ground.forget();
  await load(seconds);
  await rateOf(ground, 'ok', perSecond * seconds * 0.99);
  const { p50, p99 } = await ground.report();
  await end(child, 'SIGTERM');
  return { p50, p99 };
}

/**
 * Measures the memory of the sender's process while it sends `count` deliveries, in bytes: `first` is its size after
 * one second, `most` the maximum of the next ten seconds.
 */
export async function measureMemory(ground: Ground, count: number): Promise<{ first: number; most: number }> {
  await ground.clean();
  const ids = await insertEndpoints(ground.admin, urls(ground, 'ok', 50));
  for (let made = 0; made < count; made += 100_000)
    await insertDeliveries(ground.admin, ids, Math.min(100_000, count - made));
  const child = await ground.start('sender-process');
  await wait(scaled(1_000));
  const first = ground.residentBytes();
  let most = first;
  for (let second = 0; second < 10; second++) {
    await wait(scaled(1_000));
    most = Math.max(most, ground.residentBytes());
  }
  await end(child, 'SIGKILL');
  return { first, most };
}
