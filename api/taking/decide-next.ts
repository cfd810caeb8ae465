import { WithStartWorkflowOperation, WorkflowUpdateStage } from '@temporalio/client';
import { LRUCache } from 'lru-cache';
import type { OperationDeps } from '../deps';
import type { Caller } from '../../db/platform/database';
import { fallBack, getAttempt } from '../../db/taking/attempts';
import type { AttemptRow } from '../../db/taking/attempts';
import { interviewAttemptId, nextTurn, speechMissing, workflowSummaries } from '../../workflows/ids';
import type { interviewAttempt } from '../../workflows/interview-attempt';

type Deps = Pick<OperationDeps, 'database' | 'temporal' | 'queues' | 'metrics'>;
/** The turn that was answered. */
export type AnsweredTurn = { resultId: string; attempt: number; turnId: string };

/** A candidate waits at most this long for the next turn (docs/taking.md#decisions). */
const decisionMs = 12_000;
/** Temporal accepts an update within milliseconds if a worker runs. */
const acceptanceMs = 2_000;

/**
 * Waits up to 12 seconds until the workflow has asked the turn that follows an answer, and returns the attempt. If
 * the workflow takes longer, for example because Temporal is unavailable, the interview goes on without a decision.
 * Throws only errors of the database.
 */
export async function decideNext(
  deps: Deps,
  caller: Caller,
  turn: AnsweredTurn,
  timeoutMs = decisionMs,
): Promise<AttemptRow | null> {
  const { temporal, metrics } = deps;
  const isAsked = await succeeds(
    temporal.withDeadline(Date.now() + timeoutMs, () =>
      temporal.workflow.executeUpdateWithStart(nextTurn, updateOf(deps, turn)),
    ),
  );
  metrics.countWorkflow('interviewAttempt', isAsked ? 'completed' : 'failed');
  return isAsked ? readAttempt(deps, caller) : goOn(deps, caller, turn);
}

/** The time at which this process first saw that a turn waits for its decision. */
const waitingSince = new LRUCache<string, number>({ max: 10_000 });

/**
 * Repeats the request for a decision that is pending or was lost, without waiting for the decision, and returns the
 * attempt. After 12 seconds, or if the request is not accepted, the interview goes on without a decision.
 */
export async function resumeDecision(
  deps: Deps,
  caller: Caller,
  turn: AnsweredTurn,
  timeoutMs = decisionMs,
): Promise<AttemptRow | null> {
  const { temporal } = deps;
  const since = waitingSince.get(turn.turnId) ?? Date.now();
  waitingSince.set(turn.turnId, since);
  const isAccepted =
    Date.now() - since < timeoutMs &&
    (await succeeds(
      temporal.withDeadline(Date.now() + acceptanceMs, () =>
        temporal.workflow.startUpdateWithStart(nextTurn, {
          ...updateOf(deps, turn),
          waitForStage: WorkflowUpdateStage.ACCEPTED,
        }),
      ),
    ));
  return isAccepted ? readAttempt(deps, caller) : goOn(deps, caller, turn);
}

/**
 * Asks the workflow for the speech that is missing in an attempt. Never throws, because the text is shown in any
 * case.
 */
export async function requestSpeech(
  { temporal, queues }: Deps,
  { resultId, attempt }: Pick<AnsweredTurn, 'resultId' | 'attempt'>,
): Promise<void> {
  await temporal
    .withDeadline(Date.now() + acceptanceMs, () =>
      temporal.workflow.signalWithStart<typeof interviewAttempt>('interviewAttempt', {
        ...startOf({ queues }, { resultId, attempt }),
        signal: speechMissing,
        signalArgs: [],
      }),
    )
    .catch(() => undefined);
}

/** Returns whether the call succeeded. Never throws. */
const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

async function readAttempt({ database }: Deps, caller: Caller): Promise<AttemptRow | null> {
  const [found] = await database.query(caller, getAttempt);
  return found?.attempt ?? null;
}

async function goOn(
  { database }: Deps,
  caller: Caller,
  { turnId }: AnsweredTurn,
): Promise<AttemptRow | null> {
  const { attempt } = await database.write(caller, (trx) => trx.one(fallBack(turnId)));
  return attempt;
}

const startOf = (
  { queues }: Pick<Deps, 'queues'>,
  { resultId, attempt }: Pick<AnsweredTurn, 'resultId' | 'attempt'>,
) => ({
  workflowId: interviewAttemptId(resultId, attempt),
  taskQueue: queues.live,
  args: [{ result_id: resultId, attempt }] as [{ result_id: string; attempt: number }],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  staticSummary: workflowSummaries['interviewAttempt'],
});

const updateOf = (deps: Pick<Deps, 'queues'>, turn: AnsweredTurn) => ({
  startWorkflowOperation: new WithStartWorkflowOperation<typeof interviewAttempt>(
    'interviewAttempt',
    startOf(deps, turn),
  ),
  updateId: turn.turnId,
  args: [{ turn_id: turn.turnId }] as [{ turn_id: string }],
});
