import type { Statement } from '../platform/statement';
import type { Environment } from '../platform/vocabulary';

/** What an agent may do, in groups that a person can grant. */
export const agentScopes = ['read', 'decide', 'manage', 'webhooks'] as const;
export type AgentScope = (typeof agentScopes)[number];

export type Agent = {
  /** The name of the agent in the audit log. */
  agent: string;
  scopes: AgentScope[];
  /** True if an owner allowed this credential to decide about candidates without asking a person. */
  unattended_decisions: boolean;
  /** The merchant of a service key. Null for sessions, and for keys of the platform. */
  merchant_id: string | null;
};

/** Returns the agent of a credential: a session's id or the hexadecimal hash of a service key. No row if it is invalid. */
export const findAgent = (
  kind: 'user_session' | 'service_key',
  credential: string,
  environment: Environment,
): Statement<Agent> => ({
  name: 'find_agent',
  text: 'select * from app.find_agent($1, $2, $3)',
  values: [kind, credential, environment],
});

/** Returns the caller's merchant, and whether it has agents turned on in the caller's environment. */
export const readAgentSwitch: Statement<{ id: string; name: string; is_on: boolean }> = {
  name: 'read_agent_switch',
  text: `
    select id, name, app.environment() = any (agent_environments) as is_on from merchant where id = app.merchant_id()`,
};

/** Stores a confirmation that the caller has to send back, and deletes the caller's expired ones. */
export const insertConfirmation = (hash: Buffer, argumentsHash: Buffer): Statement => ({
  text: `
    with expired as (
      delete from agent_confirmation
      where merchant_id = app.merchant_id() and caller_id = app.caller_id() and created_at < now() - interval '10 minutes'
    )
    insert into agent_confirmation (hash, arguments_hash) values ($1, $2)`,
  values: [hash, argumentsHash],
});

/** Uses up a confirmation. Returns no row if it is unknown, expired, already used or for other arguments. */
export const consumeConfirmation = (hash: Buffer, argumentsHash: Buffer): Statement<{ used: boolean }> => ({
  text: `
    delete from agent_confirmation
    where merchant_id = app.merchant_id() and caller_id = app.caller_id() and hash = $1 and arguments_hash = $2
      and created_at > now() - interval '10 minutes'
    returning true as used`,
  values: [hash, argumentsHash],
});
