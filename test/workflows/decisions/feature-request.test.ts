import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { workflowMetadataQuery } from '@temporalio/workflow';
import { quietRuntime, startTestWorker, whileBeating } from '../../harness/platform/test-worker';

type Run = { activity: 'post' | 'record' | 'remove'; id: string; attempt: number };
type Play = (run: Run) => Promise<void> | void;
/** `seen` lists the calls of the fake activities. Each call for a request runs the request's function in `plays`. */
const seen: Run[] = [];
const plays = new Map<string, Play>();
const note = async (activity: Run['activity'], id: string) => {
  const run = { activity, id, attempt: Context.current().info.attempt };
  seen.push(run);
  await whileBeating(() => plays.get(id)?.(run));
};
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startTestWorker({
    postFeatureRequest: async (input) => {
      expect(Object.keys(input)).toEqual(['feature_request_id']);
      await note('post', input.feature_request_id);
      return { post_id: 'post-1' };
    },
    recordFeaturePost: async ({ feature_request_id, post_id }) => {
      expect(post_id).toBe('post-1');
      await note('record', feature_request_id);
    },
    removeFeatureRequest: ({ feature_request_id }) => note('remove', feature_request_id),
  });
});
afterAll(() => worker.stop());

async function run(play?: Play) {
  const id = randomUUID();
  if (play) plays.set(id, play);
  const handle = await worker.startFeatureRequest(id);
  const error = await handle.result().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { handle, error, runs: seen.filter((each) => each.id === id).map(({ activity }) => activity) };
}
const failure = (nonRetryable: boolean) =>
  ApplicationFailure.create({ message: 'no', type: 'Test', nonRetryable, nextRetryDelay: 1 });

describe('featureRequest', () => {
  it('posts the request and then records the post', async () => {
    const { error, runs } = await run();
    expect(error).toBeUndefined();
    expect(runs).toEqual(['post', 'record']);
  });

  it('records the third attempt when the board fails twice', async () => {
    const { error, runs } = await run(({ activity, attempt }) => {
      if (activity === 'post' && attempt < 3) throw failure(false);
    });
    expect(error).toBeUndefined();
    expect(runs).toEqual(['post', 'post', 'post', 'record']);
  });

  it.each([
    ['fails three times', false, ['post', 'post', 'post', 'remove']],
    ['refuses', true, ['post', 'remove']],
  ])('removes the request and fails when the board %s', async (_how, nonRetryable, expected) => {
    const { error, runs } = await run(({ activity }) => {
      if (activity === 'post') throw failure(nonRetryable);
    });
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect(runs).toEqual(expected);
  });

  it('removes the request and fails when its time was over before it was posted', async () => {
    const { error, runs } = await run(({ activity }) => {
      if (activity === 'record') throw failure(true);
    });
    expect(error).toBeInstanceOf(WorkflowFailedError);
    expect(runs).toEqual(['post', 'record', 'remove']);
  });

  it('retries the removal until it succeeds', async () => {
    const { runs } = await run(({ activity, attempt }) => {
      if (activity === 'post') throw failure(true);
      if (activity === 'remove' && attempt < 3) throw failure(false);
    });
    expect(runs).toEqual(['post', 'remove', 'remove', 'remove']);
  });

  it('removes the request also when the workflow is canceled', async () => {
    const id = randomUUID();
    plays.set(id, async ({ activity }) => {
      if (activity !== 'post') return;
      await worker.client.workflow.getHandle(`feature-request/${id}`).cancel();
      await Context.current().cancelled.catch(() => undefined);
      throw failure(false);
    });
    const handle = await worker.startFeatureRequest(id);
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(seen.filter((each) => each.id === id).map(({ activity }) => activity)).toEqual(['post', 'remove']);
    expect((await handle.describe()).status.name).toBe('CANCELLED');
  });

  it('shows in Temporal whose workflow it is, what it does and its progress', async () => {
    const details: unknown[] = [];
    const id = randomUUID();
    plays.set(id, async () => {
      const { currentDetails } = await worker.client.workflow
        .getHandle(`feature-request/${id}`)
        .query(workflowMetadataQuery);
      details.push(currentDetails);
    });
    const handle = await worker.startFeatureRequest(id);
    await handle.result();
    details.push((await handle.query(workflowMetadataQuery)).currentDetails);
    expect(details).toEqual([
      '**Posting**: the board is asked, three times at most.',
      '**Recording**: the board has it as post-1.',
      '**Posted**: the board’s users see it.',
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes).toMatchObject({
      MerchantId: ['00000000-0000-4000-8000-000000000001'],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Posts a feature request on the board');
  });
});
