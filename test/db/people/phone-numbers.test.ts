import { randomUUID } from 'node:crypto';
import { interviewId } from '../../../local/seed/fixed-id';
import { grantInvitations } from '../../harness/people/mailbox';
import { cloneWithSteps, peopleCalls } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';

let platform: Operations;
let interview: string;
beforeAll(async () => {
  platform = await openOperations();
  await grantInvitations(platform);
  interview = await cloneWithSteps(platform.database, { candidate_notification_channel: 'all' });
});

describe('a phone number', () => {
  it('must be valid where messages are sent, and is any text elsewhere', async () => {
    const { register, invite: inviteRows } = peopleCalls(platform);
    const user = { email: `ann@${randomUUID()}.example`, phone: '0170 1234567' };
    const error = 'Error: phone must be a mobile number with its country code, such as +49 170 1234567.';
    expect(await register([user], { interview_id: interview })).toMatchObject([
      { result: error, code: 'invalid_format' },
    ]);
    const invitation = { ...user, type: 'candidate', interview_id: interview };
    expect(await inviteRows([invitation])).toMatchObject([{ result: error, code: 'invalid_format' }]);
    expect(await register([user], { interview_id: interviewId('active') })).toMatchObject([{ result: 'ok' }]);
  });
});
