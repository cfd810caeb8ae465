import type { RunningProcess } from '../../local/processes';

/** Servers of the run, for the teardown; setup and teardown share one process. */
const shared = globalThis as typeof globalThis & { startedServers?: RunningProcess[] };
export const started = (shared.startedServers ??= []);
