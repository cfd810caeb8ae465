import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { IssueAttempt, TechnicalIssueActivities } from '../../../activities/support/technical-issues';
import type { Database } from '../../../db/platform/database';
import { merchants, people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { technicalIssueId } from '../../../workflows/ids';
import { activityEnvironment } from '../../harness/platform/activity-environment';
import { maintain } from '../../harness/platform/maintenance';
import { startFeatureWorker } from '../../harness/support/feature-worker';
import type { FeatureWorker } from '../../harness/support/feature-worker';
import { startIssueWorker } from '../../harness/support/issue-worker';
import type { IssueWorker } from '../../harness/support/issue-worker';
import { waitFor } from '../../harness/wait-for';
import { putResult } from '../../harness/webhooks/webhook-rows';

describe('feature-requests', () => {
  let workflow: FeatureWorker;
  beforeAll(async () => {
    workflow = await startFeatureWorker();
  });
  afterEach(() => workflow.clear());

  type Activities = FeatureWorker['activities'];
  const post = (id: string, { postFeatureRequest }: Activities = workflow.activities) =>
    activityEnvironment().run<
      [{ feature_request_id: string }],
      { post_id: string },
      typeof postFeatureRequest
    >(postFeatureRequest, { feature_request_id: id });
  const record = (id: string, post_id: string) =>
    activityEnvironment().run(workflow.activities.recordFeaturePost, { feature_request_id: id, post_id });
  const remove = (id: string) =>
    activityEnvironment().run(workflow.activities.removeFeatureRequest, { feature_request_id: id });
  async function failureOf(work: Promise<unknown>) {
    const error: unknown = await work.then(
      () => 'no failure',
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof ApplicationFailure)) throw error;
    const { message, type, nonRetryable, nextRetryDelay } = error;
    return { message, type, nonRetryable, nextRetryDelay };
  }
  const gone = {
    message: 'the feature request no longer waits to be posted',
    type: 'FeatureRequestGone',
    nonRetryable: true,
    nextRetryDelay: undefined,
  };

  describe('postFeatureRequest', () => {
    it('posts under the name of the person and names no company', async () => {
      const { id, title } = await workflow.insert();
      const { post_id } = await post(id);
      expect(await workflow.posts()).toEqual([
        expect.objectContaining({
          id: post_id,
          author_email: people.merchant.email,
          author_name: 'Marco Rinaldi',
          title,
          details: 'For late hours.',
        }),
      ]);
      expect(workflow.counted).toEqual(['created']);
      expect(await workflow.find(id)).toMatchObject({ status: 'pending' });
    });

    it('uses the part before the @ when the person has no name', async () => {
      await workflow.database.rows('update profile set name = null where id = $1', [
        people.other_merchant.id,
      ]);
      const { id } = await workflow.insert({ profile_id: people.other_merchant.id });
      await post(id);
      expect(await workflow.posts()).toMatchObject([{ author_name: 'omar' }]);
    });

    it('returns the same post when it runs again after a lost response', async () => {
      const { id } = await workflow.insert();
      await workflow.fault({ accept: true, reset: true });
      expect(await failureOf(post(id))).toMatchObject({
        type: 'FeatureBoardUnavailable',
        nonRetryable: false,
      });
      const { post_id } = await post(id);
      expect(await workflow.posts()).toEqual([expect.objectContaining({ id: post_id })]);
      expect(workflow.counted).toEqual(['failed', 'found']);
    });

    it('finds an unrecorded post of the same person and title, but not of another title', async () => {
      const lost = await workflow.insert({ title: 'Sound effects' });
      const { post_id } = await post(lost.id);
      await remove(lost.id);
      const later = await workflow.insert({ title: 'Sound effects' });
      expect(await post(later.id)).toEqual({ post_id });
      await record(later.id, post_id);
      const another = await workflow.insert({ title: 'Sound effects, louder' });
      const third = await workflow.insert({ title: 'Sound effects', profile_id: people.operator.id });
      await post(another.id);
      await post(third.id);
      expect(await workflow.posts()).toHaveLength(3);
    });

    it('creates another post for another description with the same title, also when the first post is unrecorded', async () => {
      const lost = await workflow.insert({ title: 'Sound effects', description: 'A bell at the end.' });
      await post(lost.id);
      await remove(lost.id);
      const later = await workflow.insert({ title: 'Sound effects', description: 'A drum roll before.' });
      await post(later.id);
      expect((await workflow.posts()).map(({ details }) => details)).toEqual([
        'A bell at the end.',
        'A drum roll before.',
      ]);
    });

    it('waits while an earlier request with the same title is posted, and does not take over that post', async () => {
      const same = { title: 'Large print', description: 'For tired eyes.' };
      const [first, second] = [await workflow.insert(same), await workflow.insert(same)];
      const { post_id } = await post(first.id);
      const waiting = post(second.id);
      await record(first.id, post_id);
      const another = await waiting;
      expect(another.post_id).not.toBe(post_id);
      await record(second.id, another.post_id);
      expect(await workflow.posts()).toHaveLength(2);
    });

    it.each([
      ['whose time is over', { title: 'Number one' }, -1],
      ['with another title', { title: 'Number two' }, 600],
      ['of another person', { title: 'Number one', profile_id: people.operator.id }, 600],
    ])('does not wait for a request %s', async (_which, row, seconds) => {
      const before = await workflow.insert(row, seconds);
      const { id } = await workflow.insert({ title: 'Number one' });
      expect(await post(id)).toEqual({ post_id: expect.any(String) });
      for (const each of [before.id, id]) await remove(each);
    });

    it('creates another post when the same feature is requested again after posting', async () => {
      const first = await workflow.insert({ title: 'Keyboard shortcuts' });
      await record(first.id, (await post(first.id)).post_id);
      const second = await workflow.insert({ title: 'Keyboard shortcuts' });
      await post(second.id);
      expect(await workflow.posts()).toHaveLength(2);
    });

    it('returns the post of a posted request without a call of the board', async () => {
      const { id } = await workflow.insert({ status: 'posted', post_id: 'p0', posted_at: new Date() });
      await workflow.fault({ status: 500 });
      expect(await post(id)).toEqual({ post_id: 'p0' });
      expect(workflow.counted).toEqual([]);
    });

    it('fails for good without a call of the board when the request was removed or is past its deadline', async () => {
      const { id } = await workflow.insert({}, 1);
      expect(await failureOf(post(id))).toEqual(gone);
      expect(await failureOf(post(randomUUID()))).toEqual(gone);
      expect(await workflow.posts()).toEqual([]);
    });

    it.each([
      ['429 with a wait', { status: 429, headers: { 'retry-after': '2' } }, false, 2_000],
      ['429 with a wait of 0', { status: 429, headers: { 'retry-after': '0' } }, false, undefined],
      [
        '429 with a wait beyond the time left',
        { status: 429, headers: { 'retry-after': '3600' } },
        true,
        undefined,
      ],
      ['401', { status: 401 }, true, undefined],
    ] as const)(
      'fails with a fixed message for %s, and says whether to retry',
      async (_fault, fault, nonRetryable, wait) => {
        const { id } = await workflow.insert();
        await workflow.fault({ ...fault });
        expect(await failureOf(post(id))).toEqual({
          message: `the feature board responded with ${fault.status}`,
          type: 'FeatureBoardUnavailable',
          nonRetryable,
          nextRetryDelay: wait,
        });
        expect(workflow.counted).toEqual(['failed']);
        expect(await workflow.posts()).toEqual([]);
      },
    );

    it('looks for the post and creates none when little time is left', async () => {
      // On a slow machine, the deadline may pass before the board is searched. The test then repeats with another
      // request.
      const failure = await waitFor('a look in time', async () => {
        const { id } = await workflow.insert({}, 3.9);
        const told = await failureOf(post(id));
        expect(await workflow.posts()).toEqual([]);
        return told.message === 'no time is left to create the post' && told;
      });
      expect(failure).toMatchObject({ nonRetryable: true });
    });

    it('stops waiting for a creation that hangs, and finds the post in the next attempt before the deadline', async () => {
      // On a slow machine, the deadline may pass before the second attempt. The test then repeats with another request.
      const found = await waitFor('a creation and a look in time', async () => {
        await workflow.clear();
        const { id } = await workflow.insert({}, 6);
        await workflow.fault({ accept: true, delay_ms: 600_000 });
        const told = await failureOf(post(id));
        if (told.message !== 'the feature board did not respond in time' || told.nonRetryable)
          return undefined;
        return post(id).catch(() => undefined);
      });
      expect(await workflow.posts()).toEqual([expect.objectContaining({ id: found.post_id })]);
      expect(workflow.counted).toEqual(['failed', 'found']);
    });

    it('fails for good in a worker without a configured board', async () => {
      const { id } = await workflow.insert();
      expect(await failureOf(post(id, workflow.unconfigured))).toMatchObject({
        message: 'this worker has no feature board configured',
        nonRetryable: true,
      });
    });
  });

  describe('recordFeaturePost', () => {
    it('marks the request as posted, once', async () => {
      const { id } = await workflow.insert();
      await record(id, 'p1');
      await record(id, 'p1');
      expect(await workflow.find(id)).toEqual({ status: 'posted', post_id: 'p1' });
    });

    it('fails for good with the post of another request and changes nothing', async () => {
      const [first, second] = [await workflow.insert(), await workflow.insert()];
      await record(first.id, 'p2');
      expect(await failureOf(record(second.id, 'p2'))).toEqual(gone);
      expect(await workflow.find(second.id)).toEqual({ status: 'pending', post_id: null });
    });

    it('fails for good after the deadline or when the request was removed, and changes nothing', async () => {
      const { id } = await workflow.insert({}, -1);
      expect(await failureOf(record(id, 'p1'))).toEqual(gone);
      expect(await failureOf(record(randomUUID(), 'p1'))).toEqual(gone);
      expect(await workflow.find(id)).toEqual({ status: 'pending', post_id: null });
    });
  });

  describe('removeFeatureRequest', () => {
    it('removes a pending request, any number of times, and never a posted one', async () => {
      const [pending, posted] = [await workflow.insert(), await workflow.insert()];
      await record(posted.id, 'p3');
      for (const { id } of [pending, posted, pending]) await remove(id);
      expect(await workflow.find(pending.id)).toBeUndefined();
      expect(await workflow.find(posted.id)).toMatchObject({ status: 'posted' });
    });
  });

  describe('runMaintenance', () => {
    it('removes feature requests two minutes after their deadline, and never posted ones', async () => {
      const [waiting, late, abandoned, posted] = [
        await workflow.insert(),
        await workflow.insert({}, -60),
        await workflow.insert({}, -130),
        await workflow.insert({ status: 'posted', post_id: 'p4', posted_at: new Date() }, -130),
      ];
      await maintain(workflow.worker);
      const left = await Promise.all([waiting, late, abandoned, posted].map(({ id }) => workflow.find(id)));
      expect(left.map((row) => row?.status)).toEqual(['pending', 'pending', undefined, 'posted']);
    });
  });
});

