import type { VNode } from 'preact';
import { findHiringManager, listAssignableScopes } from '../../db/identity/team';
import type { AssignableScope, TeamMember } from '../../db/identity/team';
import { ApiError } from '../platform/operation/api-error';
import { Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Link, Panel, Soft } from '../platform/site/elements';
import { CheckboxList, SelectField, Form } from '../platform/site/form';
import type { Page } from '../platform/site/layout';
import { sentValues, sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { teamMemberUpdate } from './team-member-update';

const pathOf = (id: string) => `/team/${id}/positions`;
/** The form shows at most this many positions and interviews. More can be given with the API. */
const limit = 500;

/** Adds the owners' page that sets which positions a hiring manager sees. */
export function addTeamPositionsPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    id: string,
    sent?: RequestData,
    error?: ApiError,
  ): Promise<Page> => {
    const { member, options } = await deps.database.read(visit.caller(ownerRoles), async (trx) => {
      const found = await trx.maybeOne(findHiringManager(id));
      if (!found) throw new ApiError('not_found', 'This person is not a hiring manager of your team.');
      return {
        member: found,
        options: await trx.rows(listAssignableScopes(found.position_ids ?? [], limit)),
      };
    });
    const who = member.name ?? member.email;
    return {
      title: `Positions of ${who}`,
      at: '/team',
      status: error?.status,
      content: (
        <Panel>
          <p>
            Hiring managers read results, reports and candidates. They can see all positions of the account,
            or only those that you choose here. <Link to="/team">Back to the team</Link>
          </p>
          <Form path={pathOf(id)} names={['sees', 'position_ids']} error={error}>
            <SelectField
              name="sees"
              label={`${who} sees`}
              options={[
                { value: 'all', label: 'All positions' },
                { value: 'chosen', label: 'Only the positions chosen below' },
              ]}
              value={sent ? sentText(sent, 'sees') : member.position_ids === null ? 'all' : 'chosen'}
            />
            <CheckboxList
              name="position_ids"
              label="Positions and interviews"
              options={options.map(toOption)}
              checked={sent ? sentValues(sent, 'position_ids') : (member.position_ids ?? [])}
            />
            {options.length === limit && (
              <p>
                <Soft>{`The first ${limit} are listed. Use team-member-update for others.`}</Soft>
              </p>
            )}
            <Submit>Save changes</Submit>
          </Form>
        </Panel>
      ),
    };
  };

  site.page('console-team-positions', '/team/:id/positions', (visit, { params }) =>
    render(visit, params['id'] ?? ''),
  );
  site.post(
    'console-team-positions-update',
    '/team/:id/positions',
    async (visit, sent) => {
      const id = sent.params['id'] ?? '';
      const position_ids = sentText(sent, 'sees') === 'chosen' ? sentValues(sent, 'position_ids') : null;
      const { reply, error } = await callOperation(deps, visit, teamMemberUpdate, {
        profile_id: id,
        position_ids,
      });
      if (error) return render(visit, id, sent, error);
      const isChanged = reply.updated_fields.length > 0;
      return { goTo: '/team', flash: isChanged ? 'Positions changed.' : 'No changes to save.' };
    },
    { roles: ownerRoles },
  );
}

const toOption = ({ id, name, is_position }: AssignableScope) => ({
  value: id,
  label: is_position ? name : `${name} (interview)`,
});

/**
 * Says which positions a hiring manager sees, with a link to the page that changes them. Returns null for other
 * roles.
 */
export function SeenPositions({ member }: { member: TeamMember }): VNode | null {
  const { role, profile_id, position_ids } = member;
  if (role !== 'merchant_selection') return null;
  const count = position_ids?.length;
  return (
    <>
      <br />
      <Link to={pathOf(profile_id)}>
        {count === undefined ? 'All positions' : count === 1 ? '1 position' : `${count} positions`}
      </Link>
    </>
  );
}
