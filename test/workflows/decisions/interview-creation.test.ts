import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import { quietRuntime, startTestWorker, whileBeating } from '../../harness/platform/test-worker';

type Run = { activity: 'draft' | 'store'; id: string; attempt: number; queue: string };
type Play = (run: Run) => Promise<void> | void;
/** `seen` lists the calls of the fake activities. Each call for an interview runs its function in `plays`. */
const seen: Run[] = [];
const plays = new Map<string, Play>();
const fake =
  (activity: Run['activity']) =>
  async (input: { interview_id: string }): Promise<void> => {
    const { attempt, taskQueue } = Context.current().info;
    expect(Object.keys(input)).toEqual(['interview_id']);
    const run = { activity, id: input.interview_id, attempt, queue: taskQueue };
    seen.push(run);
    await whileBeating(() => plays.get(run.id)?.(run));
  };
let worker: Awaited<ReturnType<typeof startTestWorker>>;
beforeAll(async () => {
  quietRuntime();
  worker = await startTestWorker({ draftInterview: fake('draft'), storeInterview: fake('store') });
});
afterAll(() => worker.stop());

async function run(play?: Play) {
  const id = randomUUID();
  if (play) plays.set(id, play);
  const handle = await worker.startCreation(id);
  const error = await handle.result().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { handle, error, runs: seen.filter((entry) => entry.id === id) };
}
const failure = (type: string, nonRetryable: boolean) =>
  ApplicationFailure.create({ message: 'no', type, nonRetryable, nextRetryDelay: 1 });

describe('interviewCreation', () => {
  it('drafts on the queue of model calls and stores on the main one', async () => {
    const { error, runs } = await run();
    expect(error).toBeUndefined();
    expect(runs.map(({ activity, attempt, queue }) => [activity, attempt, queue])).toEqual([
      ['draft', 1, worker.queues.ai],
      ['store', 1, worker.queues.main],
    ]);
  });

  it.each([
    ['draft', 'InterviewGone'],
    ['draft', 'ModelUnavailable'],
    ['draft', 'ModelAnswerUnusable'],
    ['store', 'InterviewGone'],
    ['store', 'ModelAnswerUnusable'],
  ] as const)('ends without another attempt when %s fails for good with %s', async (activity, type) => {
    const { error, runs } = await run((entry) => {
      if (entry.activity === activity) throw failure(type, true);
    });
    expect(error).toBeInstanceOf(WorkflowFailedError);
    const { cause } = error as WorkflowFailedError;
    expect(cause).toBeInstanceOf(ActivityFailure);
    expect((cause as ActivityFailure).cause).toMatchObject({ type, nonRetryable: true });
    expect(runs.map((entry) => entry.activity)).toEqual(
      activity === 'draft' ? ['draft'] : ['draft', 'store'],
    );
  });

  it.each(['draft', 'store'] as const)('retries until %s succeeds', async (activity) => {
    const { error, runs } = await run((entry) => {
      if (entry.activity === activity && entry.attempt < 4) throw failure('ModelUnavailable', false);
    });
    expect(error).toBeUndefined();
    const attempts = runs.filter((entry) => entry.activity === activity).map(({ attempt }) => attempt);
    expect(attempts).toEqual([1, 2, 3, 4]);
  });

  it('gives its activities the documented timeouts and retries', async () => {
    const { handle } = await run();
    const { events } = await handle.fetchHistory();
    const seconds = (duration?: { seconds?: unknown; nanos?: number | null } | null) =>
      Number(duration?.seconds ?? 0) + (duration?.nanos ?? 0) / 1e9;
    const scheduled = (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: set }) =>
      set
        ? [
            {
              type: set.activityType?.name,
              startToClose: seconds(set.startToCloseTimeout),
              scheduleToClose: seconds(set.scheduleToCloseTimeout),
              heartbeat: seconds(set.heartbeatTimeout),
              retry: [
                seconds(set.retryPolicy?.initialInterval),
                set.retryPolicy?.backoffCoefficient,
                seconds(set.retryPolicy?.maximumInterval),
                set.retryPolicy?.maximumAttempts,
              ],
            },
          ]
        : [],
    );
    expect(scheduled).toEqual([
      { type: 'draftInterview', startToClose: 45, scheduleToClose: 50, heartbeat: 5, retry: [1, 2, 5, 0] },
      { type: 'storeInterview', startToClose: 5, scheduleToClose: 55, heartbeat: 0, retry: [0.2, 2, 2, 0] },
    ]);
  });

  it('shows in Temporal whose workflow it is, what it does and its progress', async () => {
    const details: unknown[] = [];
    const id = randomUUID();
    plays.set(id, async () => {
      const { currentDetails } = await worker.client.workflow
        .getHandle(`interview-creation/${id}`)
        .query(workflowMetadataQuery);
      details.push(currentDetails);
    });
    const handle = await worker.startCreation(id);
    await handle.result();
    details.push((await handle.query(workflowMetadataQuery)).currentDetails);
    expect(details).toEqual([
      '**Drafting**: the model writes what the request left out.',
      '**Storing**: definition, questions and steps in one transaction.',
      '**Built**: the interview can be read.',
    ]);
    const description = await handle.describe();
    expect(description.searchAttributes).toMatchObject({
      MerchantId: ['00000000-0000-4000-8000-000000000001'],
      Environment: ['production'],
    });
    expect(await description.staticSummary()).toBe('Drafts an interview with the model and stores it');
  });
});
