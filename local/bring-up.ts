import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporalOptions } from '../api/platform/text/temporal-variables';
import { makeConsoleLink, withAdminConnection } from '../db/platform/credentials';
import { migrate } from '../db/platform/migrate';
import { objectStoreLocation } from '../db/platform/object-location';
import { createObjectStore } from '../db/platform/object-store';
import { jwkSet } from '../db/platform/tokens';
import { searchAttributes } from '../workflows/ids';
import {
  apiEnvironment,
  fakesEnvironment,
  liveEnvironment,
  workerEnvironment,
  type StackAddresses,
} from './environments';
import { assertDatabaseAnswers, startPostgres } from './postgres';
import { startNode } from './processes';
import { readyBlock } from './ready-block';
import { createEventKeys, ensureSigningKeys, readSecrets, type EventKeys, type Secrets } from './secrets';
import { seed } from './seed';
import { people } from './seed/accounts';
import { seedHistory } from './seed/history';
import { createOpenLinks } from './seed/open-links';
import { seedRecordings } from './seed/recordings';
import { seedScoredResults } from './seed/scored-results';
import { seedWebhooks } from './seed/webhooks';
import type { Settings } from './settings';
import { describeStack } from './stack-file';
import { reasonOf, StartError } from './start-error';
import { writePrivateJson, type StateFolder } from './state-folder';
import type { Supervisor } from './supervisor';
import { findTemporalServer } from './temporal-binary';
import { registerSearchAttributes, startTemporalServer } from './temporal-server';

interface BringUp {
  settings: Settings;
  folder: StateFolder;
  supervisor: Supervisor;
  print: (line: string) => void;
}

/**
 * Starts all parts of the stack, each as soon as the parts that it needs are ready. Returns the text to print when
 * the stack is ready. Throws a StartError when a part fails to start; the caller must then end all parts.
 */
export async function bringUp(context: BringUp): Promise<string> {
  const { settings, folder } = context;
  const secrets = { ...readSecrets(folder.secretsFile), ...createEventKeys() };
  const [adminUrl, temporalAddress, fakes] = await Promise.all([
    bringUpDatabase(context, secrets),
    bringUpTemporal(context),
    bringUpFakes(context, secrets),
    ensureSigningKeys(folder.signingKeysFile),
    ensureSigningKeys(folder.linkKeysFile),
  ]);
  const stack: StackAddresses = {
    origin: `http://127.0.0.1:${settings.PORT}`,
    portalOrigin: `http://localhost:${settings.PORT}`,
    adminUrl,
    temporalAddress,
    temporalUiUrl: temporalUiUrl(settings, temporalAddress),
    fakesUrl: fakes,
    signingKeysFile: folder.signingKeysFile,
    linkKeysFile: folder.linkKeysFile,
    objectStore: settings.OBJECT_STORE ?? pathToFileURL(folder.objects).href,
  };
  await Promise.all([
    putRecordings(stack),
    bringUpEntry(context, 'worker', '../activities/main.js', workerEnvironment(settings, secrets, stack), {
      restarts: true,
    }),
    bringUpEntry(context, 'api', '../api/main.js', apiEnvironment(settings, secrets, stack), {
      restarts: true,
    }),
    bringUpEntry(context, 'live', '../api/live/main.js', liveEnvironment(settings, secrets, stack), {
      restarts: true,
    }),
  ]);
  const description = await describeStack({
    adminUrl,
    origin: stack.origin,
    portalOrigin: stack.portalOrigin,
    temporalAddress,
    temporalUiUrl: stack.temporalUiUrl,
    fakesUrl: fakes,
    tokenSigningKeys: folder.signingKeysFile,
  });
  const links = await createOpenLinks(stack);
  writePrivateJson(folder.stackFile, { ...description, links });
  const consoleLink = await withAdminConnection(adminUrl, (client) =>
    makeConsoleLink(client, people.merchant_owner, 'production', stack.origin),
  );
  return readyBlock({
    ...description,
    links,
    console_link: consoleLink,
    metricsPort: settings.METRICS_PORT,
    workerMetricsPort: settings.WORKER_METRICS_PORT,
  });
}

