import type { LiveCaller } from '../../db/platform/database';
import type { LinkTokens } from '../../db/platform/link-tokens';

/** Where a page opens the WebSocket of a live conversation, and the token that opens it within five minutes. */
export type LiveConnection = { url: string; token: string };

/** Returns the place for the page of this caller, or null if the deployment has no live conversations. */
export async function liveConnectionFor(
  { liveOrigin, links }: { liveOrigin: string | undefined; links: Pick<LinkTokens, 'liveToken'> },
  caller: LiveCaller,
): Promise<LiveConnection | null> {
  return liveOrigin === undefined ? null : { url: liveOrigin, token: await links.liveToken(caller) };
}
