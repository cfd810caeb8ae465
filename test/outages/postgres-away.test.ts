import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JWK } from 'jose';
import { Client } from 'pg';
import { withAdminConnection } from '../../db/platform/credentials';
import { createLinkTokens } from '../../db/platform/link-tokens';
import { migrate } from '../../db/platform/migrate';
import type { Conversation } from '../../local/fakes/zendesk';
import { commandLineOf } from '../../local/pid-file';
import { startPostgres } from '../../local/postgres';
import type { RunningPostgres } from '../../local/postgres';
import { removeCluster } from '../../local/postgres-place';
import { seed } from '../../local/seed';
import { interviewId } from '../../local/seed/fixed-id';
import { countStored, interviewsNamed } from '../harness/interviews/interview-rows';
import { peopleCalls, rowsOf } from '../harness/people/people';
import type { Registration } from '../harness/people/people';
import type { OwnDatabase } from '../harness/platform/database';
import { errorBody } from '../harness/platform/error-body';
import { infrastructure } from '../harness/platform/infrastructure';
import { newInterview } from '../harness/platform/platform';
import { takePort } from '../harness/platform/ports';
import { startPlatform } from '../harness/platform/start-platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { featureCalls } from '../harness/support/feature-calls';
import { issueRow } from '../harness/support/issue-worker';
import { fetchLink } from '../harness/taking/open-link';
import { waitFor } from '../harness/wait-for';
import { startReceiver } from '../harness/webhooks/hook-sink';
import { openWebhooks } from '../harness/webhooks/webhooks';

type OwnPostgres = {
  /** The database of this server. `drop` stops the server. `rows` opens a new connection each time. */
  database: OwnDatabase;
  /** Stops the server in fast mode, as an operator does for maintenance. Resolves when the server is gone. */
  stop: () => Promise<void>;
  /** Kills the server, like a crash of the machine. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
  /** Suspends the server's processes: open connections stay, the kernel accepts new ones, and nothing responds. */
  freeze: () => Promise<void>;
  thaw: () => void;
};

/** Starts a migrated and seeded Postgres for one test, so that the test can stop and start the server. */
async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(infrastructure().dataFolder, 'own-'));
  chmodSync(folder, 0o711);
  const secret = () => randomBytes(16).toString('hex');
  const [password, apiPassword, workerPassword] = [secret(), secret(), secret()];
  const port = await takePort();
  let server: RunningPostgres;
  const start = async () => {
    server = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      port,
      password,
      database: 'platform',
      logFile: path.join(folder, 'postgres.log'),
    });
  };
  await start();
  const frozen: number[] = [];
  const freeze = (pid: number) => {
    process.kill(pid, 'SIGSTOP');
    frozen.push(pid);
  };
  const url = (user: string, secretOfUser: string) =>
    `postgres://${user}:${secretOfUser}@127.0.0.1:${port}/platform`;
  const adminUrl = url('postgres', password);
  await migrate({ adminUrl, apiPassword, workerPassword });
  await seed(adminUrl);
  return {
    database: {
      name: 'platform',
      adminUrl,
      apiUrl: url('app_api_login', apiPassword),
      workerUrl: url('app_worker_login', workerPassword),
      workerDirectUrl: url('app_worker_login', workerPassword),
      rows: async <Row>(text: string, values?: unknown[]) => {
        const client = new Client({ connectionString: adminUrl });
        await client.connect();
        try {
          return (await client.query(text, values)).rows as Row[];
        } finally {
          await client.end();
        }
      },
      disconnect: async () => undefined,
      drop: async () => {
        await server.stop();
        removeCluster(path.join(folder, 'postgres'));
      },
    },
    stop: () => server.stop(),
    kill: async () => {
      const others = await withAdminConnection(adminUrl, othersThan);
      server.kill();
      await server.ended;
      // When the main process of Postgres has ended, its other processes still run for a moment and could finish a
      // statement.
      others.forEach(endAtOnce);
      await waitFor('its other processes to be gone', async () => !others.some(isServing));
    },
    start,
    freeze: () =>
      withAdminConnection(adminUrl, async (client) => {
        // The main process of Postgres is frozen first, so that it starts no more processes. The connection that is
        // already open can still list the others.
        freeze(Number(readFileSync(path.join(server.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]));
        for (const pid of await othersThan(client)) freeze(pid);
      }),
    thaw: () => {
      for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    },
  };
}

