import { auditEntriesOf } from '../../../api/people/invitation-audit';
import { failedRow, succeededRow } from '../../../api/people/invite-candidates';
import type { InviteResult } from '../../../api/people/invite-candidates';

const interview_id = '0198A000-0000-7000-8000-0000000000b1';
const candidate = (name: string, id = interview_id) => ({
  email: `${name}@example.com`,
  email_key: `${name}@example.com`,
  name,
  interview_id: id,
});
const account = (name: string, type: 'merchant_owner' | 'merchant' | 'user') => ({
  email: `${name}@example.com`,
  email_key: `${name}@example.com`,
  name,
  type,
});
const outcome = (result: InviteResult, profile_id = 'profile') => ({ ...succeededRow(result), profile_id });

describe('auditEntriesOf', () => {
  it('counts the people by type in one act, and adds one act for each member of the team', () => {
    const acts = auditEntriesOf(
      [candidate('ann'), candidate('bo'), account('ola', 'merchant_owner'), account('uma', 'user')],
      [outcome('Invited'), outcome('Invited'), outcome('Invited', 'ola-id'), outcome('CoachingAccessAdded')],
    );
    expect(acts).toEqual([
      {
        act: 'invite-users',
        subjectId: interview_id.toLowerCase(),
        details: { candidate: 2, merchant_owner: 1, user: 1, interviews: 1 },
      },
      {
        act: 'team-member-invite',
        subjectId: 'ola-id',
        details: { role: 'merchant_owner', result: 'Invited' },
      },
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/@|"(ann|bo|ola|uma)"/);
  });

  it('names no interview when there are several', () => {
    const other = '0198a000-0000-7000-8000-0000000000b2';
    expect(
      auditEntriesOf([candidate('ann'), candidate('ann', other)], [outcome('Invited'), outcome('Invited')]),
    ).toEqual([{ act: 'invite-users', subjectId: null, details: { candidate: 2, interviews: 2 } }]);
  });

  it('returns nothing when nobody got an invitation or access', () => {
    const refused = failedRow({ code: 'invitation_limit_reached', error: 'try again later' });
    expect(
      auditEntriesOf(
        [candidate('ann'), candidate('bo'), account('ola', 'merchant'), account('max', 'merchant')],
        [outcome('Skipped'), outcome('Activated'), refused, outcome('Activated')],
      ),
    ).toEqual([]);
  });
});
