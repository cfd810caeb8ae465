import type { Statement } from '../platform/statement';

/** Roles that a merchant can assign to its people. */
export const teamRoles = ['merchant_owner', 'merchant', 'merchant_selection', 'user', 'mentor'] as const;
export type TeamRole = (typeof teamRoles)[number];

export type TeamMember = {
  profile_id: string;
  name: string | null;
  email: string;
  role: TeamRole;
  state: 'invited' | 'active' | 'disabled';
  /** The account's home is the caller's merchant. */
  is_home: boolean;
  invited_at: string;
  accepted_at: string | null;
  disabled_at: string | null;
  last_sign_in_at: string | null;
  /** Service keys of this merchant that the person created and that are not revoked, in all environments. */
  live_service_keys: number;
  total: number;
};

export type TeamFilter = {
  roles: readonly TeamRole[] | null;
  state: TeamMember['state'] | null;
  text: string;
};

/** People of the caller's merchant, sorted by role and name. `total` counts all matches. */
export const listTeamMembers = (
  filter: TeamFilter,
  limitRows: number,
  offset: number,
): Statement<TeamMember> => ({
  name: 'list_team_members',
  text: 'select * from app.list_team_members($1, $2, $3, $4, $5)',
  values: [filter.roles, filter.state, filter.text, limitRows, offset],
});

export type TeamChange = { role: TeamRole | null; disabled: boolean | null; withdraw: boolean };
export type TeamOutcome = {
  outcome: 'changed' | 'unchanged' | 'unknown' | 'last_owner';
  old_role: TeamRole | null;
  was_disabled: boolean | null;
  /** The account had not accepted an invitation yet. */
  was_invited: boolean | null;
  live_service_keys: number | null;
};

/**
 * Changes a person's role or access at the caller's merchant, and ends the person's sessions there and those the person
 * opened for others.
 */
export const changeTeamMember = (
  profileId: string,
  { role, disabled, withdraw }: TeamChange,
): Statement<TeamOutcome> => ({
  text: 'select * from app.update_team_member($1, $2, $3, $4)',
  values: [profileId, role, disabled, withdraw],
});
