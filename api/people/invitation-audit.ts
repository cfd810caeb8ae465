import type { NewAuditEntry } from '../../db/platform/audit';
import { isCoaching } from '../platform/operation/vocabulary';
import type { AccountRequest } from './invite-accounts';
import type { CandidateRequest, Invited } from './invite-candidates';

type InvitationRequest = Pick<CandidateRequest, 'interview_id'> | Pick<AccountRequest, 'type'>;

/**
 * Returns the audit log entries for a call that invited people: one entry with the number of people of each type, and
 * one entry for each team member. `outcomes` has the order of `wanted`. Profile ids are the only personal data in the
 * entries.
 */
export function auditEntriesOf(
  wanted: readonly InvitationRequest[],
  outcomes: readonly Invited[],
): NewAuditEntry[] {
  const counts = new Map<string, number>();
  const interviews = new Set<string>();
  const team: NewAuditEntry[] = [];
  for (const [place, person] of wanted.entries()) {
    const outcome = outcomes[place];
    if (!outcome || !givesAccess.has(outcome.code)) continue;
    const type = 'type' in person ? person.type : 'candidate';
    counts.set(type, (counts.get(type) ?? 0) + 1);
    if ('interview_id' in person) interviews.add(person.interview_id.toLowerCase());
    else if (!isCoaching(person.type))
      team.push({
        act: 'team-member-invite',
        subjectId: outcome.profile_id,
        details: { role: person.type, result: outcome.result },
      });
  }
  if (counts.size === 0) return [];
  const [only = null] = interviews.size === 1 ? interviews : [];
  return [
    {
      act: 'invite-users',
      subjectId: only,
      details: {
        ...Object.fromEntries(counts),
        ...(interviews.size > 0 ? { interviews: interviews.size } : {}),
      },
    },
    ...team,
  ];
}

const givesAccess: ReadonlySet<string> = new Set(['invited', 'sub_merchant_added', 'coaching_access_added']);
