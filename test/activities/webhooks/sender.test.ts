import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { until } from '../../harness/wait-for';
import { never, startReceiver, status } from '../../harness/webhooks/hook-sink';
import type { Receiver } from '../../harness/webhooks/hook-sink';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { SentDelivery, Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
let receiver: Receiver;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterAll(() => webhooks.close());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await webhooks.stopSenders();
  await receiver.close();
  await webhooks.forget();
});

const states = (rows: SentDelivery[]) => rows.map(({ state, attempts }) => [state, attempts]);
const idle = () =>
  until(
    'the sender to be idle',
    () => webhooks.database.rows<{ is_idle: boolean }>('select is_idle from webhook_sender where shard = 0'),
    ([row]) => row?.is_idle === true,
  );

describe('the sender', () => {
  it('sends queued deliveries once each with the documented headers, and records them as acknowledged', async () => {
    const id = await webhooks.endpoint(
      `${receiver.url}/hook?a=b`,
      {},
      { 'x-api-key': 'a secret of sixteen letters' },
    );
    const ids = await webhooks.deliveries(id, 30);
    webhooks.send();
    expect(states(await webhooks.settled(id, 30))).toEqual(ids.map(() => ['acknowledged', 1]));
    expect(receiver.received.map((one) => one.id).toSorted()).toEqual(ids.toSorted());
    expect(receiver.received[0]).toMatchObject({
      path: '/hook?a=b',
      attempt: 1,
      headers: {
        'content-type': 'application/json',
        'x-api-key': 'a secret of sixteen letters',
        'x-platform-event': 'interview_result',
      },
    });
    const [attempt] = await webhooks.attemptsOf(id);
    expect(attempt).toMatchObject({
      outcome: 'acknowledged',
      status: 200,
      request_headers: { 'x-api-key': 'a se…' },
      response_body: 'the receiver’s words',
      peer_address: '127.0.0.1',
      is_truncated: false,
    });
    expect(JSON.parse(String(attempt?.['request_body']))).toMatchObject({
      ai_analysis: 'Öffnet "Türen"\nund \\ Fenster',
    });
    expect(receiver.received.find((one) => one.id === attempt?.delivery_id)?.body).toBe(
      attempt?.['request_body'],
    );
    expect(attempt?.['total_ms']).toBeGreaterThan(0);
  });

  it('sends a sample that is not a result for the test event', async () => {
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.database.rows(
      `insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, id, 'test', 'test' from webhook_endpoint`,
    );
    webhooks.send();
    await webhooks.settled(id, 1);
    expect(receiver.received).toMatchObject([{ headers: { 'x-platform-event': 'test' } }]);
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'test', is_test: true });
  });

  it.each([
    ['500', status(500), { outcome: 'refused', status: 500, error: null }],
    ['301', status(301, { location: '/' }), { outcome: 'refused', status: 301 }],
    ['404', status(404), { outcome: 'refused', status: 404 }],
    [
      'a reset',
      (_: unknown, response: { destroy: () => void }) => response.destroy(),
      { outcome: 'network', status: null },
    ],
    ['silence', never, { outcome: 'timeout', status: null, error: 'no response within 1 s' }, 1],
  ])(
    'records a failure after %s, waits 5 s ± 20 %% and notifies the workflow',
    async (_, answer, expected, timeout_seconds = 60) => {
      receiver.answer = answer;
      const id = await webhooks.endpoint(receiver.url, { timeout_seconds });
      await webhooks.deliveries(id);
      const { notified } = webhooks.send();
      const [row] = await webhooks.settled(id, 1);
      expect(row).toMatchObject({ state: 'retried', attempts: 1 });
      expect(row?.wait_s).toBeLessThan(6);
      expect(await webhooks.attemptsOf(id)).toMatchObject([{ attempt: 1, ...expected }]);
      // The sender notifies only after Postgres has confirmed the row. The test may see the row earlier, so it
      // waits.
      await until(
        'a notification',
        () => notified.size,
        (size) => size > 0,
      );
      expect([...notified]).toEqual([id]);
    },
  );

  it('waits as Retry-After of a 429 says, at most twice the plan of the endpoint', async () => {
    receiver.answer = status(429, { 'retry-after': '3600' });
    const waits = [1_000_000, 1, 1, 1, 1, 1, 1, 1, 1];
    const id = await webhooks.endpoint(receiver.url, { retry_waits_ms: waits });
    await webhooks.deliveries(id);
    webhooks.send();
    const [row] = await webhooks.settled(id, 1);
    // The receiver asks for an hour, so the wait is the maximum: twice 1,000 s, ± 20 %, minus the time that has
    // passed. Without `Retry-After`, it would be at most 1,200 s.
    expect(row?.wait_s).toBeGreaterThan(1_201);
    expect(row?.wait_s).toBeLessThan(2_401);
  });

  it('pauses the endpoint after 410, and keeps later deliveries until it is resumed', async () => {
    receiver.answer = status(410);
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id);
    webhooks.send();
    await webhooks.settled(id, 1);
    await webhooks.deliveries(id, 2);
    const other = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(other);
    await webhooks.settled(other, 1);
    expect(states(await webhooks.rowsOf(id))).toEqual([
      ['retried', 1],
      ['queued', 0],
      ['queued', 0],
    ]);
    receiver.answer = status(200);
    await webhooks.database.rows('update webhook_endpoint set paused_reason = null, paused_at = null');
    expect(states(await webhooks.settled(id, 3))).toEqual([
      ['retried', 1],
      ['acknowledged', 1],
      ['acknowledged', 1],
    ]);
  });

  it('records attempts without a request for private addresses and headers that cannot be decrypted', async () => {
    const blocked = await webhooks.endpoint('https://10.0.0.1/hook');
    const sealed = await webhooks.endpoint(receiver.url, {
      custom_headers_sealed: Buffer.from('nothing sealed'),
    });
    for (const id of [blocked, sealed]) await webhooks.deliveries(id);
    webhooks.send();
    for (const id of [blocked, sealed]) await webhooks.settled(id, 1);
    expect(await webhooks.attemptsOf(blocked)).toMatchObject([{ outcome: 'blocked_address', status: null }]);
    expect(await webhooks.attemptsOf(sealed)).toMatchObject([
      { outcome: 'network', error: expect.stringContaining('SEALING_KEYS'), request_body: null },
    ]);
    expect(receiver.received).toEqual([]);
  });

  it('uses the new version of a changed endpoint in the next attempt', async () => {
    const id = await webhooks.endpoint(`${receiver.url}/old`);
    webhooks.send();
    await webhooks.deliveries(id);
    await webhooks.settled(id, 1);
    await webhooks.database.rows('update webhook_endpoint set url = $1, version = version + 1', [
      `${receiver.url}/new`,
    ]);
    await webhooks.deliveries(id);
    await webhooks.settled(id, 2);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/old', '/new']);
  });

  it('is woken by new deliveries when it is idle, or by a timer without a notification', async () => {
    const id = await webhooks.endpoint(receiver.url);
    webhooks.send();
    await idle();
    // The first delivery comes from a change of the result, whose trigger notifies the sender. The second one is
    // inserted without a notification, so only a scan finds it.
    await webhooks.database.rows(`update interview_result set score = score + 1 where id = $1`, [
      webhooks.resultId,
    ]);
    await webhooks.settled(id, 1);
    await idle();
    await webhooks.deliveries(id);
    await webhooks.settled(id, 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('is idle with more closed endpoints than a scan reads, and still sends new deliveries', async () => {
    await webhooks.database.rows(
      `with closed as (
         insert into webhook_endpoint (merchant_id, environment, url, events, paused_reason, paused_at)
         select merchant_id, 'production', 'http://a.example', '{interview_failed}', 'by_hand', now()
         from interview_result, generate_series(1, 600) where id = $1
         returning id, merchant_id, environment
       )
       insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, id, 'test', 'test' from closed`,
      [webhooks.resultId],
    );
    webhooks.send();
    await idle();
    const id = await webhooks.endpoint(receiver.url);
    await webhooks.deliveries(id);
    await webhooks.settled(id, 1);
    await idle();
    await webhooks.database.rows(`update interview_result set score = score + 1 where id = $1`, [
      webhooks.resultId,
    ]);
    await webhooks.settled(id, 2);
    expect(receiver.received).toHaveLength(2);
  });

  it('sends all deliveries of an endpoint next to endpoints that never respond and fill the window', async () => {
    const silent: string[] = [];
    for (let index = 0; index < 30; index++)
      silent.push(await webhooks.endpoint(`${receiver.url}/silent`, { timeout_seconds: 60 }));
    const well = await webhooks.endpoint(`${receiver.url}/well`);
    receiver.answer = ({ path }, response) => void (path === '/well' && response.end());
    for (const id of silent) await webhooks.deliveries(id, 200);
    await webhooks.deliveries(well, 2_000);
    webhooks.send({ graceMs: 0 });
    // If these deliveries had to wait for the silent endpoints, they would wait for an hour. If the machine stalls
    // for seconds, the endpoint `well` looks slow too, and shares the few slow calls of its merchant until it
    // responds fast again.
    await until(
      'deliveries of the endpoint that answers to be sent',
      async () => {
        const [row] = await webhooks.database.rows<{ left: number }>(
          `select count(*)::int as left from webhook_delivery where endpoint_id = $1 and state = 'queued'`,
          [well],
        );
        return row?.left;
      },
      (left) => left === 0,
    );
    expect(receiver.received.filter(({ path }) => path === '/well')).toHaveLength(2_000);
    await webhooks.stopSenders();
    // Calls that were in flight when the senders stopped are recorded as lost. On a slow machine, some have timed out
    // before.
    const lost = (await Promise.all(silent.map((id) => webhooks.attemptsOf(id)))).flat();
    const outcomes = new Set(lost.map(({ outcome }) => outcome));
    outcomes.delete('timeout');
    expect(outcomes).toEqual(new Set(['worker_lost']));
    const [held] = await webhooks.database.rows('select count(*)::int as held from webhook_lease');
    expect(held).toEqual({ held: 0 });
  }, 300_000);

  it('records a batch although Postgres cannot store one of its responses', async () => {
    // A server of Node cannot send NUL in a body or header values that are not valid text, so a socket writes them.
    const server = createServer((socket) =>
      socket.once('data', () =>
        socket.end('HTTP/1.1 200 OK\r\nx-odd: \ud800\r\ncontent-length: 1\r\n\r\n\0'),
      ),
    );
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const odd = await webhooks.endpoint(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const well = await webhooks.endpoint(receiver.url);
    for (const id of [odd, well]) await webhooks.deliveries(id, 3);
    webhooks.send();
    expect(states(await webhooks.settled(well, 3))).toEqual(
      Array.from({ length: 3 }, () => ['acknowledged', 1]),
    );
    expect(states(await webhooks.settled(odd, 3))).toEqual(
      Array.from({ length: 3 }, () => ['acknowledged', 1]),
    );
    server.close();
  });

  it('schedules by the database’s clock when the clock of the process is far ahead or behind', async () => {
    const real = Date.now;
    receiver.answer = status(500);
    try {
      for (const days of [400, -400]) {
        Date.now = () => real() + days * 86_400_000;
        const id = await webhooks.endpoint(receiver.url);
        await webhooks.deliveries(id, 300);
        webhooks.send();
        const rows = await webhooks.settled(id, 300);
        for (const { state, wait_s } of rows)
          expect([state, wait_s !== null && wait_s < 6.1]).toEqual(['retried', true]);
        const sentAt = Number(receiver.received.at(-1)?.headers['webhook-timestamp']);
        expect(Math.abs(sentAt - real() / 1_000)).toBeLessThan(3_600);
        await webhooks.stopSenders();
      }
    } finally {
      Date.now = real;
    }
  });
});
