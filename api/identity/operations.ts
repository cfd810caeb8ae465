import type { Operation } from '../platform/operation/define-operation';
import { teamMemberList } from './team-member-list';
import { teamMemberUpdate } from './team-member-update';

/** In the order of the reference. */
export const identityOperations: readonly Operation[] = [teamMemberList, teamMemberUpdate];
