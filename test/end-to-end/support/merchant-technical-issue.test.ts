import type { Conversation } from '../../../local/fakes/zendesk';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId } from '../../../local/seed/fixed-id';
import type { CallOptions, Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { issueRow } from '../../harness/support/issue-worker';
import { waitFor } from '../../harness/wait-for';
import { putResult } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});
beforeEach(() => platform.database.rows('delete from technical_issue'));

const description = 'The page stays blank.\n\nIt worked yesterday.';
const report = (body: Record<string, unknown> = {}, options: CallOptions = {}) =>
  platform.call('merchant-technical-issue', { body: { description, ...body }, ...options });
/**
 * Reports issues until the reply says that the issue was sent. If sending takes longer than the call waits, the reply
 * says `queued`. The queued issue is then deleted and reported again.
 */
const reportAndHear = (...call: Parameters<typeof report>) =>
  waitFor('a report that is sent while its caller waits', async () => {
    const reply = await report(...call);
    if (reply.body['status'] !== 'queued') return reply;
    await platform.database.rows('delete from technical_issue where id = $1', [reply.body['id']]);
    return undefined;
  });
const conversationOf = async ({ body }: Reply) => {
  const all = (await platform.fake('/conversations')) as Conversation[];
  const [conversation, ...more] = all.filter(({ external_id }) => external_id === body['id']);
  expect(more).toEqual([]);
  return conversation;
};

describe('merchant-technical-issue', () => {
  it('returns the number of the conversation, which is in the caller’s name', async () => {
    const result = await putResult(platform.database);
    const reply = await reportAndHear({ interview_id: interviewId('active'), result_id: result });
    const conversation = await conversationOf(reply);
    expect([reply.status, reply.body]).toEqual([
      200,
      { id: expect.any(String), status: 'sent', reference: `#${conversation?.number}` },
    ]);
    expect(conversation).toMatchObject({
      requester_email: people.merchant_owner.email,
      requester_name: people.merchant_owner.name,
      subject: 'The page stays blank.',
      idempotency_key: reply.body['id'],
    });
    for (const part of [description, merchants.main.name, merchants.main.id, interviewId('active'), result])
      expect(conversation?.body).toContain(part);
    expect(await issueRow(platform.database, String(reply.body['id']))).toMatchObject({
      status: 'sent',
      attempts: 1,
    });
    expect(await platform.database.rows('select description from technical_issue')).toEqual([
      { description },
    ]);
  });
});
