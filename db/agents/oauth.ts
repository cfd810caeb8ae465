import type { Statement } from '../platform/statement';
import type { Environment, Role } from '../platform/vocabulary';
import type { AgentScope } from './agents';

/** A record of the authorization server. `payload_sealed` is null while the first use of a refresh token is answered. */
export type OauthRecord = { hash: Buffer; payload_sealed: Buffer | null; consumed_at: string | null };

/** True while the session of a record's grant lasts. Also true without a grant. */
const lasts = `(oauth_record.grant_id is null or exists (
  select from session s where s.id = oauth_record.grant_id and s.revoked_at is null and s.expires_at > now()))`;

/** Inserts or replaces a record. */
export const upsertOauthRecord = (record: {
  model: string;
  hash: Buffer;
  payloadSealed: Buffer;
  grantId: string | null;
  uidHash: Buffer | null;
  seconds: number;
}): Statement => ({
  text: `
    insert into oauth_record (model, hash, payload_sealed, grant_id, uid_hash, expires_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
    on conflict (model, hash) do update
    set payload_sealed = excluded.payload_sealed, grant_id = excluded.grant_id, uid_hash = excluded.uid_hash,
      expires_at = excluded.expires_at`,
  values: [record.model, record.hash, record.payloadSealed, record.grantId, record.uidHash, record.seconds],
});

/**
 * Finds a record that has not expired, by its hash or the hash of its uid. What belongs to a grant is found only while the
 * session of the grant lasts.
 */
export const findOauthRecord = (
  model: string,
  hash: Buffer,
  by: 'hash' | 'uid_hash' = 'hash',
): Statement<OauthRecord> => ({
  text: `
    select hash, payload_sealed, consumed_at from oauth_record
    where model = $1 and ${by} = $2 and expires_at > now() and ${lasts}`,
  values: [model, hash],
});

/** Deletes registered clients that nobody has connected, except the `kept` newest ones. */
export const deleteOldClients = (kept: number): Statement => ({
  text: `
    delete from oauth_record where model = 'Client' and hash in (
      select hash from oauth_record
      where model = 'Client' and expires_at > now() and expires_at <= now() + interval '1 day'
      order by expires_at desc offset $1
    )`,
  values: [kept],
});

/** Keeps a registered client for a year after a person connected it or it refreshed its token. */
export const extendOauthClient = (hash: Buffer): Statement => ({
  text: `update oauth_record set expires_at = now() + interval '1 year' where model = 'Client' and hash = $1`,
  values: [hash],
});

export const consumeOauthRecord = (model: string, hash: Buffer): Statement => ({
  text: 'update oauth_record set consumed_at = now() where model = $1 and hash = $2',
  values: [model, hash],
});

export const deleteOauthRecord = (model: string, hash: Buffer): Statement => ({
  text: 'delete from oauth_record where model = $1 and hash = $2',
  values: [model, hash],
});

/** Ends a grant: deletes its codes and tokens, and revokes its session. */
export const revokeGrant = (grantId: string): Statement => ({
  text: `
    with ended as (update session set revoked_at = now() where id = $1 and kind = 'agent' and revoked_at is null)
    delete from oauth_record where grant_id = $1`,
  values: [grantId],
});

/**
 * Claims the first use of a refresh token for 15 seconds. Returns no row if it was claimed before; then the other use has
 * a reply, or gets one soon. A use whose grant has ended since counts for nothing, so that the next one is refused at once.
 */
export const claimTokenRefresh = (hash: Buffer): Statement<{ claimed: boolean }> => ({
  text: `
    insert into oauth_record (model, hash, expires_at) values ('Refresh', $1, now() + interval '15 seconds')
    on conflict (model, hash) do update set payload_sealed = null, grant_id = null, expires_at = excluded.expires_at
    where oauth_record.expires_at < now() or not ${lasts}
    returning true as claimed`,
  values: [hash],
});

type AgentSession = {
  profile_id: string;
  role: Role;
  merchant_id: string | null;
  environment: Environment;
};

/** Prolongs the session of a grant and returns what its access tokens contain. No row if the session has ended. */
export const extendAgentSession = (sessionId: string): Statement<AgentSession> => ({
  text: `
    update session s set expires_at = now() + interval '30 days', last_used_at = now()
    from profile p
    where s.id = $1 and s.kind = 'agent' and s.revoked_at is null and s.expires_at > now() and p.id = s.profile_id
      and p.disabled_at is null
    returning p.id as profile_id, p.role, p.merchant_id, s.environment`,
  values: [sessionId],
});

/** Opens the session of an agent that the caller connects. `id` is null if the caller may not connect one. */
export const openAgentSession = (
  clientId: string,
  clientName: string,
  scopes: readonly AgentScope[],
): Statement<{ id: string | null }> => ({
  text: 'select app.open_agent_session($1, $2, $3) as id',
  values: [clientId, clientName, scopes],
});

/** Returns the hosts whose agents the people of the caller's merchant may connect. An empty list means any host. */
export const readAgentHosts: Statement<{ agent_hosts: string[]; is_on: boolean }> = {
  text: `
    select agent_hosts, app.environment() = any (agent_environments) as is_on from merchant where id = app.merchant_id()`,
};

export type AgentConnection = {
  session_id: string;
  scopes: AgentScope[];
  unattended_decisions: boolean;
  client_id: string;
};

/** Lists the agents that the caller may see. */
export const listAgentConnections: Statement<AgentConnection> = {
  text: `
    select session_id, scopes, unattended_decisions, client_id from agent_connection
    where merchant_id = app.merchant_id() and environment = app.environment()`,
};

/** Sets whether an agent may decide without asking. Returns no row if the caller has no such agent. */
export const setAgentDecisions = (
  sessionId: string,
  unattended: boolean,
): Statement<{ name: string | null }> => ({
  text: `
    update agent_connection set unattended_decisions = $2
    where session_id = $1 and merchant_id = app.merchant_id() and environment = app.environment()
    returning client_name as name`,
  values: [sessionId, unattended],
});

export const deleteExpiredOauthRecords: Statement = {
  text: `delete from oauth_record where expires_at < now()`,
};
