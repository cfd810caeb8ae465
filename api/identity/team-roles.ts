import { teamRoles } from '../../db/identity/team';
import type { Role } from '../../db/platform/vocabulary';
import { namedEnum } from '../platform/operation/named-enums';

/** The roles that may change roles, disable people and withdraw access. */
export const teamManagers: readonly Role[] = ['merchant_owner', 'admin'];

export const teamRole = namedEnum('TeamRole', teamRoles, 'A role at a merchant.', {
  merchant_owner: 'Everything in the account.',
  merchant: 'Recruiter.',
  merchant_selection: 'Hiring manager, read-only.',
  user: 'Learner of the coaching portal.',
  mentor: 'Mentor of the coaching portal.',
});