async function bringUpDatabase(context: BringUp, secrets: Secrets): Promise<string> {
  const { settings, folder, supervisor } = context;
  const adminUrl = await timed(context, 'postgres', async () => {
    if (settings.DATABASE_URL !== undefined) {
      await assertDatabaseAnswers(settings.DATABASE_URL);
      return settings.DATABASE_URL;
    }
    const postgres = await startPostgres({
      dataDir: folder.postgres,
      port: settings.POSTGRES_PORT,
      password: secrets.postgres_password,
      logFile: folder.logFile('postgres'),
      onProcess: supervisor.adopt,
    });
    supervisor.watch(postgres);
    return postgres.adminUrl();
  });
  const { api_password: apiPassword, worker_password: workerPassword } = secrets;
  await timed(context, 'migrations', async () => migrate({ adminUrl, apiPassword, workerPassword }));
  await timed(context, 'seed', async () => {
    await seed(adminUrl);
    if (settings.DEMO_HISTORY === 'on') {
      await seedHistory(adminUrl);
      await seedScoredResults(adminUrl);
    }
    await seedWebhooks(adminUrl, { sealingKeys: secrets.sealing_keys, fakesUrl: fakesUrl(settings) });
  });
  return adminUrl;
}

/** Stores the demo's recordings in the object store. */
async function putRecordings({ objectStore, origin, linkKeysFile }: StackAddresses): Promise<void> {
  const store = await createObjectStore(
    objectStoreLocation.parse(objectStore),
    jwkSet.parse(linkKeysFile),
    origin,
  );
  await seedRecordings(store).catch((error: unknown) => {
    throw new StartError(`The recordings cannot be stored (${reasonOf(error)}): is OBJECT_STORE right?`);
  });
}

async function bringUpTemporal(context: BringUp): Promise<string> {
  const { settings, folder, supervisor, print } = context;
  return timed(context, 'temporal', async () => {
    if (settings.TEMPORAL_ADDRESS !== undefined) {
      await registerSearchAttributes(
        temporalOptions({ ...settings, TEMPORAL_ADDRESS: settings.TEMPORAL_ADDRESS }),
        settings.TEMPORAL_NAMESPACE,
        searchAttributes,
      );
      return settings.TEMPORAL_ADDRESS;
    }
    const temporal = await startTemporalServer({
      binary: await findTemporalServer({ onProgress: print }),
      port: settings.TEMPORAL_PORT,
      uiPort: settings.TEMPORAL_UI_PORT,
      dbFile: folder.temporalDb,
      searchAttributes,
      logFile: folder.logFile('temporal'),
      onProcess: supervisor.adopt,
    });
    supervisor.watch(temporal);
    return temporal.address;
  });
}

async function bringUpFakes(context: BringUp, keys: EventKeys): Promise<string> {
  const environment = fakesEnvironment(context.settings, keys);
  await bringUpEntry(context, 'fakes', './fakes/main.js', environment);
  return fakesUrl(context.settings);
}

const fakesUrl = ({ FAKES_PORT }: Settings): string => `http://127.0.0.1:${FAKES_PORT}`;

/**
 * Starts the API, the worker or the fakes. The path of the entry file is relative to this folder. If `restarts` is
 * true, the process is started again on the same ports when it ends by itself.
 */
async function bringUpEntry(
  context: BringUp,
  name: string,
  entry: string,
  env: NodeJS.ProcessEnv,
  { restarts = false } = {},
): Promise<void> {
  const { folder, supervisor } = context;
  const script = path.join(__dirname, entry);
  const startProcess = () => startNode({ name, script, env, logFile: folder.logFile(name) });
  await timed(context, name, async () => {
    const running = startProcess();
    supervisor.adopt(running);
    await running.ready;
    supervisor.watch(running, restarts ? startProcess : undefined);
  });
}

async function timed<Result>({ print }: BringUp, name: string, work: () => Promise<Result>): Promise<Result> {
  const start = Date.now();
  const result = await work();
  print(`  ${name.padEnd(12)} ${((Date.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

/**
 * Returns the address of Temporal's UI. A Temporal that this stack did not start usually has its UI on the same host.
 */
function temporalUiUrl({ TEMPORAL_UI_PORT }: Settings, temporalAddress: string): string {
  return `http://${temporalAddress.replace(/:\d+$/, '')}:${TEMPORAL_UI_PORT}`;
}
