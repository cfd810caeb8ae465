import type { ComponentChildren, VNode } from 'preact';
import { listTeamMembers, teamRoles } from '../../db/identity/team';
import type { TeamFilter, TeamMember, TeamRole } from '../../db/identity/team';
import type { ApiError } from '../platform/operation/api-error';
import { isCoaching } from '../platform/operation/vocabulary';
import { ConfirmButton, HiddenFields, Submit } from '../platform/site/buttons';
import { callOperation } from '../platform/site/call-operation';
import { Badge, Dash, Link, Pager, Panel, Soft, Table, Tabs, Time } from '../platform/site/elements';
import { ErrorBox, OptionElements, SearchForm, TextField } from '../platform/site/form';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { givenParameters, offsetOf, oneOf } from '../platform/site/query';
import { sentText } from '../platform/site/site';
import type { RequestData, Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, ConsoleVisit } from '../platform/site/visitor';
import { addTeamInvite, TeamInvite } from './team-invite';
import type { RejectedInvite } from './team-invite';
import { teamStates } from './team-member-list';
import { teamMemberUpdate } from './team-member-update';
import { SeenPositions } from './team-positions-page';

const path = '/team';
const filterNames = ['group', 'state', 'filter_text'];
/**
 * The query parameters that select the visible part of the list. After an action on a row, the page shows the same
 * part again.
 */
const placeNames = [...filterNames, 'offset'];
type Place = Record<string, string>;
const limit = 50;

/**
 * Adds the owners' page that lists what each person may do at the merchant, with controls to change or end a person's
 * access, and invites people.
 */
export function addTeamPage(site: Site, deps: ConsoleDeps): void {
  const render = async (
    visit: ConsoleVisit,
    query: RequestData['query'],
    { error, invite }: { error?: ApiError; invite?: RejectedInvite } = {},
  ): Promise<Page> => {
    const kept = givenParameters(query, filterNames);
    const offset = offsetOf(query);
    const members = await deps.database.query(
      visit.caller(ownerRoles),
      listTeamMembers(filterOf(kept), limit, offset, null),
    );
    const total = members[0]?.total ?? offset;
    return {
      title: 'Team',
      at: path,
      status: (error ?? invite?.error)?.status,
      content: (
        <>
          <ErrorBox error={error} />
          <Panel>
            <Tabs path={path} label="People by kind" name="group" entries={groups} query={kept} />
            <Tabs path={path} label="People by state" name="state" entries={states} query={kept} />
            <SearchForm path={path}>
              <HiddenFields fields={{ group: kept['group'] ?? '', state: kept['state'] ?? '' }} />
              <TextField
                name="filter_text"
                label="Name or email"
                value={kept['filter_text'] ?? ''}
                maxlength={200}
              />
              <Submit isPlain>Search</Submit>
            </SearchForm>
            <MemberTable
              members={members}
              ownId={visit.session.profile_id}
              place={givenParameters(query, placeNames)}
            />
            {total > 0 && <Pager path={path} total={total} limit={limit} offset={offset} query={kept} />}
          </Panel>
          <TeamInvite rejected={invite} />
        </>
      ),
    };
  };

  site.page('console-team', path, (visit, { query }) => render(visit, query));
  site.post(
    'console-team-update',
    `${path}/update`,
    async (visit, sent) => {
      const { reply, error } = await callOperation(deps, visit, teamMemberUpdate, changeOf(sent));
      const place = Object.fromEntries(placeNames.map((name) => [name, sentText(sent, name)]));
      if (error) return render(visit, place, { error });
      const keys = sentText(sent, 'change') === 'enable' ? '' : keysLeft(reply?.live_service_keys ?? 0);
      return {
        goTo: path,
        query: givenParameters(place, placeNames),
        flash: `${flashes[sentText(sent, 'change')] ?? 'Role changed.'}${keys}`,
      };
    },
    { roles: ownerRoles },
  );
  addTeamInvite(site, deps, (visit, invite) => render(visit, {}, { invite }));
}

const groups = [
  ['', 'Team'],
  ['coaching', 'Coaching users'],
] as const;
const states = [
  ['', 'All'],
  ['active', 'Active'],
  ['invited', 'Invited'],
  ['disabled', 'Disabled'],
] as const;

const flashes: Record<string, string> = {
  disable: 'Person disabled.',
  enable: 'Person enabled.',
  withdraw: 'Invitation withdrawn.',
  remove: 'Person removed from the team.',
};

