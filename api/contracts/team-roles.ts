import type { Role } from './vocabulary';

/** Roles that a merchant gives to its people. */
export const teamRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor'] as const;
export type TeamRole = (typeof teamRoles)[number];
/** Who changes the team. */
export const teamManagers: readonly Role[] = ['merchant_owner', 'admin'];