/**
 * Returns the ids of the server's processes for connections and background work, except the process of this
 * connection.
 */
async function othersThan(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  return rows.map(({ pid }) => pid);
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process is already gone.
  }
}

const isServing = (pid: number): boolean => commandLineOf(pid).startsWith('postgres');

let postgres: OwnPostgres;
let platform: OwnPlatform;
beforeAll(async () => {
  postgres = await startOwnPostgres();
  platform = await startPlatform({
    database: postgres.database,
    // These limits are never reached, but every call is counted, also while Postgres is away.
    api: { RATE_LIMIT_PER_MINUTE: '100000', ADDRESS_LIMIT_PER_MINUTE: '100000' },
  });
});
afterEach(() => platform.clearFaults());
afterAll(async () => {
  postgres.thaw();
});

const create = (name: string, headers: Record<string, string> = {}) =>
  platform.call('job-interview-create', { body: newInterview(platform.stack, { name }), headers });
const reportIssue = (description: string) =>
  platform.call('merchant-technical-issue', { body: { description: `${description}: it does not work` } });
const readSeeded = () =>
  platform.call('job-interview-get', { query: { position_id: platform.stack.ids.active_interview } });
const archive = () =>
  platform.call('job-interview-set-state', {
    body: { position_id: platform.stack.ids.draft_interview, status: 'archived' },
    headers: { 'idempotency-key': 'while away' },
  });
/**
 * Waits until the workflows of earlier calls have started and their outbox rows are gone, then counts the stored
 * rows.
 */
const countSettled = async () => {
  const unstarted = () => platform.database.rows('select from workflow_start');
  await waitFor('earlier calls’ workflows to start', async () => (await unstarted()).length === 0);
  return countStored(platform.database);
};
const status = async (path: string) => (await fetch(`${platform.stack.origin}${path}`)).status;
const workerStatus = async (path: string) => (await fetch(`${platform.workerMetricsUrl}${path}`)).status;

/**
 * Returns a function that opens the link of a candidate, opens the invitation of an account, and accepts this
 * invitation.
 */
async function portalLinks() {
  const people = peopleCalls(platform);
  const [candidate] = await people.register([{ email: 'away@example.com' }]);
  const [account] = await people.invite([{ email: 'away@account.example' }]);
  const keys = JSON.parse(readFileSync(platform.linkKeysFile, 'utf8')) as { keys: JWK[] };
  const links = await createLinkTokens(keys, platform.stack.portal_url);
  const accountUrl = await links.accountUrl({
    profileId: account?.profile_id ?? '',
    merchantId: platform.stack.merchant_id,
    generation: 0,
  });
  const body = new URL(accountUrl).searchParams;
  const headers = { 'accept-language': 'de' };
  return () =>
    Promise.all([
      fetchLink(candidate?.interview_url ?? '', headers),
      fetch(accountUrl, { headers }),
      fetch(`${platform.stack.portal_url}/invitation/`, { method: 'POST', body, headers }),
    ]);
}

async function expectPagesAway(pages: Response[]) {
  for (const page of pages) {
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await page.text()).toMatch(/<html lang="de"[^]*Diese Seite ist gerade nicht verfügbar/);
  }
}

