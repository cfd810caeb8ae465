import { namedEnum } from './named-enums';
import type { Role } from './vocabulary';

/** Roles that a merchant gives to its people. */
export const teamRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor'] as const;
export type TeamRole = (typeof teamRoles)[number];
/** Who changes the team. */
export const teamManagers: readonly Role[] = ['merchant_owner', 'admin'];

export const teamRole = namedEnum('TeamRole', teamRoles, 'A role at a merchant.', {
  merchant_owner: 'Everything in the account.',
  merchant: 'Recruiter.',
  merchant_selection: 'Hiring manager, read-only.',
  user: 'Learner of the coaching portal.',
  mentor: 'Mentor of the coaching portal.',
});
