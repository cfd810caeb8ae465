import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { teamMemberUpdate } from './team-member-update.contract';
import { recordAct } from '../../db/platform/audit';
import { changeTeamMember } from '../../db/identity/team';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof teamMemberUpdate;

/** Changes, disables or removes a person of the merchant, and ends the person's sessions there. */
export const updateTeamMember: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }) =>
  write(async (trx) => {
    const { profile_id, role, disabled, withdraw = false } = input;
    const change = await trx.maybeOne(
      changeTeamMember(profile_id, { role: role ?? null, disabled: disabled ?? null, withdraw }),
    );
    if (!change || change.outcome === 'unknown')
      throw new ApiError(404, 'profile_id names no person of this merchant', 'profile_id');
    if (change.outcome === 'last_owner')
      throw new ApiError(
        409,
        'This is the last owner who can sign in: make somebody else an owner first',
        'profile_id',
      );
    const live_service_keys = change.live_service_keys ?? 0;
    if (change.outcome === 'unchanged') return { profile_id, updated_fields: [], live_service_keys };
    const { old_role, was_disabled, was_invited } = change;
    if (withdraw) {
      await trx.count(
        recordAct('team-member-withdraw', profile_id, {
          role: old_role,
          what: was_invited ? 'invitation' : 'access',
        }),
      );
      return { profile_id, updated_fields: ['withdraw'], live_service_keys };
    }
    const updated_fields: ('role' | 'disabled')[] = [];
    if (role !== undefined && role !== old_role) {
      updated_fields.push('role');
      await trx.count(recordAct('team-member-role', profile_id, { from: old_role, to: role }));
    }
    if (disabled !== undefined && disabled !== was_disabled) {
      updated_fields.push('disabled');
      await trx.count(recordAct(disabled ? 'team-member-disable' : 'team-member-enable', profile_id));
    }
    return { profile_id, updated_fields, live_service_keys };
  });
