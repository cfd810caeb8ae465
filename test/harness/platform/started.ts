import type { RunningProcess } from '../../../local/processes';

/** The servers that the global setup starts and the global teardown stops. Both run in the same process. */
const shared = globalThis as typeof globalThis & { startedServers?: RunningProcess[] };
export const started = (shared.startedServers ??= []);