async function expectAway() {
  const people = peopleCalls(platform);
  const replies = [
    await readSeeded(),
    await create('Away'),
    await archive(),
    await people.tryRegister([{ email: 'away@example.com' }], { send_email: true }),
    await people.tryInvite([{ email: 'away@example.com' }], {}, { headers: { 'idempotency-key': 'away' } }),
    await platform.call('merchant-status'),
    await featureCalls(platform).ask('While Postgres is away'),
    await reportIssue('Away'),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(503);
    expect(reply.body).toEqual(errorBody('service_unavailable'));
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await status('/readyz')).toBe(503);
  expect(await status('/healthz')).toBe(200);
  expect(await workerStatus('/readyz')).toBe(503);
  expect(await workerStatus('/healthz')).toBe(200);
}

/** Lets the worker send webhooks. `finish` waits for the last one, and checks that no attempt was lost. */
async function startSending() {
  const webhooks = await openWebhooks(platform.database, platform.sealingKeys);
  const receiver = await startReceiver();
  const endpoint = await webhooks.endpoint(receiver.url);
  await webhooks.deliveries(endpoint, 1_000);
  await waitFor('100 requests', async () => receiver.received.length > 100);
  const left = `select from webhook_delivery where endpoint_id = $1 and state <> 'acknowledged'`;
  return {
    finish: async () => {
      await waitFor('every webhook to be sent', async () => {
        const rows = await platform.database.rows(left, [endpoint]).catch(() => [{}]);
        return rows.length === 0;
      });
      expect((await webhooks.attemptsOf(endpoint)).length).toBeGreaterThanOrEqual(receiver.received.length);
    },
  };
}

const reads = async (count = 12) =>
  (await Promise.all(Array.from({ length: count }, readSeeded))).map((reply) => reply.status);
const allFine = Array(12).fill(200);

describe('when Postgres is shut down', () => {
  it('reads and writes get a 503, and the next request after its return works', async () => {
    const openPages = await portalLinks();
    const stored = await countSettled();
    const sending = await startSending();
    await postgres.stop();
    await expectAway();
    await expectPagesAway(await openPages());
    await postgres.start();
    // All connections of the pool broke when Postgres stopped. Twelve simultaneous calls are enough to use every
    // connection.
    expect(await reads()).toEqual(allFine);
    expect(await status('/readyz')).toBe(200);
    expect(await workerStatus('/readyz')).toBe(200);
    expect(await countStored(platform.database)).toEqual(stored);
    expect((await openPages()).map((page) => page.status)).toEqual([200, 200, 200]);
    expect((await create('After the shutdown')).status).toBe(200);
    await sending.finish();
  });
});

