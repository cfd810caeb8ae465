import { z } from 'zod';

const pending = z.array(z.object({ times: z.number() }));

/** How many requests the pending faults of these stand-ins are left for. */
export async function faultsLeft(standInsUrl: string): Promise<number> {
  const response = await fetch(`${standInsUrl}/faults`);
  return pending.parse(await response.json()).reduce((sum, { times }) => sum + times, 0);
}
