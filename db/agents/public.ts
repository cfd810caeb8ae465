/* Exports that other domains may use. */
export { deleteExpiredOauthRecords, listAgentConnections, setAgentDecisions } from './oauth';
export type { AgentConnection } from './oauth';
