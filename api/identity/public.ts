/* Exports that other domains may use. */
export { mirroredTeam, teamMemberList } from './team-member-list';
