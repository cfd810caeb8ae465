import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateSigningKeys } from '../../../db/platform/tokens';
import { readSigningKey } from '../../../local/fakes/sendgrid-events';
import { startFakes } from '../../../local/fakes/server';
import { createEventKeys } from '../../../local/secrets';
import { merchants } from '../../../local/seed/accounts';
import { describeStack } from '../../../local/stack-file';
import { atEnd, once } from '../at-end';
import { createDatabase } from './database';
import type { OwnDatabase } from './database';
import { infrastructure } from './infrastructure';
import { connectPlatform } from './platform';
import type { Platform, PlatformFacts } from './platform';
import { takePort } from './ports';
import { startProcess } from './process';
import type { TestProcess } from './process';

/** A platform whose processes a test may end and start. */
export type OwnPlatform = Platform & {
  facts: PlatformFacts;
  /** The API process that was started last. */
  api: TestProcess;
  /** Starts another API process. Without other ports in `more`, it takes those of the first one, which must have ended. */
  startApi: (more?: NodeJS.ProcessEnv) => Promise<TestProcess>;
  startWorker: () => Promise<TestProcess>;
  /** The worker process that was started last. */
  worker: TestProcess | undefined;
  stop: () => Promise<void>;
};

/**
 * Starts a platform for one test file, and stops it when the file ends: the database, the fakes, and the API and worker
 * as processes. They use the Postgres and Temporal servers that all test files share.
 */
export async function startPlatform(
  options: {
    worker?: boolean;
    /** Whether interviews can be held live. */
    live?: boolean;
    api?: NodeJS.ProcessEnv;
    workerVariables?: NodeJS.ProcessEnv;
    /** A database to use instead of a new one on the shared Postgres. */
    database?: OwnDatabase;
  } = {},
): Promise<OwnPlatform> {
  const { folder, temporalAddress } = infrastructure();
  const port = await takePort();
  const eventKeys = createEventKeys();
  const mailEvents = {
    url: `http://127.0.0.1:${port}/hooks/sendgrid`,
    signingKey: readSigningKey(eventKeys.event_signing_key),
  };
  const [database, fakes, apiMetrics, workerMetrics, livePort] = await Promise.all([
    options.database ?? createDatabase(),
    startFakes({
      port: 0,
      mailEvents,
      messageHook: { authToken: eventKeys.message_token },
      videoHook: { url: `http://127.0.0.1:${port}/hooks/heygen`, secret: eventKeys.video_secret },
    }),
    takePort(),
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
      ...(options.live ? { LIVE_ORIGIN: `ws://127.0.0.1:${livePort}` } : {}),
      METRICS_PORT: String(apiMetrics),
      TOKEN_SIGNING_KEYS: signingKeysFile,
      SENDGRID_EVENT_KEY: eventKeys.event_key,
      TWILIO_AUTH_TOKEN: eventKeys.message_token,
      HEYGEN_WEBHOOK_SECRET: eventKeys.video_secret,
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
      TWILIO_URL: `${fakes.url}/twilio`,
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: eventKeys.message_token,
      TWILIO_FROM: '+15005550006',
      HEYGEN_URL: `${fakes.url}/heygen`,
      HEYGEN_API_KEY: 'test',
      HEYGEN_AVATAR_ID: 'test-avatar',
      HEYGEN_VOICE_ID: 'test-voice',
      HEYGEN_MINUTE_PRICE: '0.5',
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
  const running = new Set<Promise<TestProcess>>();
  const track = (starting: Promise<TestProcess>) => {
    running.add(starting);
    return starting;
  };
  const stop = once(async () => {
    const processes = await Promise.allSettled(running);
    await Promise.all(processes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.kill()] : [])));
    await fakes.close();
    await database.drop();
  });
  atEnd(stop);
  let [api, worker] = await Promise.all([
    track(startApi()),
    options.worker === false ? undefined : track(startWorker()),
  ]).catch(async (error: unknown) => {
    // What goes on running would keep the process of the global setup from ending.
    await stop();
    throw error;
  });
  const stack = await describeStack({
    adminUrl: database.adminUrl,
    origin,
    portalOrigin,
    temporalAddress,
    temporalUiUrl: '',
    fakesUrl: fakes.url,
    tokenSigningKeys: signingKeysFile,
  });

  const { name, adminUrl, apiUrl, workerUrl, workerDirectUrl } = database;
  const facts = {
    stack,
    databaseUrls: { name, adminUrl, apiUrl, workerUrl, workerDirectUrl },
    signingKeysFile,
    linkKeysFile,
    sealingKeys,
    livePort,
    liveVariables: {
      ...shared,
      DATABASE_URL: database.apiUrl,
      OPENAI_BASE_URL: `${fakes.url}/openai/v1`,
      OPENAI_API_KEY: 'test',
      OPENAI_LISTENING_PRICE: '0.6',
    },
    objectsFolder,
    metricsUrl: `http://127.0.0.1:${apiMetrics}`,
    workerMetricsUrl: `http://127.0.0.1:${workerMetrics}`,
    messageToken: eventKeys.message_token,
    videoSecret: eventKeys.video_secret,
    mailEventPem: mailEvents.signingKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    apiLog: api.logFile,
    workerLog: worker?.logFile ?? '',
  };
  return {
    ...connectPlatform(facts, database),
    facts,
    get api() {
      return api;
    },
    get worker() {
      return worker;
    },
    startApi: async (more) => (api = await track(startApi(more))),
    startWorker: async () => (worker = await track(startWorker())),
    stop,
  };
}

/** Starts a live process of a platform, by default where the API sends conversations. It ends when the test file ends. */
export async function startLive(
  { livePort, liveVariables }: PlatformFacts,
  port: number = livePort,
  more: NodeJS.ProcessEnv = {},
): Promise<TestProcess> {
  const metricsPort = await takePort();
  const live = await startProcess('api/live', {
    ...liveVariables,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    ...more,
  });
  atEnd(live.kill);
  return live;
}
