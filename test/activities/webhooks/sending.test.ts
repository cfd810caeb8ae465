import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { polling, recording as limits } from '../../../activities/webhooks/sender/limits';
import { createSenderMetrics } from '../../../activities/webhooks/webhook-metrics';
import { syncChangedBody, webhookBody } from '../../../api/webhooks/webhook-body';
import type { WebhookPayload } from '../../../api/webhooks/webhook-body';
import type { Query } from '../../../db/platform/statement';
import { generateSigningSecret } from '../../../db/platform/tokens';
import { secretContext } from '../../../db/webhooks/webhook-endpoints';
import { maxPayloadBytes, maxTextLength } from '../../../db/webhooks/webhook-payload';
import { guideCode } from '../../harness/platform/guide-code';
import { until } from '../../harness/wait-for';
import { never, startReceiver, status } from '../../harness/webhooks/hook-sink';
import type { Received, Receiver } from '../../harness/webhooks/hook-sink';
import { putDelivery, putResult } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { SentDelivery, Webhooks } from '../../harness/webhooks/webhooks';

let webhooks: Webhooks;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
afterEach(async () => {
  await webhooks.stopSenders();
  await webhooks.forget();
});

describe('sender', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });

  const states = (rows: SentDelivery[]) => rows.map(({ state, attempts }) => [state, attempts]);
  const idle = () =>
    until(
      'the sender to be idle',
      () =>
        webhooks.database.rows<{ is_idle: boolean }>('select is_idle from webhook_sender where shard = 0'),
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

    it('sends the event of the feed, which is about no result', async () => {
      const id = await webhooks.endpoint(receiver.url);
      await putDelivery(webhooks.database, id, { event: 'sync.changed', result_id: null });
      webhooks.send();
      await webhooks.settled(id, 1);
      expect(receiver.received).toMatchObject([{ headers: { 'x-platform-event': 'sync.changed' } }]);
      const body: unknown = JSON.parse(receiver.received[0]?.body ?? '');
      expect(body).toEqual({
        type: 'sync.changed',
        timestamp: syncChangedBody.parse(body).timestamp,
        is_test: false,
        is_replay: false,
      });
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
      'records a failure after %s, and waits 5 s ± 20 %%',
      async (_, answer, expected, timeout_seconds = 60) => {
        receiver.answer = answer;
        const id = await webhooks.endpoint(receiver.url, { timeout_seconds });
        await webhooks.deliveries(id);
        webhooks.send();
        const [row] = await webhooks.settled(id, 1);
        expect(row).toMatchObject({ state: 'retried', attempts: 1 });
        expect(row?.wait_s).toBeLessThan(6);
        expect(await webhooks.attemptsOf(id)).toMatchObject([{ attempt: 1, ...expected }]);
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
      expect(await webhooks.attemptsOf(blocked)).toMatchObject([
        { outcome: 'blocked_address', status: null },
      ]);
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
         from interview_result, generate_series(1, $2) where id = $1
         returning id, merchant_id, environment
       )
       insert into webhook_delivery (merchant_id, environment, endpoint_id, event, reason)
       select merchant_id, environment, id, 'test', 'test' from closed`,
        [webhooks.resultId, polling.pageEndpoints + 1],
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
});

describe('sender successor', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });

  describe('a sender’s successor', () => {
    it('continues after a sender that was stopped, and sends nothing twice', async () => {
      const id = await webhooks.endpoint(receiver.url);
      const ids = await webhooks.deliveries(id, 500);
      const first = webhooks.send({ graceMs: 60_000 });
      await until(
        '200 requests',
        () => receiver.received.length,
        (count) => count > 200,
      );
      webhooks.send();
      await first.stop();
      await webhooks.settled(id, 500);
      expect(receiver.received.map((one) => one.id).toSorted()).toEqual(ids.toSorted());
    });

    it('is not needed when a sender only loses the connection of its lock, and nothing is lost', async () => {
      const id = await webhooks.endpoint(receiver.url);
      await webhooks.deliveries(id, 600);
      webhooks.send();
      await until(
        '200 requests',
        () => receiver.received.length,
        (count) => count > 200,
      );
      const cut = await webhooks.database.rows(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'webhook sender 0' and datname = current_database()`,
      );
      expect(cut).toHaveLength(1);
      await webhooks.settled(id, 600);
      expect(receiver.received).toHaveLength(600);
      expect((await webhooks.attemptsOf(id)).filter(({ outcome }) => outcome !== 'acknowledged')).toEqual([]);
    });
  });
});

