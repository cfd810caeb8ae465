import { z } from 'zod';

const pending = z.array(z.object({ times: z.number() }));

/** Returns how many more requests the faults of these fakes will affect. */
export async function faultsLeft(fakesUrl: string): Promise<number> {
  const response = await fetch(`${fakesUrl}/faults`);
  return pending.parse(await response.json()).reduce((sum, { times }) => sum + times, 0);
}
