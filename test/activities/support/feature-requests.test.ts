import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { people } from '../../../local/seed/accounts';
import { activityEnvironment } from '../../harness/interviews/interview-worker';
import { maintain } from '../../harness/platform/maintenance';
import { startFeatureWorker } from '../../harness/support/feature-worker';
import type { FeatureWorker } from '../../harness/support/feature-worker';
import { waitFor } from '../../harness/wait-for';

let workflow: FeatureWorker;
beforeAll(async () => {
  workflow = await startFeatureWorker();
});
afterAll(() => workflow.stop());
afterEach(() => workflow.clear());

type Activities = FeatureWorker['activities'];
const post = (id: string, { postFeatureRequest }: Activities = workflow.activities) =>
  activityEnvironment().run<[{ feature_request_id: string }], { post_id: string }, typeof postFeatureRequest>(
    postFeatureRequest,
    { feature_request_id: id },
  );
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
    await workflow.database.rows('update profile set name = null where id = $1', [people.other_merchant.id]);
    const { id } = await workflow.insert({ profile_id: people.other_merchant.id });
    await post(id);
    expect(await workflow.posts()).toMatchObject([{ author_name: 'omar' }]);
  });

  it.each([
    ['a lost response', { accept: true, reset: true }],
    ['a malformed response', { accept: true, malformed: true }],
    ['an error after the post was created', { accept: true, status: 500 }],
  ])('returns the same post when it runs again after %s', async (_situation, fault) => {
    const { id } = await workflow.insert();
    await workflow.fault(fault);
    expect(await failureOf(post(id))).toMatchObject({ type: 'FeatureBoardUnavailable', nonRetryable: false });
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
    ['500', { status: 500 }, 'the feature board responded with 500', false, undefined],
    [
      '429 with a wait',
      { status: 429, headers: { 'retry-after': '2' } },
      'the feature board responded with 429',
      false,
      2_000,
    ],
    [
      '429 with a wait of 0',
      { status: 429, headers: { 'retry-after': '0' } },
      'the feature board responded with 429',
      false,
      undefined,
    ],
    [
      '429 with a wait beyond the time left',
      { status: 429, headers: { 'retry-after': '3600' } },
      'the feature board responded with 429',
      true,
      undefined,
    ],
    ['401', { status: 401 }, 'the feature board responded with 401', true, undefined],
    ['broken JSON', { malformed: true }, 'the feature board returned a malformed response', false, undefined],
    ['a closed connection', { reset: true }, 'the feature board cannot be reached', false, undefined],
  ] as const)(
    'fails with a fixed message for %s, and says whether to retry',
    async (_fault, fault, message, nonRetryable, wait) => {
      const { id } = await workflow.insert();
      await workflow.fault({ ...fault });
      expect(await failureOf(post(id))).toEqual({
        message,
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
      if (told.message !== 'the feature board did not respond in time' || told.nonRetryable) return undefined;
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