describe('recorder', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });

  const settled = (endpointId: string, isSettled: (row: SentDelivery) => boolean) =>
    until(
      'every delivery to be settled',
      () => webhooks.rowsOf(endpointId),
      (rows) => rows.every(isSettled),
    );

  /** Replaces the function of the trigger. Dropping a trigger while senders run could end in a deadlock. */
  const accept = (name: string) =>
    webhooks.database.rows(
      `create or replace function public.${name}() returns trigger language plpgsql as $$ begin return new; end $$`,
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
      await accept('refuse_attempt');
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
      await webhooks.database.rows('drop trigger refuse on webhook_attempt');
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
      await accept('refuse_disk');
      await settled(id, ({ state }) => state === 'acknowledged');
      expect(new Set((await webhooks.attemptsOf(id)).map(({ outcome }) => outcome))).toEqual(
        new Set(['acknowledged']),
      );
      expect(receiver.received.filter((one) => ids.includes(one.id))).toHaveLength(ids.length);
      await webhooks.stopSenders();
    });
  });
});

describe('sender bytes', () => {
  const mebibyte = 2 ** 20;

  let receiver: Receiver;
  let most: number;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  beforeEach(() => {
    most = 0;
    receiver.received.length = 0;
  });

  /** Inserts a result whose texts repeat this character. */
  const resultOf = (character: string, length: number): Promise<string> =>
    putResult(webhooks.database, {
      id: randomUUID(),
      status: 'active',
      interview_status: 'completed',
      processing_status: 'completed',
      ai_analysis: character.repeat(length),
      ai_analysis_recruiter: character.repeat(length),
      ai_analysis_other: JSON.stringify({
        strengths_concerns: Object.fromEntries(
          ['strengths', 'concerns'].map((list) => [
            list,
            Array.from({ length: 30 }, () => character.repeat(2_000)),
          ]),
        ),
      }),
    });
  /** Starts a sender, and records the maximum number of bytes that were in flight. */
  const sendWatched = () => {
    const metrics = createSenderMetrics(new Registry());
    webhooks.send({
      metrics: {
        ...metrics,
        setInFlight: (shard, count, bytes) => {
          most = Math.max(most, bytes);
          metrics.setInFlight(shard, count, bytes);
        },
      },
    });
  };
  const allAcknowledged = () =>
    until(
      'every delivery to be acknowledged',
      async () => {
        const [row] = await webhooks.database.rows<{ left: number }>(
          `select count(*)::int as left from webhook_delivery where state <> 'acknowledged'`,
        );
        return row?.left;
      },
      (left) => left === 0,
    );

  describe('a result with texts of megabytes', () => {
    it('is cut to a valid payload of at most 256 KiB: letters, escaped characters and those of four bytes', async () => {
      const characters = ['a', '\u0001', '😀'];
      // The results come first, because a result that is inserted as finished has an event of its own.
      const results = await Promise.all(characters.map((character) => resultOf(character, mebibyte)));
      const id = await webhooks.endpoint(receiver.url);
      for (const result_id of results) await webhooks.deliveries(id, 1, { result_id });
      webhooks.send();
      await allAcknowledged();
      const bodies = receiver.received.map(({ body }) => body);
      for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxPayloadBytes);
      const parsed = bodies.map((body) => webhookBody.parse(JSON.parse(body)));
      expect(new Set(parsed.map((body) => body.ai_analysis))).toEqual(
        new Set(characters.map((character) => character.repeat(maxTextLength))),
      );
      for (const body of parsed) expect(body.ai_analysis_recruiter_why_hire).toHaveLength(10);
      const attempts = await webhooks.attemptsOf(id);
      expect([new Set(attempts.map((attempt) => attempt['request_body'])), attempts.length]).toEqual([
        new Set(bodies),
        characters.length,
      ]);
    });
  });

  describe('many large payloads', () => {
    it('arrive, with no more bytes in flight than the window and its records can hold', async () => {
      const result_id = await resultOf('😀', mebibyte);
      for (let index = 0; index < 16; index++)
        await webhooks.deliveries(await webhooks.endpoint(`${receiver.url}/large`), 16, { result_id });
      receiver.answer = (one, response) => {
        one.body = String(one.body.length);
        void wait(30).then(() => response.end());
      };
      sendWatched();
      await allAcknowledged();
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(256);
      expect(receiver.received).toHaveLength(256);
      expect(most).toBeGreaterThan(mebibyte);
      expect(most).toBeLessThanOrEqual(limits.maxUnrecorded * maxPayloadBytes);
    });
  });

  describe('the sender', () => {
    it('stops while 200 attempts wait to be recorded', async () => {
      receiver.answer = status(200);
      const ids: string[] = [];
      for (let index = 0; index < 15; index++) ids.push(await webhooks.endpoint(`${receiver.url}/${index}`));
      for (const id of ids) await webhooks.deliveries(id, 80);
      // After 200 requests, no outcome is recorded until the test calls `release`.
      let release = () => {};
      let isHeld = false;
      const recording = new Promise<void>((resolve) => {
        release = resolve;
      });
      const queryAsWorker = async <Row>(query: Query<Row>) => {
        if (receiver.received.length > 200 && 'name' in query && query.name === 'record_outcomes') {
          isHeld = true;
          await recording;
        }
        return webhooks.worker.queryAsWorker(query);
      };
      webhooks.send({ database: { ...webhooks.worker, queryAsWorker } });
      let last = -1;
      await until(
        'no more requests',
        async () => {
          const before = last;
          last = receiver.received.length;
          await wait(300);
          return isHeld && before === last;
        },
        (isStill) => isStill,
      );
      // On a loaded machine, the sender classifies some calls as slow. Slow calls have their own limit of 500 for a
      // merchant, so more requests are possible.
      expect(receiver.received.length).toBeLessThan(1_100);
      release();
      for (const id of ids) await webhooks.settled(id, 80);
      expect(receiver.received).toHaveLength(1_200);
    });
  });
});

