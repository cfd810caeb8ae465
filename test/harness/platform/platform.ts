import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { readSigningKey } from '../../../local/fakes/sendgrid-events';
import { startFakes } from '../../../local/fakes/server';
import { createEventKeys } from '../../../local/secrets';
import { merchants } from '../../../local/seed/accounts';
import { describeStack } from '../../../local/stack-file';
import type { StackDescription } from '../../../local/stack-file';
import { inTime } from '../wait-for';
import { createDatabase } from './database';
import type { TestDatabase } from './database';
import { faultsLeft } from './faults-left';
import { infrastructure } from './infrastructure';
import { takePort } from './ports';
import { startProcess } from './process';
import type { TestProcess } from './process';

export type Reply = {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: string; name?: string };
  text: string;
};
export type CallOptions = {
  token?: string;
  query?: Record<string, string>;
  body?: unknown;
  /** The bytes of the request. If set, they are sent instead of `body`. */
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export type Platform = {
  stack: StackDescription;
  /** The key that signs the events of the mail provider. */
  mailEventKey: KeyObject;
  database: TestDatabase;
  signingKeysFile: string;
  linkKeysFile: string;
  sealingKeys: string;
  /** The folder of the object store. It does not exist until the first file is stored. */
  objectsFolder: string;
  /** Calls `/v1/<operation>`, with POST if there is a body, and as `merchant_owner` by default. */
  call: (operation: string, options?: CallOptions) => Promise<Reply>;
  /** The API process that was started last. */
  api: TestProcess;
  /** The address of the API's metrics. */
  metricsUrl: string;
  workerMetricsUrl: string;
  /** Starts another API process. Without other ports in `more`, it takes those of the first one, which must have ended. */
  startApi: (more?: NodeJS.ProcessEnv) => Promise<TestProcess>;
  startWorker: () => Promise<TestProcess>;
  /** The worker process that was started last. */
  worker: TestProcess | undefined;
  fault: (fault: Record<string, unknown>) => Promise<void>;
  /** Removes the remaining faults and releases the requests that a `held` fault delays. */
  clearFaults: () => Promise<void>;
  /** Returns how many more requests the faults of the fakes will affect. */
  faultsLeft: () => Promise<number>;
  /** Returns the JSON of a page of the fakes. */
  fake: (page: string) => Promise<unknown>;
  stop: () => Promise<void>;
};

/**
 * Starts a platform for one test file: the database, the fakes, and the API and worker as processes. They use the
 * Postgres and Temporal servers that all test files share.
 */
export async function startPlatform(
  options: {
    worker?: boolean;
    api?: NodeJS.ProcessEnv;
    workerVariables?: NodeJS.ProcessEnv;
    /** A database to use instead of a new one on the shared Postgres. */
    database?: TestDatabase;
  } = {},
): Promise<Platform> {
  const { folder, temporalAddress } = infrastructure();
  const port = await takePort();
  const eventKeys = createEventKeys();
  const mailEvents = {
    url: `http://127.0.0.1:${port}/hooks/sendgrid`,
    signingKey: readSigningKey(eventKeys.event_signing_key),
  };
  const [database, fakes, apiMetrics, workerMetrics] = await Promise.all([
    options.database ?? createDatabase(),
    startFakes({ port: 0, mailEvents }),
    takePort(),
    takePort(),
  ]);
  const id = randomBytes(6).toString('hex');
  const signingKeysFile = path.join(folder, `keys-${id}.json`);
  writeFileSync(signingKeysFile, JSON.stringify(await generateSigningKeys()), { mode: 0o600 });
  const linkKeysFile = path.join(folder, `link-keys-${id}.json`);
  writeFileSync(linkKeysFile, JSON.stringify(await generateSigningKeys()), { mode: 0o600 });
  const objectsFolder = path.join(folder, `objects-${id}`);
  const origin = `http://127.0.0.1:${port}`;
  const portalOrigin = `http://localhost:${port}`;
  const sealingKeys = `test:${randomBytes(32).toString('base64')}`;
  const shared = {
    PUBLIC_ORIGIN: origin,
    PORTAL_ORIGIN: portalOrigin,
    LINK_SIGNING_KEYS: linkKeysFile,
    OBJECT_STORE: objectsFolder,
    SEALING_KEYS: sealingKeys,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_TASK_QUEUE_PREFIX: `${id}-`,
    // Endpoints in tests are on this machine, so loopback addresses are allowed.
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8,::1',
    WEBHOOK_ALLOWED_PORTS: '*',
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const startApi = (more: NodeJS.ProcessEnv = {}) =>
    startProcess('api', {
      ...shared,
      DATABASE_URL: database.apiUrl,
      PORT: String(port),
      PORTAL_MERCHANT_ID: merchants.main.id,
      METRICS_PORT: String(apiMetrics),
      TOKEN_SIGNING_KEYS: signingKeysFile,
      SENDGRID_EVENT_KEY: eventKeys.event_key,
      SUPPORT_DESK_BASE_URL: `${fakes.url}/support`,
      RATE_LIMIT_PER_MINUTE: '0',
      ADDRESS_LIMIT_PER_MINUTE: '0',
      TEMPORAL_UI_URL: 'https://temporal.example.com/ui/',
      DNS_SERVERS: fakes.dnsAddress,
      ACCOUNT_INVITATIONS_PER_DAY: '100000',
      FEATURE_BOARD_BASE_URL: `${fakes.url}/board`,
      ...options.api,
      ...more,
    });
  const startWorker = () =>
    startProcess('activities', {
      ...shared,
      DATABASE_URL: database.workerUrl,
      DATABASE_DIRECT_URL: database.workerDirectUrl,
      OPENAI_BASE_URL: `${fakes.url}/openai/v1`,
      OPENAI_API_KEY: 'test',
      SENDGRID_BASE_URL: `${fakes.url}/sendgrid`,
      SENDGRID_API_KEY: 'test',
      MAIL_FROM: 'no-reply@acme.test',
      SUPPORT_DESK_BASE_URL: `${fakes.url}/support`,
      SUPPORT_DESK_USER: 'agent@acme.test',
      SUPPORT_DESK_TOKEN: 'test',
      FEATURE_BOARD_BASE_URL: `${fakes.url}/board`,
      FEATURE_BOARD_KEY: 'test',
      FEATURE_BOARD_ID: 'test',
      METRICS_PORT: String(workerMetrics),
      SHUTDOWN_GRACE_SECONDS: '1',
      ...options.workerVariables,
    });
  const running = new Set<TestProcess>();
  const track = async (starting: Promise<TestProcess>) => {
    const process = await starting;
    running.add(process);
    return process;
  };
  let [api, worker] = await Promise.all([
    track(startApi()),
    options.worker === false ? undefined : track(startWorker()),
  ]);
  const stack = await describeStack({
    adminUrl: database.adminUrl,
    origin,
    portalOrigin,
    temporalAddress,
    temporalUiUrl: '',
    fakesUrl: fakes.url,
    tokenSigningKeys: signingKeysFile,
  });

  return {
    stack,
    mailEventKey: mailEvents.signingKey,
    database,
    signingKeysFile,
    linkKeysFile,
    sealingKeys,
    objectsFolder,
    workerMetricsUrl: `http://127.0.0.1:${workerMetrics}`,
    metricsUrl: `http://127.0.0.1:${apiMetrics}`,
    get api() {
      return api;
    },
    get worker() {
      return worker;
    },
    startApi: async (more) => (api = await track(startApi(more))),
    startWorker: async () => (worker = await track(startWorker())),
    call: (operation, call = {}) =>
      inTime(`the reply of ${operation}`, callOperation(stack, operation, call), maxCallMs),
    fault: async (fault) => {
      const response = await fetch(`${fakes.url}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    clearFaults: async () => void (await fetch(`${fakes.url}/faults`, { method: 'DELETE' })),
    faultsLeft: () => faultsLeft(fakes.url),
    fake: async (page) =>
      (await fetch(`${fakes.url}${page}`, { headers: { accept: 'application/json' } })).json(),
    stop: async () => {
      await Promise.all([...running].map((process) => process.kill()));
      await fakes.close();
      await database.drop();
    },
  };
}

/**
 * A fault that delays the provider's responses until `clearFaults`, so that a test can act while no response has
 * arrived. Calls to the model time out after 20 s and calls to other providers after 10 s; then they are retried.
 */
export const held = { delay_ms: 600_000, times: 1_000 };

/** How long a test waits for a reply. The API ends every request within 60 seconds, so this is a little longer. */
const maxCallMs = 65_000;

async function callOperation(stack: StackDescription, operation: string, call: CallOptions): Promise<Reply> {
  const hasBody = call.body !== undefined || call.rawBody !== undefined;
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : '';
  const response = await fetch(`${stack.base_url}/${operation}${query}`, {
    method: hasBody ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${call.token ?? stack.tokens.merchant_owner}`,
      // Every call has the same id, because error bodies contain the id and tests compare whole replies.
      'x-request-id': 'a-call-of-the-tests',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...call.headers,
    },
    ...(hasBody ? { body: call.rawBody ?? JSON.stringify(call.body) } : {}),
    ...(call.signal ? { signal: call.signal } : {}),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parseObject(text) };
}

function parseObject(text: string): Reply['body'] {
  try {
    return JSON.parse(text) as Reply['body'];
  } catch {
    return {};
  }
}

/** Returns a body that `job-interview-create` accepts. */
export const newInterview = (stack: StackDescription, more: Record<string, unknown> = {}) => ({
  name: 'Backend engineer',
  location: 'Amsterdam',
  interview_template_id: stack.template_ids.interactive_avatar_1,
  platform_language_code: 'en',
  status: 'active',
  type: 'interview',
  visibility: 'merchant_public',
  interview_length: 3,
  ...more,
});