/**
 * Returns a note about live service keys, which belong to the merchant and keep working after the person's access ends.
 */
const keysLeft = (count: number): string =>
  count === 0
    ? ''
    : ` ${count} live service ${count === 1 ? 'key' : 'keys'} created by this person still ${count === 1 ? 'works' : 'work'}. Replace ${count === 1 ? 'it' : 'them'} on the Access page.`;

function filterOf(kept: Record<string, string>): TeamFilter {
  const wantsCoaching = kept['group'] === 'coaching';
  return {
    roles: teamRoles.filter((role) => isCoaching(role) === wantsCoaching),
    state: oneOf(teamStates, kept['state']) ?? null,
    text: kept['filter_text'] ?? '',
  };
}

/** Converts a form of the page into the operation's input, which the operation validates. */
function changeOf(sent: RequestData) {
  const profile_id = sentText(sent, 'profile_id');
  const change = sentText(sent, 'change');
  if (change === 'disable' || change === 'enable') return { profile_id, disabled: change === 'disable' };
  if (change === 'withdraw' || change === 'remove') return { profile_id, withdraw: true };
  return { profile_id, role: sentText(sent, 'role') as TeamRole };
}

const MemberTable = (props: { members: readonly TeamMember[]; ownId: string; place: Place }): VNode => (
  <Table
    caption="People"
    columns={['Person', 'Role', 'State', 'Last sign-in', '']}
    rows={props.members.map((member) => [
      <>
        <bdi>{member.name ?? member.email}</bdi>{' '}
        {member.profile_id === props.ownId && <Badge tone="good">You</Badge>}
        {member.name !== null && (
          <>
            <br />
            <Soft>
              <bdi>{member.email}</bdi>
            </Soft>
          </>
        )}
        {!member.is_home && (
          <>
            <br />
            <Soft>Account of another merchant</Soft>
          </>
        )}
      </>,
      <>
        {roleNames[member.role] ?? member.role}
        <SeenPositions member={member} />
      </>,
      <MemberState {...member} />,
      member.is_home ? <Time at={member.last_sign_in_at} /> : <Dash />,
      <Actions member={member} place={props.place} />,
    ])}
    empty="No people match."
  />
);

function MemberState({ state, invited_at, disabled_at }: TeamMember): VNode {
  if (state === 'active') return <Badge tone="good">Active</Badge>;
  const isInvited = state === 'invited';
  return (
    <>
      <Badge tone={isInvited ? 'warn' : 'bad'}>{isInvited ? 'Invited' : 'Disabled'}</Badge>
      <br />
      <Soft>
        <Time at={isInvited ? invited_at : disabled_at} />
      </Soft>
    </>
  );
}

function Actions({ member, place }: { member: TeamMember; place: Place }): VNode {
  const { profile_id: id, state, live_service_keys: keyCount } = member;
  const who = member.name ?? member.email;
  const keys = keyCount > 0 && [keysLeft(keyCount), ' ', <Link to="/access">Access</Link>];
  const confirm = (
    change: string,
    label: string,
    title: string,
    question: ComponentChildren,
    control?: ComponentChildren,
  ) => (
    <ConfirmButton
      path={`${path}/update`}
      id={`${change}-${id}`}
      {...{ label, title, control }}
      row={who}
      fields={{ ...place, profile_id: id, change }}
    >
      {question}
    </ConfirmButton>
  );
  const onlyOwner = 'Only an owner can invite this person again.';
  return (
    <>
      {confirm(
        'role',
        'Change role',
        `Change the role of ${who}`,
        ['The person is signed out and gets the new role at the next sign-in.', keys],
        <select name="role" aria-label={`New role of ${who}`}>
          <OptionElements
            options={teamRoles.map((role) => ({ value: role, label: roleNames[role] ?? role }))}
            value={member.role}
          />
        </select>,
      )}{' '}
      {state === 'disabled'
        ? confirm('enable', 'Enable', `Enable ${who}`, 'This person can sign in and use this merchant again.')
        : confirm('disable', 'Disable', `Disable ${who}`, [
            'This person loses access to this merchant immediately.',
            keys,
          ])}{' '}
      {state === 'invited'
        ? confirm(
            'withdraw',
            'Withdraw',
            `Withdraw the invitation of ${who}`,
            `The invitation link stops working. ${onlyOwner}`,
          )
        : confirm('remove', 'Remove', `Remove ${who} from the team`, [
            `This person loses access to this merchant and leaves the team. ${onlyOwner}`,
            keys,
          ])}
    </>
  );
}
