import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

type Channel = 'workflow_start' | 'recording_completed' | 'recording_stored' | 'live_begun' | 'turn_asked';
type ListenSettings = {
  /** The direct address of Postgres, because PgBouncer in transaction mode drops LISTEN without an error. */
  url: string;
  applicationName: string;
  /** What to call for each notification of a channel, with the payload of the notification. */
  channels: Partial<Record<Channel, (payload: string) => void>>;
  /** Called when the connection breaks or cannot be opened. `listenForNotifications` tries to open it again after a second. */
  onError: (error: unknown) => void;
  signal: AbortSignal;
};

const retryMs = 1_000;

/**
 * Calls the function of a channel for each of its notifications. Also calls all functions, with an empty payload, each
 * time the connection was opened, because earlier notifications may have been lost. Resolves when the signal aborts.
 */
export async function listenForNotifications(settings: ListenSettings): Promise<void> {
  const { signal, onError } = settings;
  while (!signal.aborted) {
    await listenOnce(settings).catch(onError);
    await wait(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Listens until the signal aborts. Throws when the connection is lost. */
async function listenOnce({ url, channels, applicationName, signal }: ListenSettings) {
  const client = new Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 4_000,
    query_timeout: 4_000,
    keepAlive: true,
    // The session waits without a limit. PgBouncer rejects this option, so an address that is not direct is noticed.
    options: '-c idle_session_timeout=0',
  });
  const ended = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    client.on('error', reject);
    client.on('end', () => reject(new Error('the connection ended')));
  });
  // The promise can be rejected before anything waits for it, which would count as an unhandled rejection.
  ended.catch(() => undefined);
  const calls = new Map(Object.entries(channels));
  client.on('notification', ({ channel, payload = '' }) => calls.get(channel)?.(payload));
  try {
    await client.connect();
    const listening = client.query([...calls.keys()].map((channel) => `listen ${channel}`).join(';'));
    await Promise.race([listening, ended]);
    for (const call of calls.values()) call('');
    await ended;
  } finally {
    // A server that hangs does not close its side.
    const gone = client.end().catch(() => undefined);
    await Promise.race([gone, wait(retryMs, undefined, { ref: false })]);
  }
}
