/** The servers that the global setup starts and the global teardown stops. Both run in the same process. */
const shared = globalThis as typeof globalThis & { startedServers?: { stop: () => Promise<void> }[] };
export const started = (shared.startedServers ??= []);