describe('sender order', () => {
  /*
   * Two deliveries of one result are in flight at the same time, and the receiver gets the older body last. The
   * receiver is the sample code of the guide in its own process, behind a proxy that delays the first request.
   */

  let proxy: Receiver;
  let sample: ChildProcess;
  let sampleUrl: string;
  const secret = generateSigningSecret();
  /** The sample receiver of the guide with an addition: when the test asks, it sends what it has stored. */
  const withDump = `${guideCode('webhooks', 'Node.js')}
process.on('message', () => process.send([...results.values()]));`;

  beforeAll(async () => {
    proxy = await startReceiver();
    const port = await freePort();
    sampleUrl = `http://127.0.0.1:${port}`;
    sample = spawn(process.execPath, ['--input-type=module', '--eval', withDump], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret },
    });
    await until(
      'the receiver to listen',
      () =>
        fetch(sampleUrl, { method: 'POST' }).then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 400,
    );
  });
  afterAll(async () => {
    sample.kill();
  });

  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  const forward = async ({ headers, body }: Received): Promise<number> => {
    const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    return (await fetch(sampleUrl, { method: 'POST', headers: sent, body })).status;
  };
  const stored = async (): Promise<WebhookPayload[]> => {
    const told = once(sample, 'message');
    sample.send('tell');
    const [bodies] = (await told) as [WebhookPayload[]];
    return bodies;
  };

  describe('a receiver that follows the documentation', () => {
    it('ends with the newest body when the older one is stored last', async () => {
      const { rows } = webhooks.database;
      const decide = (decision: boolean) =>
        rows('update interview_result set recruiter_go_next_round = $2 where id = $1', [
          webhooks.resultId,
          decision,
        ]);
      const id = await webhooks.endpoint(proxy.url);
      const [kept] = await rows<{ id: string }>('select id from webhook_secret where endpoint_id = $1', [id]);
      await rows('update webhook_secret set secret_sealed = $2 where id = $1', [
        kept?.id,
        webhooks.seal.seal(secret, secretContext(String(kept?.id))),
      ]);
      webhooks.send();
      // After its first acknowledged delivery, the endpoint may have two calls in flight.
      await webhooks.deliveries(id);
      const acknowledged = (count: number) =>
        until(
          `${count} deliveries to be acknowledged`,
          () => webhooks.rowsOf(id),
          (found) => found.filter(({ state }) => state === 'acknowledged').length === count,
        );
      await acknowledged(1);
      proxy.received.length = 0;
      // The proxy delays the first request until the receiver has stored the body of the second one.
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const statuses: number[] = [];
      proxy.answer = async (one, response) => {
        const { recruiter_go_next_round: decision } = JSON.parse(one.body) as WebhookPayload;
        if (decision === true) await held;
        const status = await forward(one);
        statuses.push(status);
        response.writeHead(status).end();
        if (decision === false) release();
      };
      await decide(true);
      await until(
        'the first request',
        () => proxy.received.length,
        (count) => count === 1,
      );
      await decide(false);
      await acknowledged(3);

      expect(statuses).toEqual([204, 204]);
      const bodies = proxy.received.map(({ body }) => JSON.parse(body) as WebhookPayload);
      expect(bodies.map((body) => body.recruiter_go_next_round)).toEqual([true, false]);
      expect(bodies[1]?.revision).toBe(Number(bodies[0]?.revision) + 1);
      expect(await stored()).toEqual([bodies[1]]);
    });
  });
});
