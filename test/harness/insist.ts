import type { Reply } from './platform';

/**
 * Makes the call again as long as it is answered 503, which stored nothing: where many stand in line on a machine that is
 * loaded, the last ones may wait for longer than a statement has.
 */
export async function insist(call: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await call();
    if (reply.status !== 503) return reply;
  }
}
