/* Exports that other domains may use. */
export { teamMemberList } from './team-member-list';
