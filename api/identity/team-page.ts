import { html } from '../platform/text/html';
import type { Html } from '../platform/text/html';
import type { ApiError } from '../platform/operation/api-error';
import { isCoaching } from '../platform/operation/vocabulary';
import { teamStates } from './team-member-list';
import { teamMemberUpdate } from './team-member-update';
import { listTeamMembers, teamRoles } from '../../db/identity/team';
import type { TeamFilter, TeamMember, TeamRole } from '../../db/identity/team';
import { callOperation } from '../platform/site/call-operation';
import {
  badge,
  confirmButton,
  faultBox,
  field,
  pager,
  table,
  textInput,
  timestamp,
} from '../platform/site/elements';
import { roleNames } from '../platform/site/layout';
import type { Page } from '../platform/site/layout';
import { askForm, given, offsetOf, oneOf, tabs } from '../platform/site/list-elements';
import { textOf } from '../platform/site/site';
import type { Sent, Site } from '../platform/site/site';
import { ownerRoles } from '../platform/site/visitor';
import type { ConsoleDeps, Visit } from '../platform/site/visitor';

const path = '/team';
const filterNames = ['group', 'state', 'filter_text'];
/** The parameters that select the visible part of the list. The actions of a row lead back to it. */
const placeNames = [...filterNames, 'offset'];
type Place = Record<string, string>;
const limit = 50;

/** Adds the owners' page of the merchant's people: what each may do here, and the controls to change or end that. */
export function addTeamPage(site: Site, deps: ConsoleDeps): void {
  const render = async (visit: Visit, query: Sent['query'], fault?: ApiError): Promise<Page> => {
    const kept = given(query, filterNames);
    const offset = offsetOf(query);
    const members = await deps.database.query(
      visit.caller(ownerRoles),
      listTeamMembers(filterOf(kept), limit, offset),
    );
    const total = members[0]?.total ?? offset;
    return {
      title: 'Team',
      key: 'team',
      status: fault?.status ?? 200,
      content: html`${faultBox(fault)}
        <section class="panel">
          ${tabs(visit, path, 'People by kind', {
            name: 'group',
            entries: [
              ['', 'Team'],
              ['coaching', 'Coaching users'],
            ],
            query: kept,
          })}
          ${tabs(visit, path, 'People by state', {
            name: 'state',
            entries: [
              ['', 'All'],
              ['active', 'Active'],
              ['invited', 'Invited'],
              ['disabled', 'Disabled'],
            ],
            query: kept,
          })}
          ${askForm(
            visit,
            path,
            html`${['group', 'state'].map((name) => html`<input type="hidden" name="${name}" value="${kept[name] ?? ''}" />`)}
              ${field('filter_text', 'Name or e-mail', textInput('filter_text', kept['filter_text'] ?? '', { maxlength: 200 }))}
              <div><button class="plain">Search</button></div>`,
          )}
          ${memberTable(visit, members, given(query, placeNames))}
          ${total === 0 ? null : pager(visit, path, { total, limit, offset }, kept)}
        </section>`,
    };
  };

  site.page('console-team', path, (visit, { query }) => render(visit, query));
  site.act(
    'console-team-update',
    `${path}/update`,
    async (visit, sent) => {
      const { reply, error } = await callOperation(deps, visit, teamMemberUpdate, changeOf(sent));
      const place = Object.fromEntries(placeNames.map((name) => [name, textOf(sent, name)]));
      if (error) return render(visit, place, error);
      const keys = textOf(sent, 'change') === 'enable' ? '' : keysLeft(reply?.live_service_keys ?? 0);
      return {
        goTo: path,
        query: given(place, placeNames),
        flash: `${said[textOf(sent, 'change')] ?? 'The role is changed.'}${keys}`,
      };
    },
    { roles: ownerRoles },
  );
}

const said: Record<string, string> = {
  disable: 'The person is disabled.',
  enable: 'The person is enabled.',
  withdraw: 'The invitation is withdrawn.',
  remove: 'The person is removed from the team.',
};

/** A reminder about service keys, which belong to the merchant and outlive the person's access. */
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

/** Converts a form of the page into the operation's input. The operation validates it. */
function changeOf(sent: Sent) {
  const profile_id = textOf(sent, 'profile_id');
  const change = textOf(sent, 'change');
  if (change === 'disable' || change === 'enable') return { profile_id, disabled: change === 'disable' };
  if (change === 'withdraw' || change === 'remove') return { profile_id, withdraw: true };
  return { profile_id, role: textOf(sent, 'role') as TeamRole };
}

const memberTable = (visit: Visit, members: TeamMember[], place: Place): Html =>
  table(
    'People',
    ['Person', 'Role', 'State', 'Last sign-in', ''],
    members.map((member) => [
      html`<bdi>${member.name ?? member.email}</bdi>
        ${member.profile_id === visit.session.profile_id ? badge('you', 'good') : null}
        ${
          member.name === null ? null : html`<br /><span class="soft small"><bdi>${member.email}</bdi></span>`
        }
        ${member.is_home ? null : html`<br /><span class="soft small">Account of another merchant</span>`}`,
      roleNames[member.role] ?? member.role,
      stateOf(member),
      member.is_home ? timestamp(member.last_sign_in_at) : html`<span class="soft">–</span>`,
      actsOn(visit, member, place),
    ]),
    'No people match.',
  );

function stateOf({ state, invited_at, disabled_at }: TeamMember): Html {
  if (state === 'active') return badge('active', 'good');
  const since = timestamp(state === 'invited' ? invited_at : disabled_at);
  return html`${badge(state, state === 'invited' ? 'warn' : 'bad')}<br /><span class="soft small"
      >${since}</span
    >`;
}

function actsOn(visit: Visit, member: TeamMember, place: Place): Html {
  const { profile_id: id, state, live_service_keys: keyCount } = member;
  const who = member.name ?? member.email;
  const keys =
    keyCount === 0 ? null : html`${keysLeft(keyCount)} <a href="${visit.href('/access')}">Access</a>`;
  const confirm = (change: string, label: string, title: string, question: string | Html, control?: Html) =>
    confirmButton(visit, `${path}/update`, {
      id: `${change}-${id}`,
      label,
      title,
      question,
      row: who,
      fields: { ...place, profile_id: id, change },
      ...(control ? { control } : {}),
    });
  return html`${confirm(
    'role',
    'Change role',
    `Change the role of ${who}`,
    html`The person is signed out and gets the new role with the next sign-in.${keys}`,
    roleSelect(member),
  )}
  ${
    state === 'disabled'
      ? confirm('enable', 'Enable', `Enable ${who}`, 'This person can sign in and use this merchant again.')
      : confirm(
          'disable',
          'Disable',
          `Disable ${who}`,
          html`This person loses access to this merchant at once.${keys}`,
        )
  }
  ${
    state === 'invited'
      ? confirm(
          'withdraw',
          'Withdraw',
          `Withdraw the invitation of ${who}`,
          'The link of the invitation stops working. Only an owner can invite this person again.',
        )
      : confirm(
          'remove',
          'Remove',
          `Remove ${who} from the team`,
          html`This person loses access to this merchant and leaves the team. Only an owner can invite this
          person again.${keys}`,
        )
  }`;
}

const roleSelect = ({ name, email, role: current }: TeamMember): Html =>
  html`<select name="role" aria-label="New role of ${name ?? email}">
    ${teamRoles.map(
      (role) =>
        html`<option value="${role}" ${role === current ? html`selected` : null}>
          ${roleNames[role] ?? role}
        </option>`,
    )}
  </select>`;