describe('technical-issues', () => {
  let workflow: IssueWorker;
  beforeAll(async () => {
    workflow = await startIssueWorker();
  });
  /** The log lines and results of the activities. Operators can read them, so they must not contain texts of people. */
  let told: unknown[] = [];
  beforeEach(() => {
    told = [];
  });
  afterEach(async () => {
    await workflow.clear();
    expect(JSON.stringify(told)).not.toMatch(/confidential|northwind|marco/i);
  });

  const text = 'Confidential: the page stays blank.\n\nIt worked yesterday.';
  function environment(): MockActivityEnvironment {
    const logger = new DefaultLogger('INFO', ({ message, meta }) => void told.push({ message, meta }));
    return new MockActivityEnvironment({}, { logger });
  }
  const send = async (
    report_id: string,
    activities: TechnicalIssueActivities = workflow.activities,
  ): Promise<IssueAttempt> => {
    const attempt: IssueAttempt = await environment().run(activities.sendIssueReport, { report_id });
    told.push(attempt);
    return attempt;
  };
  const failed = (failure: string, retry_after_ms = 0) => ({ reference: null, failure, retry_after_ms });

  describe('sendIssueReport', () => {
    it('opens one conversation in the name of the person who reported the issue, and records its number', async () => {
      const result = await putResult(workflow.database);
      const id = await workflow.report(text, { interview_id: interviewId('active'), result_id: result });
      const { reference } = await send(id);
      const [conversation, ...more] = await workflow.conversations(id);
      expect(more).toEqual([]);
      expect(reference).toBe(`#${conversation?.number}`);
      const { name, email } = people.merchant;
      expect(conversation).toMatchObject({
        requester_email: email,
        requester_name: name,
        subject: 'Confidential: the page stays blank.',
        idempotency_key: id,
      });
      expect(conversation?.body).toContain(
        `${text}\n\n---\nCompany: ${merchants.main.name} (${merchants.main.id})\n`,
      );
      for (const line of [
        `Reported by: ${name} (${email})`,
        `(${interviewId('active')})`,
        `(${result})`,
        `Technical issue: ${id}`,
      ])
        expect(conversation?.body).toContain(line);
      expect(await workflow.row(id)).toEqual({
        id,
        status: 'sent',
        reference,
        attempts: 1,
        last_failure: null,
        given_up: false,
      });
    });

    it('names the position if the issue is about one', async () => {
      const [position] = await workflow.database.rows<{ id: string; name: string }>(
        `select id, name from position where merchant_id = $1 and id <> $2 limit 1`,
        [merchants.main.id, positionIds.other],
      );
      const id = await workflow.report(text, { position_id: position?.id ?? '' });
      await send(id);
      expect((await workflow.conversations(id))[0]?.body).toContain(
        `Position: ${position?.name} (${position?.id})`,
      );
    });

    it('returns the same number without another call when it runs again', async () => {
      const id = await workflow.report(text);
      const first = await send(id);
      await workflow.fault({ status: 500 });
      expect(await send(id)).toEqual(first);
      expect(await workflow.conversations(id)).toHaveLength(1);
      expect((await workflow.row(id))?.attempts).toBe(1);
    });

    it.each<[string, Record<string, unknown>, ReturnType<typeof failed>]>([
      ['429 with Retry-After', { status: 429, headers: { 'retry-after': '30' } }, failed('429', 30_000)],
      [
        'a Retry-After of a year',
        { status: 503, headers: { 'retry-after': '31536000' } },
        failed('503', 86_400_000),
      ],
      ['a reset', { reset: true }, failed('network')],
    ])(
      'returns and records %s as a failure in one word, and succeeds in the next attempt',
      async (_what, fault, outcome) => {
        const id = await workflow.report(text);
        await workflow.fault(fault);
        expect(await send(id)).toEqual(outcome);
        expect(await workflow.row(id)).toMatchObject({
          status: 'queued',
          reference: null,
          attempts: 1,
          last_failure: outcome.failure,
        });
        const { reference } = await send(id);
        expect(await workflow.row(id)).toMatchObject({
          status: 'sent',
          reference,
          attempts: 2,
          last_failure: null,
        });
        expect(await workflow.conversations(id)).toHaveLength(1);
      },
    );

    it('finds the conversation in the next attempt after a lost reply, although the idempotency keys are forgotten', async () => {
      const id = await workflow.report(text);
      await workflow.forgetKeysAfter(0);
      await workflow.fault({ reset: true, accept: true });
      expect(await send(id)).toMatchObject({ reference: null });
      const [made] = await workflow.conversations(id);
      expect(await send(id)).toEqual({ reference: `#${made?.number}` });
      expect(await workflow.conversations(id)).toHaveLength(1);
    });

    it('creates nothing when the search fails', async () => {
      const id = await workflow.report(text);
      await workflow.fault({ status: 500, accept: true });
      await workflow.fault({ status: 500 });
      await workflow.forgetKeysAfter(0);
      expect(await send(id)).toEqual(failed('500'));
      expect(await send(id)).toEqual(failed('500'));
      expect(await send(id)).toMatchObject({ reference: expect.stringMatching(/^#/) });
      expect(await workflow.conversations(id)).toHaveLength(1);
    });

    it('fails when Postgres is unavailable after the conversation was opened, and the next run finds it', async () => {
      const id = await workflow.report(text);
      await workflow.forgetKeysAfter(0);
      let transactions = 0;
      const door: Pick<Database, 'writeAsWorker'> = {
        writeAsWorker: (work) =>
          ++transactions === 2
            ? Promise.reject(new Error('Connection terminated'))
            : workflow.worker.writeAsWorker(work),
      };
      await expect(send(id, workflow.activitiesWith({ door }))).rejects.toThrow('Connection terminated');
      const [made] = await workflow.conversations(id);
      expect(await workflow.row(id)).toMatchObject({ status: 'queued', attempts: 1 });
      expect(await send(id)).toEqual({ reference: `#${made?.number}` });
      expect(await workflow.conversations(id)).toHaveLength(1);
    });

    it('returns a failure and keeps the issue queued when no support desk is configured', async () => {
      const id = await workflow.report(text);
      expect(await send(id, workflow.activitiesWith({ desk: null }))).toEqual(failed('not configured'));
      expect(await workflow.row(id)).toMatchObject({ status: 'queued', last_failure: 'not configured' });
    });

    it('does not retry an unknown issue', async () => {
      await expect(send('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
        type: 'IssueReportGone',
        nonRetryable: true,
      });
    });

    it('counts an outcome for each call of the support desk', async () => {
      workflow.attempted.length = 0;
      const id = await workflow.report(text);
      await workflow.fault({ status: 500 });
      await send(id);
      await send(id);
      await send(id);
      expect(workflow.attempted).toEqual(['failed', 'sent']);
    });
  });

  describe('giveUpIssueReport', () => {
    const giveUp = (report_id: string) =>
      environment().run(workflow.activities.giveUpIssueReport, { report_id });

    it('marks the issue and logs it, and a later attempt can still send it', async () => {
      const id = await workflow.report(text);
      await workflow.fault({ status: 503 });
      await send(id);
      await giveUp(id);
      expect(await workflow.row(id)).toMatchObject({ status: 'queued', given_up: true, last_failure: '503' });
      expect(told).toContainEqual({
        message: expect.stringContaining('gave up'),
        meta: expect.objectContaining({ report_id: id, attempts: 1, last_failure: '503' }),
      });
      await send(id);
      expect(await workflow.row(id)).toMatchObject({ status: 'sent', given_up: false });
    });

    it('leaves an issue unchanged that was sent after all', async () => {
      const id = await workflow.report(text);
      await send(id);
      await giveUp(id);
      expect(await workflow.row(id)).toMatchObject({ status: 'sent', given_up: false });
    });
  });

  describe('runMaintenance', () => {
    const minutesLater = (minutes: number) =>
      workflow.database.rows(
        `update technical_issue set restart_at = restart_at - $1 * interval '1 minute'`,
        [minutes],
      );
    const starts = async () => {
      await maintain(workflow.worker);
      return workflow.database.rows(
        'select merchant_id, workflow_type, workflow_id, argument from workflow_start',
      );
    };
    const startOf = (id: string) => ({
      merchant_id: merchants.main.id,
      workflow_type: 'issueReport',
      workflow_id: technicalIssueId(id),
      argument: { report_id: id },
    });

    it('starts the workflow of a queued issue that had no attempt for 20 minutes, and again every 20 minutes', async () => {
      await workflow.database.rows('delete from technical_issue');
      const [untried, tried, sent, givenUp] = [
        await workflow.report(text),
        await workflow.report(text),
        await workflow.report(text),
        await workflow.report(text),
      ];
      await send(sent);
      await environment().run(workflow.activities.giveUpIssueReport, { report_id: givenUp });
      await minutesLater(19);
      expect(await starts()).toEqual([]);
      await minutesLater(2);
      await workflow.fault({ status: 503 });
      await send(tried);
      expect(await starts()).toEqual([startOf(untried)]);
      expect(await starts()).toEqual([startOf(untried)]);
      await minutesLater(21);
      expect(await starts()).toEqual(expect.arrayContaining([startOf(untried), startOf(tried)]));
      expect(await starts()).toHaveLength(2);
    });
  });
});
