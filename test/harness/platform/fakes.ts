import { z } from 'zod';

const pending = z.array(z.object({ times: z.number() }));

export type FakeCalls = ReturnType<typeof fakesAt>;

/** Returns functions that make the fakes at this address fail, and that read what the fakes have received. */
export const fakesAt = (url: string) => ({
  fault: async (fault: Record<string, unknown>): Promise<void> => {
    const response = await fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
    if (!response.ok) throw new Error(await response.text());
  },
  /** Removes the remaining faults and releases the requests that a `held` fault delays. */
  clearFaults: async (): Promise<void> => void (await fetch(`${url}/faults`, { method: 'DELETE' })),
  clearRecords: async (): Promise<void> => void (await fetch(`${url}/records`, { method: 'DELETE' })),
  /** Returns how many more requests the faults of the fakes will affect. */
  faultsLeft: async (): Promise<number> => {
    const faults = pending.parse(await (await fetch(`${url}/faults`)).json());
    return faults.reduce((sum, { times }) => sum + times, 0);
  },
  /** Returns the JSON of a page of the fakes. */
  fake: async (page: string): Promise<unknown> =>
    (await fetch(`${url}${page}`, { headers: { accept: 'application/json' } })).json(),
});
