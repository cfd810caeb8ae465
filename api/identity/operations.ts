import type { Operation } from '../platform/operation/define-operation';
import { teamMemberList } from './team-member-list';
import { teamMemberUpdate } from './team-member-update';

/** The operations in the order of the API reference. */
export const identityOperations: readonly Operation[] = [teamMemberList, teamMemberUpdate];
