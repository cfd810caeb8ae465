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
  /** True if the account's home is the caller's merchant. */
  is_home: boolean;
  invited_at: string;
  accepted_at: string | null;
  disabled_at: string | null;
  last_sign_in_at: string | null;
  /**
   * The number of service keys of this merchant, in all environments, that the person created and that are not
   * revoked.
   */
  live_service_keys: number;
  total: number;
  place: unknown;
  /**
   * The positions and interviews that a hiring manager may see in the caller's environment. Null if the hiring
   * manager may see all of them, and for people with another role.
   */
  position_ids: string[] | null;
};

export type TeamFilter = {
  roles: readonly TeamRole[] | null;
  state: TeamMember['state'] | null;
  text: string;
};

/** Lists people of the caller's merchant, sorted by role and name. `total` is the number of all matches. */
export const listTeamMembers = (
  filter: TeamFilter,
  limitRows: number | null,
  offset: number,
  place: string | null,
): Statement<TeamMember> => ({
  name: 'list_team_members',
  text: `
    select m.*, case when m.role = 'merchant_selection' then app.list_member_positions(m.profile_id) end as position_ids
    from app.list_team_members($1, $2, $3, $4, $5, $6) m`,
  values: [filter.roles, filter.state, filter.text, limitRows, offset, place],
});

export type TeamChange = { role: TeamRole | null; disabled: boolean | null; withdraw: boolean };
export type TeamMemberOutcome = {
  outcome: 'changed' | 'unchanged' | 'unknown' | 'last_owner';
  old_role: TeamRole | null;
  was_disabled: boolean | null;
  /** True if the account had not accepted an invitation before the change. */
  was_invited: boolean | null;
  live_service_keys: number | null;
};

/**
 * Changes a person's role or access at the caller's merchant. Ends the person's own sessions at this merchant and the
 * sessions that the person opened for other people.
 */
export const changeTeamMember = (
  profileId: string,
  { role, disabled, withdraw }: TeamChange,
): Statement<TeamMemberOutcome> => ({
  text: 'select * from app.update_team_member($1, $2, $3, $4)',
  values: [profileId, role, disabled, withdraw],
});

type PositionsOutcome = {
  outcome: 'changed' | 'unchanged' | 'unknown' | 'other_role' | 'unknown_id';
  /** The index in `positionIds` of the first id that the owner cannot assign. */
  unknown_at: number | null;
  old_ids: string[] | null;
};

/**
 * Sets the positions and interviews that a hiring manager may see in the caller's environment. Null removes the
 * restriction in all environments.
 */
export const setMemberPositions = (
  profileId: string,
  positionIds: readonly string[] | null,
): Statement<PositionsOutcome> => ({
  text: 'select * from app.set_member_positions($1, $2)',
  values: [profileId, positionIds],
});

/**
 * Finds a hiring manager of the caller's merchant. Returns no row if the person has another role or belongs to
 * another merchant, or if the caller may not list the team.
 */
export const findHiringManager = (profileId: string): Statement<TeamMember> => ({
  name: 'find_hiring_manager',
  text: `
    select m.*, app.list_member_positions(m.profile_id) as position_ids
    from app.list_team_members(array['merchant_selection'], null, '', null, 0, null) m where m.profile_id::text = $1`,
  values: [profileId],
});

/** A position or an interview that an owner can assign to a hiring manager. */
export type AssignableScope = { id: string; name: string; is_position: boolean };

/**
 * Lists the positions and interviews that an owner can assign to a hiring manager: first those in `kept`, then
 * positions, then interviews. Archived ones are listed only if they are in `kept`.
 */
export const listAssignableScopes = (
  kept: readonly string[],
  limitRows: number,
): Statement<AssignableScope> => ({
  name: 'list_assignable',
  text: `
    select id, name, is_position from (
      select id, name, status, true as is_position from position
      union all
      select id, name, status, false from interview
    ) d
    where status <> 'deleted' and (status <> 'archived' or id = any ($1))
    order by id = any ($1) desc, is_position desc, lower(name), id limit $2`,
  values: [kept, limitRows],
});
