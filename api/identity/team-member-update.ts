import { z } from 'zod';
import { changeTeamMember, setMemberPositions } from '../../db/identity/team';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { optionalField, uuid } from '../platform/operation/vocabulary';
import { teamManagers, teamRole } from './team-roles';

export const teamMemberUpdate = defineOperation({
  name: 'team-member-update',
  method: 'POST',
  tag: 'People',
  summary: 'Change a role, disable a person, or withdraw an invitation or access',
  description: `Changes what a person may do at this merchant. Send at least one of \`role\`, \`disabled\`, \`position_ids\` and \`withdraw\`. A change concerns this merchant only: what the person
may do at other merchants stays. It ends at once the person's sessions that act here
without \`merchant_id\`. Other sessions lose this merchant with the next request if the person does. Sessions that the person
opened for others at this merchant end too.
\`position_ids\` says which positions a hiring manager sees, with their candidates and results. It holds from the person's next
request on and ends no session. People with other roles see everything: a list is a 422 for them. A person with a list is
restricted in every environment; the ids are those of the credential's environment.

Service keys that the person created belong to the merchant and keep working: \`live_service_keys\` counts them. Replace them
where the person may still know them.

Withdrawing a pending invitation ends its link for good, and mails that were not sent yet are not sent. Only an owner or a platform admin can invite a
withdrawn person again; a person who had accepted before then has access at once. The last owner who can sign in
cannot be demoted, disabled or withdrawn: 409. Owners and platform admins only; a service key gets a 403.`,
  roles: teamManagers,
  serviceKeys: false,
  needsMerchant: true,
  input: z
    .object({
      profile_id: uuid.meta({ description: 'Id of the person, as `team-member-list` returns it.' }),
      role: optionalField(teamRole).meta({ description: 'New role at this merchant.' }),
      disabled: optionalField(z.boolean()).meta({
        description: 'True shuts the person out of this merchant, false lets the person in again.',
      }),
      withdraw: optionalField(z.boolean()).meta({
        description: 'True removes the person from this merchant: the pending invitation or the access ends.',
      }),
      position_ids: z
        .array(uuid.meta({ description: 'Id of a position, or of an interview without one.' }))
        .max(200)
        .nullable()
        .optional()
        .meta({
          description:
            "The only positions and interviews that a hiring manager sees in the credential's environment; an empty list hides everything. Null shows everything again, in all environments.",
        }),
    })
    .superRefine(({ withdraw, ...input }, context) =>
      // `withdraw: false` changes nothing, so it does not count as a change.
      requireOneOf(['role', 'disabled', 'withdraw', 'position_ids'])(
        { ...input, withdraw: withdraw || undefined },
        context,
      ),
    )
    .refine(
      ({ role, disabled, withdraw, position_ids }) =>
        !withdraw || [role, disabled, position_ids].every((other) => other === undefined),
      {
        path: ['withdraw'],
        error: 'must not be combined with other changes, because it removes the person',
        params: { code: 'conflicting_fields' },
      },
    ),
  example: { profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1', role: 'merchant_selection' },
  reply: z.object({
    profile_id: z.string().meta({ description: 'Id of the person.' }),
    updated_fields: z
      .array(z.enum(['role', 'disabled', 'withdraw', 'position_ids']))
      .meta({ description: 'What was changed; empty when the person was as asked for already.' }),
    live_service_keys: z.int().meta({
      description:
        'Service keys of this merchant that the person created and that were not revoked, in all environments. They keep working.',
    }),
  }),
  replyExample: {
    profile_id: '01a1fcf7-b13e-74de-bd85-c2fc187618b1',
    updated_fields: ['role'],
    live_service_keys: 0,
  },
  statuses: [404, 409],
  /**
   * Changes a person's role, disables the person or removes the person from the merchant. Ends the person's sessions
   * at the merchant.
   */
  handle({ input, write }) {
    return write(async (trx) => {
      const { profile_id, role, disabled, withdraw = false, position_ids } = input;
      const change = await trx.maybeOne(
        changeTeamMember(profile_id, { role: role ?? null, disabled: disabled ?? null, withdraw }),
      );
      if (!change || change.outcome === 'unknown')
        throw new ApiError('not_found', 'profile_id names no person of this merchant.', 'profile_id');
      if (change.outcome === 'last_owner')
        throw new ApiError(
          'state_conflict',
          'This is the last owner who can sign in. Make another person an owner first.',
          'profile_id',
        );
      const live_service_keys = change.live_service_keys ?? 0;
      const { old_role, was_disabled, was_invited } = change;
      if (withdraw) {
        await trx.count(
          recordAuditEntry('team-member-withdraw', profile_id, {
            role: old_role,
            what: was_invited ? 'invitation' : 'access',
          }),
        );
        return { profile_id, updated_fields: ['withdraw' as const], live_service_keys };
      }
      const updated_fields: ('role' | 'disabled' | 'position_ids')[] = [];
      if (role !== undefined && role !== old_role) {
        updated_fields.push('role');
        await trx.count(recordAuditEntry('team-member-role', profile_id, { from: old_role, to: role }));
      }
      if (disabled !== undefined && disabled !== was_disabled) {
        updated_fields.push('disabled');
        await trx.count(
          recordAuditEntry(disabled ? 'team-member-disable' : 'team-member-enable', profile_id),
        );
      }
      if (position_ids !== undefined && (await changePositions(trx, profile_id, position_ids)))
        updated_fields.push('position_ids');
      return { profile_id, updated_fields, live_service_keys };
    });
  },
});

/** Sets which positions a hiring manager sees. Returns false if nothing changed. */
async function changePositions(
  trx: Transaction,
  profileId: string,
  positionIds: string[] | null,
): Promise<boolean> {
  const { outcome, unknown_at, old_ids } = await trx.one(setMemberPositions(profileId, positionIds));
  if (outcome === 'other_role')
    throw new ApiError(
      'conflicting_fields',
      'position_ids can be set for hiring managers (merchant_selection) only.',
      'position_ids',
    );
  if (outcome === 'unknown_id')
    throw new ApiError(
      'unknown_id',
      `position_ids[${unknown_at}] does not name a position or interview of yours that is not archived.`,
      `position_ids[${unknown_at}]`,
    );
  if (outcome !== 'changed') return false;
  await trx.count(recordAuditEntry('team-member-positions', profileId, { from: old_ids, to: positionIds }));
  return true;
}
