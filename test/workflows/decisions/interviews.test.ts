import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { ActivityFailure } from '@temporalio/common';
import { workflowMetadataQuery } from '@temporalio/workflow';
import {
  createDecisionCircuit,
  awaitDecision,
  wakeAttempt,
  resumeDecision,
} from '../../../api/taking/decide-next';
import type { AnsweredTurn } from '../../../api/taking/decide-next';
import { followUpIn } from '../../../local/fakes/next-turn';
import { interviewAttemptId } from '../../../workflows/ids';
import { longAnswer, startAttemptWorld } from '../../activities/taking/attempt-world';
import type { AttemptWorld } from '../../activities/taking/attempt-world';
import { openTurn } from '../../db/taking/taking-world';
import { startTestWorker, whileBeating } from '../../harness/platform/test-worker';
import { waitFor } from '../../harness/wait-for';

describe('interviewCreation', () => {
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
    worker = await startTestWorker({ draftInterview: fake('draft'), storeInterview: fake('store') });
  });

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

  it('shows in Temporal whose workflow it is, and its progress', async () => {
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
  });
});

describe('interviewAttempt', () => {
  let world: AttemptWorld;
  let worker: Awaited<ReturnType<typeof startTestWorker>>;
  const hangs = new Set<string>();
  /** What happens after a check of the attempt of a result, before the workflow knows its outcome. */
  const afterChecks = new Map<string, () => Promise<void>>();
  beforeAll(async () => {
    world = await startAttemptWorld();
    worker = await startTestWorker(
      {
        ...world.activities,
        checkAttempt: async (input) => {
          const state = await world.activities.checkAttempt(input);
          await afterChecks.get(input.result_id)?.();
          return state;
        },
        /** The first call for a turn in `hangs` never ends and sends no heartbeat, as if its worker had been killed. */
        decideNextTurn: async (input) => {
          if (hangs.delete(input.turn_id)) await Context.current().cancelled;
          return world.activities.decideNextTurn(input);
        },
      },
      { isLive: true },
    );
  });
  afterEach(() => world.clearFaults());

  const question = { question: 'Tell me about a project.' };
  const next = { question: 'And the next one?' };
  const deps = () => ({
    database: world.api,
    temporal: worker.client,
    queues: worker.queues,
    metrics: { countWorkflow: () => undefined },
    decisions: createDecisionCircuit(),
  });
  type Begun = Awaited<ReturnType<AttemptWorld['beginInterview']>>;
  const turnOf = ({ result_id, attempt }: Begun, turnId: string): AnsweredTurn => ({
    resultId: result_id,
    attempt,
    turnId,
  });
  const handleOf = ({ result_id, attempt }: Begun) =>
    worker.client.workflow.getHandle(interviewAttemptId(result_id, attempt));
  /** Returns the names of the activities that the workflow has scheduled. */
  const activitiesOf = async (begun: Begun): Promise<string[]> => {
    const { events } = await handleOf(begun).fetchHistory();
    return (events ?? []).flatMap(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name ?? [],
    );
  };
  const statusOf = async (begun: Begun) => (await handleOf(begun).describe()).status.name;
  const transcriptOf = async (turnId: string) =>
    (
      await world.database.rows<{ answer: string | null; transcript_status: string }>(
        'select answer, transcript_status from result_question where id = $1',
        [turnId],
      )
    )[0];

  it('asks the next turn while the call waits, and ends when the attempt is collected', async () => {
    const begun = await world.beginInterview([question]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    expect(attempt).toMatchObject({ state: 'running', turn: { kind: 'follow_up', text: followUpIn('en') } });
    const followUp = await world.type(begun.link, longAnswer);
    expect(followUp).toMatchObject({ needs_decision: false, attempt: { state: 'collected' } });
    await wakeAttempt(deps(), turnOf(begun, turn_id));
    await waitFor('the end of the workflow', async () => (await statusOf(begun)) === 'COMPLETED');
  });

  it('looks again for transcripts before it ends if it was woken while it looked', async () => {
    const begun = await world.beginInterview([question]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    await world.type(begun.link, longAnswer);
    let checks = 0;
    afterChecks.set(begun.result_id, async () => {
      checks += 1;
      if (checks === 1) await wakeAttempt(deps(), turnOf(begun, turn_id));
    });
    await wakeAttempt(deps(), turnOf(begun, turn_id));
    await waitFor('the end of the workflow', async () => (await statusOf(begun)) === 'COMPLETED');
    expect(checks).toBeGreaterThan(1);
  });

  it('decides once about calls that come twice and at the same time', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const attempts = await Promise.all(
      [1, 2, 3].map(() => awaitDecision(deps(), begun.link, turnOf(begun, turn_id))),
    );
    expect(new Set(attempts.map((attempt) => attempt?.turn?.turn_id)).size).toBe(1);
    const calls = await world.modelCalls(begun.result_id);
    expect(calls.filter(({ purpose }) => purpose === 'next_turn')).toHaveLength(1);
  });

  it('transcribes an answer that is known to be a recording at once, before it decides', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.say(begun.link, 'A website.');
    await awaitDecision(deps(), begun.link, { ...turnOf(begun, turn_id), isRecorded: true });
    expect(await transcriptOf(turn_id)).toEqual({ answer: 'A website.', transcript_status: 'done' });
    const activities = await activitiesOf(begun);
    const ofAnswer = activities.filter((name) => name === 'transcribeAnswer' || name === 'decideNextTurn');
    expect(ofAnswer).toEqual(['transcribeAnswer', 'decideNextTurn']);
  });

  it('does no more than decide if the next turn is planned, because a candidate waits', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, longAnswer);
    await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    expect((await activitiesOf(begun)).sort()).toEqual(['checkAttempt', 'decideNextTurn', 'speakTurns']);
  });

  it('does no more than decide if the decision has spoken the follow-up', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.say(begun.link, 'A website.');
    await world.change(`update recording set draft = 'A website.' where turn_id = '${turn_id}'`);
    expect(await awaitDecision(deps(), begun.link, turnOf(begun, turn_id))).toMatchObject({
      turn: { kind: 'follow_up' },
    });
    expect((await activitiesOf(begun)).sort()).toEqual(['checkAttempt', 'decideNextTurn', 'speakTurns']);
  });

  it('transcribes a live answer once when its recording is complete', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.say(begun.link, 'A website.');
    await wakeAttempt(deps(), turnOf(begun, turn_id));
    await waitFor('the transcript', async () => (await transcriptOf(turn_id))?.answer === 'A website.');
    await wakeAttempt(deps(), turnOf(begun, turn_id));
    await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    expect((await activitiesOf(begun)).filter((name) => name === 'checkAttempt')).toHaveLength(1);
    expect(
      (await world.modelCalls(begun.result_id)).filter(({ purpose }) => purpose === 'transcription'),
    ).toHaveLength(1);
  });

  it('retries the decision of a worker that was killed, and asks one turn', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    hangs.add(turn_id);
    const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, turn_id), 30_000);
    expect(attempt).toMatchObject({ turn: { kind: 'follow_up' } });
    expect(hangs.size).toBe(0);
    expect(
      await world.database.rows('select from result_question where after_turn = $1', [turn_id]),
    ).toHaveLength(1);
  });

  it('goes on without a decision when Temporal is away', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const away = { ...deps(), queues: { ...worker.queues, live: `nobody-${randomUUID()}` } };
    const attempt = await awaitDecision(away, begun.link, turnOf(begun, turn_id), 300);
    expect(attempt).toMatchObject({ turn: { kind: 'question', text: next.question } });
  });

  it('repeats a decision that was lost between the answer and the update', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    expect(await world.get(begun.link)).toMatchObject({ attempt: { turn: null }, undecided_turn: turn_id });
    const attempt = await waitFor('the next turn', async () => {
      const found = await resumeDecision(deps(), begun.link, turnOf(begun, turn_id), 0);
      return found?.turn ? found : undefined;
    });
    expect(attempt).toMatchObject({ turn: { kind: 'follow_up' } });
  });

  it('goes on at once after three decisions that nothing accepts, and decides again after a probe', async () => {
    const decisions = createDecisionCircuit(undefined, { probeAfterMs: 600_000 });
    const outcomes: string[] = [];
    const metrics = { countWorkflow: (_workflow: string, outcome: string) => void outcomes.push(outcome) };
    const away = {
      ...deps(),
      metrics,
      decisions,
      queues: { ...worker.queues, live: `nobody-${randomUUID()}` },
    };
    const decide = async (timeoutMs: number) => {
      const begun = await world.beginInterview([question, next]);
      const { turn_id } = await world.type(begun.link, 'A website.');
      return awaitDecision(away, begun.link, turnOf(begun, turn_id), timeoutMs);
    };
    await Promise.all([300, 300, 300].map(decide));
    // Without the circuit breaker, this call would take longer than the time limit of the test.
    expect(await decide(3_600_000)).toMatchObject({ turn: { text: next.question } });
    expect(outcomes).toEqual(['failed', 'failed', 'failed', 'skipped']);

    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_001);
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const attempt = await awaitDecision({ ...deps(), decisions }, begun.link, turnOf(begun, turn_id));
    jest.restoreAllMocks();
    expect(attempt).toMatchObject({ turn: { kind: 'follow_up' } });
    expect(decisions.isOpen()).toBe(false);
  });

  it('waits in a repeated decision that nothing accepts, and goes on 12 seconds after the answer', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const away = { ...deps(), queues: { ...worker.queues, live: `nobody-${randomUUID()}` } };
    await world.change(
      `update result_question set answered_at = now() - interval '5 seconds' where id = $1`,
      turn_id,
    );
    const { undecided_ms: waitedMs } = await world.get(begun.link);
    expect(waitedMs).toBeGreaterThanOrEqual(5_000);
    const waiting = await resumeDecision(away, begun.link, turnOf(begun, turn_id), 5_000);
    expect(waiting).toMatchObject({ turn: null });
    const attempt = await resumeDecision(away, begun.link, turnOf(begun, turn_id), 12_000);
    expect(attempt).toMatchObject({ turn: { text: next.question } });
  });

  it('goes on when a transcription is late, and stores it afterwards', async () => {
    const begun = await world.beginInterview([question, next]);
    await world.fault({ call: 'transcription', delay_ms: 600_000 });
    const { turn_id } = await world.say(begun.link, 'A website.');
    const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, turn_id), 30_000);
    expect(attempt).toMatchObject({ turn: { kind: 'question', text: next.question } });
    await waitFor('the transcript', async () => (await transcriptOf(turn_id))?.transcript_status === 'done');
    expect(await transcriptOf(turn_id)).toMatchObject({ answer: 'A website.' });
  });

  it('asks twice after silence, then ends the attempt', async () => {
    const begun = await world.beginInterview([question, next]);
    for (const silence of [1, 2, 3]) {
      const { turn_id } = await world.say(begun.link, '');
      const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
      if (silence < 3)
        expect(openTurn(attempt)).toMatchObject({
          kind: 'follow_up',
          text: `Are you still there? We did not hear anything. ${question.question}`,
        });
      else
        expect(attempt).toMatchObject({ state: 'closed', closed_reason: 'terminated, no speech detected' });
    }
    await waitFor('the end of the workflow', async () => (await statusOf(begun)) === 'COMPLETED');
  });

  it('goes on after silence when the candidate speaks again', async () => {
    const begun = await world.beginInterview([question, next]);
    const silent = await world.say(begun.link, '');
    await awaitDecision(deps(), begun.link, turnOf(begun, silent.turn_id));
    const { turn_id } = await world.say(begun.link, longAnswer);
    const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    expect(attempt).toMatchObject({ turn: { kind: 'question', text: next.question } });
  });

  it('continues as new, and goes on deciding', async () => {
    const begun = await world.beginInterview([question, next]);
    const { turn_id } = await world.type(begun.link, 'A website.');
    const handle = await worker.client.workflow.start('interviewAttempt', {
      workflowId: interviewAttemptId(begun.result_id, begun.attempt),
      taskQueue: worker.queues.live,
      args: [{ result_id: begun.result_id, attempt: begun.attempt, limit_events: 12 }],
    });
    const first = (await handle.describe()).runId;
    await awaitDecision(deps(), begun.link, turnOf(begun, turn_id));
    await waitFor('another run', async () => (await handleOf(begun).describe()).runId !== first);
    const followUp = await world.say(begun.link, longAnswer);
    const attempt = await awaitDecision(deps(), begun.link, turnOf(begun, followUp.turn_id));
    expect(attempt).toMatchObject({ turn: { text: next.question } });
  });

  it('gives up a transcription after its time', async () => {
    const begun = await world.beginInterview([question, next]);
    await world.fault({ call: 'transcription', status: 503, times: 1_000 });
    const { turn_id } = await world.say(begun.link, 'A website.');
    await world.change(
      `update result_question set answered_at = answered_at - interval '2 days' where id = $1`,
      turn_id,
    );
    await awaitDecision(deps(), begun.link, turnOf(begun, turn_id), 30_000);
    await waitFor('its mark', async () => (await transcriptOf(turn_id))?.transcript_status === 'failed');
  });
});
