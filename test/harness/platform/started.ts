import type { RunningProcess } from '../../../local/processes';

/** The servers that the teardown stops. Setup and teardown share one process. */
const shared = globalThis as typeof globalThis & { startedServers?: RunningProcess[] };
export const started = (shared.startedServers ??= []);
