import { once } from 'node:events';
import { connect } from 'node:net';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import type { TemporalOptions } from '../api/platform/text/temporal-variables';
import { assertPortsFree } from './ports';
import { startGuarded, waitUntilReady, type RunningProcess } from './processes';
import { reasonOf, StartError } from './start-error';

const connectLimitMs = 2_000;
/**
 * How long the server may take to end before it is killed. It needs three seconds to drain. Its SQLite file survives
 * a kill.
 */
const graceMs = 5_000;
/** The codes PERMISSION_DENIED, UNIMPLEMENTED and UNAUTHENTICATED of gRPC, whose package is not a direct dependency. */
const operatorRefusals: ReadonlySet<number> = new Set([7, 12, 16]);
/** The code INVALID_ARGUMENT of gRPC. */
const queryRefusals: ReadonlySet<number> = new Set([3]);
/** The value of INDEXED_VALUE_TYPE_KEYWORD in temporal.api.enums.v1, whose package is not a direct dependency. */
const keyword = 2;

export type SearchAttributes = Readonly<Record<string, 'Keyword'>>;

interface TemporalServerSettings {
  /** The path of the `temporal` program. */
  binary: string;
  port: number;
  /** The port of the UI. Without it, no UI is started. */
  uiPort?: number;
  /** The file of the SQLite database. Without it, everything is kept in memory. */
  dbFile?: string;
  searchAttributes: SearchAttributes;
  logFile: string;
  /** Called with the server's process as soon as it exists, before it is ready. */
  onProcess?: (running: RunningProcess) => void;
}

export interface RunningTemporalServer extends RunningProcess {
  /** The address of the server, in the form host:port. */
  address: string;
}

/**
 * Starts a development server on 127.0.0.1 and waits until the namespace `default` has all search attributes. The
 * server picks free ports for everything else (metrics, HTTP, internal services), so several servers do not conflict.
 * If it cannot run, throws a StartError and leaves nothing running.
 */
export async function startTemporalServer(settings: TemporalServerSettings): Promise<RunningTemporalServer> {
  const { port, uiPort } = settings;
  // If another program used the port, we would take its responses for those of our own server.
  await assertPortsFree([
    { variable: 'TEMPORAL_PORT', port },
    ...(uiPort === undefined ? [] : [{ variable: 'TEMPORAL_UI_PORT', port: uiPort }]),
  ]);
  const address = `127.0.0.1:${port}`;
  const running = startGuarded({
    name: 'temporal',
    command: settings.binary,
    args: serverArguments(settings),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR },
    endSignals: ['SIGTERM'],
    graceMs,
    logFile: settings.logFile,
  });
  settings.onProcess?.(running);
  await waitUntilReady(running, async () => {
    // After a refused connection, a gRPC client waits a second. A plain socket therefore first checks that the port
    // is open.
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await addSearchAttributes({ address }, 'default', settings.searchAttributes);
  });
  return { ...running, address };
}

/**
 * Registers missing search attributes. Throws a StartError when the server does not respond or denies access, and when
 * it lacks search attributes that it does not let us register.
 */
export async function registerSearchAttributes(
  options: TemporalOptions,
  namespace: string,
  searchAttributes: SearchAttributes,
): Promise<void> {
  try {
    await addSearchAttributes(options, namespace, searchAttributes);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(
      `Temporal at ${options.address} does not take our search attributes in namespace ${namespace} (${reasonOf(error)}): ` +
        'correct TEMPORAL_ADDRESS or TEMPORAL_NAMESPACE, or unset them for a server of our own.',
    );
  }
}

function serverArguments({ port, uiPort, dbFile, searchAttributes }: TemporalServerSettings): string[] {
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    // By default a server with one shard makes at most 20 task polls a second. A workflow with one activity then takes
    // 150 ms instead of 26 ms.
    ...['transfer', 'timer'].flatMap((queue) => [
      '--dynamic-config-value',
      `history.${queue}ProcessorMaxPollRPS=2000`,
    ]),
    // By default timers and retries fire up to a second late, and a workflow continues or starts again at the earliest
    // a second after its last start.
    ...['timerProcessorMaxTimeShift="10ms"', 'workflowIdReuseMinimalInterval="0s"'].flatMap((setting) => [
      '--dynamic-config-value',
      `history.${setting}`,
    ]),
    // A worker gets activities in the reply to the workflow task that asks for them, without a poll. Candidates wait for
    // decisions (docs/operations.md#task-queues).
    '--dynamic-config-value',
    'system.enableActivityEagerExecution=true',
    // In the report and scoring queues, merchants take turns (docs/operations.md#task-queues). Taking turns works only
    // within a partition, so each of these queues has a single partition.
    ...['enableFairness=true', 'numTaskqueueWritePartitions=1'].flatMap((setting) => [
      '--dynamic-config-value',
      `matching.${setting}`,
    ]),
    ...Object.entries(searchAttributes).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`]),
    '--log-level',
    'error',
    // The file is not synced to the disk at each step, so it survives the end of the processes but not a power
    // failure. With syncs the server is half as fast.
    ...(dbFile === undefined ? [] : ['--db-filename', dbFile]),
    ...['journal_mode=WAL', 'synchronous=OFF'].flatMap((pragma) =>
      dbFile === undefined ? [] : ['--sqlite-pragma', pragma],
    ),
  ];
}

/**
 * Adds search attributes through the API of the server, because its option `--search-attribute` works only for a new
 * file and is silently ignored for an existing one.
 */
async function addSearchAttributes(
  options: TemporalOptions,
  namespace: string,
  searchAttributes: SearchAttributes,
): Promise<void> {
  const names = Object.keys(searchAttributes);
  const connection = await Connection.connect({ ...options, connectTimeout: connectLimitMs });
  try {
    const isRegistered = await connection.withDeadline(Date.now() + connectLimitMs, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      try {
        const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
        const missing = names.filter((name) => !(name in (customAttributes ?? {})));
        if (missing.length > 0)
          await connection.operatorService.addSearchAttributes({
            namespace,
            searchAttributes: Object.fromEntries(missing.map((name) => [name, keyword])),
          });
        return true;
      } catch (error) {
        if (isGrpcServiceError(error) && operatorRefusals.has(error.code)) return false;
        throw error;
      }
    });
    if (!isRegistered) await assertSearchable(connection, namespace, names);
  } finally {
    await connection.close();
  }
}

/**
 * Throws a StartError that names the search attributes which do not exist. It finds out by a query, because Temporal
 * Cloud has no operator service.
 */
async function assertSearchable(connection: Connection, namespace: string, names: string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of names)
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query: `${name} = 'any'` });
    } catch (error) {
      if (!isGrpcServiceError(error) || !queryRefusals.has(error.code)) throw error;
      missing.push(name);
    }
  if (missing.length > 0)
    throw new StartError(
      `The namespace ${namespace} lacks the search attributes ${missing.join(', ')}, and Temporal does not let this ` +
        'program create them: create them as keywords (docs/operations.md#temporal-cloud).',
    );
}
