import type { AgentScope } from '../../db/agents/agents';
import type { Operation } from '../platform/operation/define-operation';

/** Operations that decide about a candidate. */
const decisions = new Set([
  'job-interview-result-update',
  'job-interview-result-override-score',
  'job-interview-result-rescore',
  'job-interview-result-request-another-attempt',
  'merchant-candidate-withdraw',
]);

/** Operations that always need a person's confirmation, because their effect cannot be taken back or leaves the account. */
const confirmed: Readonly<Record<string, string>> = {
  'job-interview-result-override-score': 'Replace a score of the AI',
  'job-interview-result-request-another-attempt': 'Reopen a result, which clears its scores and its decision',
  'merchant-candidate-withdraw': 'Withdraw a candidate',
  'merchant-create': 'Create an account',
  'merchant-credit-add': 'Change the credits of an account',
  'merchant-update': 'Change an account',
  'report-schedule': 'Mail a report regularly',
  'team-member-update': "Change a team member's access",
  'webhook-endpoint-create': 'Send the events of this account to a new address',
  'webhook-endpoint-update': 'Change where or how events are sent',
  'webhook-endpoint-delete': 'Delete a webhook endpoint',
  'webhook-endpoint-rotate-secret': 'Rotate the signing secret of a webhook endpoint',
};

/** The most people that one connection may reach in an hour without a person's confirmation. */
export const maxUnconfirmedPeople = 10;

export const isReadOperation = ({ method, isRead }: Operation): boolean =>
  method === 'GET' || isRead === true;

/** Returns the scope that an agent needs for an operation. */
export function requiredScopeOf(operation: Operation): AgentScope {
  if (operation.tag === 'Webhooks') return 'webhooks';
  if (isReadOperation(operation)) return 'read';
  return decisions.has(operation.name) ? 'decide' : 'manage';
}

const teamRoles = new Set<unknown>(['merchant_owner', 'merchant', 'merchant_selection']);
const typeOf = (row: unknown): unknown =>
  typeof row === 'object' && row && 'type' in row ? row.type : undefined;

/** Returns true if a row of an invitation lets a person into the team. */
export const isTeamInvitation = (row: unknown): boolean => teamRoles.has(typeOf(row));

/**
 * Returns what a person has to confirm before an agent may make this call, as a sentence without a period, or undefined
 * if the call needs no confirmation.
 */
export function confirmationTextFor(
  { name }: Operation,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  if (name === 'job-interview-result-update') return decisionIn(input);
  if (name === 'job-interview-set-state' || name === 'job-interview-update')
    return input['status'] === 'deleted'
      ? 'Delete an interview or position, which cannot be restored'
      : undefined;
  const people = reachedPeople(input);
  // Otherwise a transcript could make an agent let its author into the account.
  if (people.some(isTeamInvitation)) return `Invite ${people.length} people, some of them to the team`;
  return people.length > maxUnconfirmedPeople ? peopleConfirmationText(name, input) : confirmed[name];
}

/** Returns the rows of the people that a call reaches. */
export const reachedPeople = ({ users, dry_run }: Readonly<Record<string, unknown>>): unknown[] =>
  Array.isArray(users) && dry_run !== true ? users : [];

/** Returns what a person has to confirm before an agent reaches more people than it may by itself. */
export const peopleConfirmationText = (name: string, input: Readonly<Record<string, unknown>>): string =>
  `${name === 'invite-users' ? 'Invite' : 'Register'} ${reachedPeople(input).length} people, more than ${maxUnconfirmedPeople} in an hour`;

function decisionIn({ recruiter_go_next_round: decision, stage }: Readonly<Record<string, unknown>>) {
  if (decision === false) return 'Reject the candidate';
  if (decision === true) return 'Select the candidate for the next round';
  if (decision === null) return "Clear the decision on the candidate's result";
  return stage === undefined ? undefined : `Move the candidate to the stage ${JSON.stringify(stage)}`;
}

/** Returns true if some calls of the operation need a confirmation. */
export const mayNeedConfirmation = (operation: Operation): boolean =>
  confirmationTextFor(operation, {
    recruiter_go_next_round: true,
    status: 'deleted',
    users: Array.from({ length: maxUnconfirmedPeople + 1 }),
  }) !== undefined;