describe('when Postgres crashes', () => {
  it('and is back before the next request, no request fails', async () => {
    expect(await reads()).toEqual(allFine);
    const sending = await startSending();
    await postgres.kill();
    await postgres.start();
    const [created, found] = await Promise.all([create('Right after it crashed'), reads()]);
    expect([created.status, found]).toEqual([200, allFine]);
    await sending.finish();
  });

  it('while calls are being handled, each is done once, or gets a 503 and has stored nothing', async () => {
    const users = (name: string) =>
      Array.from({ length: 20 }, (_, index) => ({ email: `n${index}@${name}.example` }));
    const invited = users('invite').flatMap((user) => [
      user,
      { ...user, type: 'candidate', interview_id: interviewId('active') },
    ]);
    const people = peopleCalls(platform);
    const register = () => people.tryRegister(users('register'), { send_email: true });
    const invite = () => people.tryInvite(invited);
    const storedPeople = async () => {
      const { interview: _, question: __, interview_question: ___, ...counts } = await countSettled();
      return counts;
    };
    const stored = await storedPeople();
    const conversations = async () =>
      ((await platform.fake('/conversations')) as Conversation[]).filter(({ body }) =>
        body.startsWith('Meanwhile'),
      );
    await platform.fault({ provider: 'support', accept: true, delay_ms: 3_000 });
    await platform.fault({ provider: 'openai', delay_ms: 3_000 });
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and usename = 'app_api_login'`;
    // Two calls wait for the locked row of the account, after their first statements. The connection with the lock ends,
    // too.
    const calls = await withAdminConnection(platform.database.adminUrl, async (holder) => {
      holder.on('error', () => undefined);
      await holder.query('begin');
      await holder.query('select from credit_account for update');
      const made = {
        refused: Promise.all([register(), invite()]),
        reported: reportIssue('Meanwhile'),
        created: create('Meanwhile'),
      };
      await Promise.all([
        waitFor('the calls to wait', async () => (await platform.database.rows(waiting)).length === 2),
        waitFor('the conversation', async () => (await conversations()).length > 0),
        waitFor('the unbuilt row', async () => (await interviewsNamed(platform.database, 'Meanwhile'))[0]),
      ]);
      await postgres.kill();
      return made;
    });
    expect((await calls.refused).map((reply) => reply.status)).toEqual([503, 503]);
    await postgres.start();

    const created = await calls.created;
    const rows = await interviewsNamed(platform.database, 'Meanwhile');
    if (created.status === 200)
      expect(rows).toEqual([
        expect.objectContaining({ id: created.body['interview_def_set_id'], is_built: true, steps: 6 }),
      ]);
    else expect([created.status, rows]).toEqual([503, []]);

    const { status: answered, body } = await calls.reported;
    const id = String(body['id']);
    const sent = await waitFor('the record of the issue', async () => {
      const row = await issueRow(platform.database, id).catch(() => undefined);
      return row?.status === 'sent' ? row : undefined;
    });
    expect((await conversations()).map(({ number }) => `#${number}`)).toEqual([sent.reference]);
    expect([answered, body]).toEqual([
      200,
      body['status'] === 'sent'
        ? { id, status: 'sent', reference: sent.reference }
        : { id, status: 'queued', reference: null },
    ]);

    expect(await storedPeople()).toEqual(stored);
    const results = [await register(), await invite()].flatMap((reply) => rowsOf<{ result: string }>(reply));
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(['ok', 'Invited']));
  });
});

const readStatus = () => platform.call('merchant-status');
const archiveHung = () =>
  platform.call('job-interview-set-state', {
    body: { position_id: platform.stack.ids.draft_interview, status: 'archived' },
    headers: { 'idempotency-key': 'while it hangs' },
  });
const register = () => peopleCalls(platform).tryRegister([{ email: 'hang@example.com' }]);

describe('when Postgres hangs', () => {
  it('reads, writes and pages get a 503, and the next requests after it continues work', async () => {
    const [candidate] = rowsOf<Registration>(await register());
    const page = async () => (await fetchLink(candidate?.interview_url ?? '')).status;
    const ready = async () => (await fetch(`${platform.stack.origin}/readyz`)).status;
    const ask = async () => {
      // There are more calls than connections in the pool: some calls use open connections, others try to open new
      // ones.
      const replies = await Promise.all([
        ...Array.from({ length: 12 }, readStatus),
        archiveHung(),
        archiveHung(),
        register(),
      ]);
      return replies.map(({ status }) => status);
    };
    expect((await Promise.all(Array.from({ length: 6 }, readStatus))).map(({ status }) => status)).toEqual(
      Array(6).fill(200),
    );
    await postgres.freeze();
    const [hung, ...others] = await Promise.all([ask(), page(), ready()]);
    expect(hung).toEqual(Array(15).fill(503));
    expect(others).toEqual([503, 503]);
    // By now, the pool has closed all connections that hang, so this call needs a new one.
    expect((await readStatus()).status).toBe(503);
    postgres.thaw();
    expect((await Promise.all(Array.from({ length: 12 }, readStatus))).map(({ status }) => status)).toEqual(
      Array(12).fill(200),
    );
    expect([(await register()).status, await page(), await ready()]).toEqual([200, 200, 200]);
    const archived = await archiveHung();
    expect(archived.status).toBe(200);
    expect(
      await postgres.database.rows('select status from interview where id = $1', [interviewId('draft')]),
    ).toEqual([{ status: 'archived' }]);
  });
});
