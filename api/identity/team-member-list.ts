import type { z } from 'zod';
import type { teamMemberList } from './team-member-list.contract';
import { listTeamMembers } from '../../db/identity/team';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';

type Contract = typeof teamMemberList;

/** Lists the people of the merchant. */
export const listTeam: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = async ({ input, caller }, { database }) => {
  const { role, state, filter_text, limit, offset } = input;
  const filter = { roles: role ? [role] : null, state: state ?? null, text: filter_text ?? '' };
  const { rows, total } = await database.asCaller(caller, 'read', async (trx) => {
    const page = await trx.rows(listTeamMembers(filter, limit, offset));
    // Beyond the end no row tells the total.
    const [first] = page.length > 0 ? page : await trx.rows(listTeamMembers(filter, 1, 0));
    return { rows: page, total: first?.total ?? 0 };
  });
  return {
    data: rows,
    pagination: { total, limit, offset, has_more: offset + rows.length < total },
  };
};
