import { setTimeout as sleep } from 'node:timers/promises';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { errors } from 'oidc-provider';
import instance from 'oidc-provider/lib/helpers/weak_cache.js';
import {
  claimTokenRefresh,
  deleteOauthRecord,
  findOauthRecord,
  upsertOauthRecord,
} from '../../../db/agents/oauth';
import type { Database } from '../../../db/platform/database';
import type { Seal } from '../../../db/platform/sealed';
import { hashSecret } from '../../../db/platform/tokens';

/** How long a second use of a refresh token gets the reply to the first one. */
const sameReplySeconds = 60;
const pollMs = 100;
const maxPolls = 150;
const model = 'Refresh';
const caller = { kind: 'sign_in' } as const;

/**
 * Makes a refresh safe to repeat. Clients refresh in parallel, and repeat a refresh whose reply they did not get. For 60
 * seconds, each use of a refresh token gets the same successor; after that, a second use ends the connection, because two
 * parties then have the token. It runs after the client was authenticated.
 */
export function refreshOnce(
  provider: Provider,
  { database, seal }: { database: Pick<Database, 'query' | 'write'>; seal: Seal },
): void {
  const original = instance(provider).grantTypeHandlers.get('refresh_token');
  if (!original) throw new Error('the authorization server does not know the grant type refresh_token');
  const contextOf = (hash: Buffer) => `oauth_record/${model}/${hash.toString('hex')}`;

  const handler = async (context: KoaContextWithOIDC): Promise<void> => {
    const { client, params } = context.oidc;
    const hash = hashSecret(`${client?.clientId} ${String(params?.['refresh_token'])}`);
    for (let poll = 0; poll < maxPolls; poll++) {
      const claim = await database.write(caller, (trx) => trx.maybeOne(claimTokenRefresh(hash)));
      if (claim) {
        try {
          await original(context);
        } catch (error) {
          await database.write(caller, (trx) => trx.count(deleteOauthRecord(model, hash)));
          throw error;
        }
        const payloadSealed = seal.seal(JSON.stringify(context.body), contextOf(hash));
        const grantId = context.oidc.entities.Grant?.jti ?? null;
        await database.write(caller, (trx) =>
          trx.count(
            upsertOauthRecord({
              model,
              hash,
              payloadSealed,
              grantId,
              uidHash: null,
              seconds: sameReplySeconds,
            }),
          ),
        );
        return;
      }
      const [stored] = await database.query(caller, findOauthRecord(model, hash));
      if (stored?.payload_sealed) {
        context.body = JSON.parse(seal.open(stored.payload_sealed, contextOf(hash)));
        return;
      }
      await sleep(pollMs);
    }
    throw new errors.TemporarilyUnavailable('another request refreshes this token; try again');
  };
  provider.registerGrantType('refresh_token', handler, ['refresh_token', 'scope', 'resource'], ['resource']);
}
