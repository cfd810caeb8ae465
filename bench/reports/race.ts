import { median } from '../stack';

export type Race<Kind extends string> = {
  kinds: Record<Kind, (call: number) => Promise<unknown>>;
  /** The number of calls of each kind, which all clients make together. */
  calls: number;
  warmUp: number;
  clients?: number;
};

/**
 * Measures several kinds of work in turns, so that other processes on the machine slow all kinds alike. Returns the
 * median of each in milliseconds.
 */
export async function race<Kind extends string>({
  kinds,
  calls,
  warmUp,
  clients = 1,
}: Race<Kind>): Promise<Record<Kind, number>> {
  const names = Object.keys(kinds) as Kind[];
  const times = new Map(names.map((name) => [name, [] as number[]]));
  let next = 0;
  const client = async () => {
    while (next < calls + warmUp) {
      const call = next;
      next += 1;
      for (const at of names.keys()) {
        const name = names[(at + call) % names.length] as Kind;
        const startedAt = performance.now();
        await kinds[name](call);
        if (call >= warmUp) times.get(name)?.push(performance.now() - startedAt);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<
    Kind,
    number
  >;
}
