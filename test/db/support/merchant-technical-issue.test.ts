import { randomUUID } from 'node:crypto';
import type { Conversation } from '../../../local/fakes/zendesk';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { eachRow } from '../../harness/each-row';
import { errorBody } from '../../harness/platform/error-body';
import { insist } from '../../harness/platform/insist';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import type { CallOptions, Reply } from '../../harness/platform/platform';
import { startIssueWorker } from '../../harness/support/issue-worker';
import { waitFor } from '../../harness/wait-for';

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startIssueWorker());
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
const countReports = async () =>
  (await platform.database.rows<{ count: number }>('select count(*)::int from technical_issue'))[0]?.count;

describe('merchant-technical-issue', () => {
  it('accepts null ids, ids in capitals and of a position, and trims the text', async () => {
    const [position] = await platform.database.rows<{ id: string }>(
      'select id from position where merchant_id = $1 and id = $2',
      [merchants.main.id, positionIds.main],
    );
    const replies = [
      await reportAndHear({ description: `  ${description}\n\n`, interview_id: null, result_id: null }),
      await reportAndHear({ interview_id: interviewId('active').toUpperCase() }),
      await reportAndHear({ interview_id: position?.id }),
    ];
    expect(replies.map(({ status, body }) => [status, body['status']])).toEqual(
      replies.map(() => [200, 'sent']),
    );
    expect(
      await platform.database.rows(
        'select description, interview_id, position_id from technical_issue order by created_at',
      ),
    ).toEqual([
      { description, interview_id: null, position_id: null },
      { description, interview_id: interviewId('active'), position_id: null },
      { description, interview_id: null, position_id: positionIds.main },
    ]);
  });

  it('returns 422 with the name of the wrong field and stores nothing', () =>
    eachRow<[string, Record<string, unknown>, string]>(
      [
        ['no description', { description: undefined }, 'description'],
        ['a password', { description: 'My password: hunter2 does not work' }, 'description'],
        ['another merchant’s interview', { interview_id: interviewId('other') }, 'interview_id'],
        ['an interview of another environment', { interview_id: interviewId('uat') }, 'interview_id'],
        ['an unknown result', { result_id: randomUUID() }, 'result_id'],
      ],
      async (_what, body, name) => {
        const reply = await report(body);
        expect([reply.status, reply.body]).toEqual([
          422,
          { ...errorBody('invalid_value', name), code: expect.any(String), errors: expect.any(Array) },
        ]);
        expect(reply.text).not.toContain('hunter2');
        expect(await countReports()).toBe(0);
      },
    ));
});

describe('the callers of merchant-technical-issue', () => {
  it('include an admin, who names the merchant of the interview', async () => {
    const token = platform.stack.tokens.admin;
    expect((await report({}, { token })).body).toMatchObject({ name: 'merchant_id' });
    const reply = await reportAndHear(
      { merchant_id: merchants.other.id, interview_id: interviewId('other') },
      { token },
    );
    expect(reply.body['status']).toBe('sent');
    const conversation = await conversationOf(reply);
    expect(conversation?.requester_email).toBe(people.admin.email);
    expect(conversation?.body).toContain(`Company: ${merchants.other.name}`);
  });
});

describe('the limit of five issues in 24 hours', () => {
  it('accepts exactly 5 of 20 simultaneous calls, and returns the time to wait to the others', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => insist(() => report())));
    const passed = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 429);
    expect([passed.length, refused.length]).toEqual([5, 15]);
    for (const { headers, body } of refused) {
      expect(body).toEqual(
        errorBody('daily_limit_reached', undefined, expect.stringContaining('5 technical issues')),
      );
      const seconds = Number(headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(86_000);
      expect(seconds).toBeLessThanOrEqual(86_400);
    }
    expect(await countReports()).toBe(5);
  });
});

describe('Idempotency-Key', () => {
  it('finds the issue of a call whose reply was lost, and counts it once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await report({}, { headers });
    await platform.database.rows(
      `update idempotency_key set reply_sealed = null, lease_until = now() - interval '1 second' where key = $1`,
      [headers['idempotency-key']],
    );
    for (let index = 0; index < 4; index++) await report();
    const again = await report({}, { headers });
    // The second reply has the current status. The first reply may have said `queued`, because the support desk can
    // be slow.
    expect([again.status, again.body['id']]).toEqual([200, first.body['id']]);
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(await countReports()).toBe(5);
    await conversationOf(first);
  });
});
