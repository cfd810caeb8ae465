import type { Adapter, AdapterPayload } from 'oidc-provider';
import {
  consumeOauthRecord,
  deleteOauthRecord,
  deleteOldClients,
  revokeGrant,
  findOauthRecord,
  extendOauthClient,
  upsertOauthRecord,
} from '../../../db/agents/oauth';
import type { OauthRecord } from '../../../db/agents/oauth';
import type { Database } from '../../../db/platform/database';
import type { Seal } from '../../../db/platform/sealed';
import { hashSecret } from '../../../db/platform/tokens';

type Deps = { database: Pick<Database, 'query' | 'write'>; seal: Seal };

const caller = { kind: 'sign_in' } as const;
/** How long a registered client is kept with which nobody has agreed to connect. Anyone can register clients. */
const clientSeconds = 86_400;
/** How many clients are kept with which nobody has agreed to connect. A flood from one address takes hours to replace them. */
const maxClients = 10_000;
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Creates the storage of the authorization server. Ids of codes and tokens are secrets, so only their hashes are stored,
 * and payloads are sealed. The id of a grant is the id of its session: nothing of a grant is found once the session has
 * ended.
 */
export const createAdapter = ({ database, seal }: Deps) => {
  const contextOf = (model: string, hash: Buffer) => `oauth_record/${model}/${hash.toString('hex')}`;
  const write = (statement: ReturnType<typeof revokeGrant>) =>
    database.write(caller, (trx) => trx.count(statement));

  return (model: string): Adapter => {
    const open = ([row]: OauthRecord[], id?: string): AdapterPayload | undefined => {
      if (!row?.payload_sealed) return undefined;
      const payload = JSON.parse(seal.open(row.payload_sealed, contextOf(model, row.hash))) as AdapterPayload;
      const consumed = row.consumed_at === null ? {} : { consumed: Date.parse(row.consumed_at) / 1000 };
      return { ...payload, ...(id === undefined ? {} : { jti: id }), ...consumed };
    };
    return {
      upsert: async (id, payload, expiresIn) => {
        const hash = hashSecret(id);
        const grantId = model === 'Grant' ? id : payload.grantId;
        // A session of the authorization server is also found by its uid, and then needs its id.
        const { jti: _jti, ...rest } = payload;
        const kept = payload.uid !== undefined && model === 'Session' ? payload : rest;
        await write(
          upsertOauthRecord({
            model,
            hash,
            payloadSealed: seal.seal(JSON.stringify(kept), contextOf(model, hash)),
            grantId: grantId !== undefined && isUuid.test(grantId) ? grantId : null,
            uidHash: payload.uid === undefined ? null : hashSecret(payload.uid),
            seconds: expiresIn || clientSeconds,
          }),
        );
        if (model === 'Client') await write(deleteOldClients(maxClients));
        if ((model === 'Grant' || model === 'RefreshToken') && payload.clientId !== undefined)
          await write(extendOauthClient(hashSecret(payload.clientId)));
      },
      find: async (id) => open(await database.query(caller, findOauthRecord(model, hashSecret(id))), id),
      findByUid: async (uid) =>
        open(await database.query(caller, findOauthRecord(model, hashSecret(uid), 'uid_hash'))),
      findByUserCode: () => Promise.resolve(undefined),
      consume: (id) => write(consumeOauthRecord(model, hashSecret(id))).then(() => undefined),
      destroy: (id) => write(deleteOauthRecord(model, hashSecret(id))).then(() => undefined),
      revokeByGrantId: (grantId) =>
        isUuid.test(grantId) ? write(revokeGrant(grantId)).then(() => undefined) : Promise.resolve(),
    };
  };
};
