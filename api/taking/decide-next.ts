import { once } from 'node:events';
import type { EventEmitter } from 'node:events';
import {
  WithStartWorkflowOperation,
  WorkflowUpdateFailedError,
  WorkflowUpdateStage,
} from '@temporalio/client';
import type { Logger } from 'pino';
import type { Caller } from '../../db/platform/database';
import { askFallbackTurn, getAttempt } from '../../db/taking/attempts';
import type { AttemptRow } from '../../db/taking/attempts';
import {
  interviewAttemptId,
  nextTurnUpdateName,
  speechMissingSignalName,
  workflowSummaries,
} from '../../workflows/ids';
import type { interviewAttempt } from '../../workflows/interview-attempt';
import type { OperationDeps } from '../deps';
import { CircuitOpen, createCircuit } from '../platform/http/circuit';
import type { Circuit } from '../platform/http/circuit';

type Deps = Pick<OperationDeps, 'database' | 'temporal' | 'queues' | 'decisions'> & {
  metrics: Pick<OperationDeps['metrics'], 'countWorkflow'>;
  /** Emits the id of a turn when the turn after it was asked, which is earlier than the end of the update. */
  askedTurns?: EventEmitter;
};
/** The turn that was answered. `isRecorded` is true if the answer is known to be a recording. */
export type AnsweredTurn = {
  resultId: string;
  attempt: number;
  turnId: string;
  isRecorded?: boolean;
  /** Tells decisions about one turn apart, if it can be answered again. */
  round?: string;
  /** What the visitor of a public avatar reads if there is no decision. */
  fallbackReply?: string;
};

/** The maximum time, in milliseconds, that a candidate waits for the next turn (docs/taking.md#decisions). */
export const maxDecisionMs = 12_000;
/**
 * The maximum time, in milliseconds, until a worker accepts a request. Accepting normally takes milliseconds, so
 * candidates need not wait 12 seconds when Temporal or all workers are down.
 */
const acceptanceMs = 3_000;

/**
 * Creates the circuit breaker of a process. `onChange` is called when it stops requests for decisions and when it
 * allows them again.
 */
export const createDecisionCircuit = (
  onChange?: (isStopped: boolean) => void,
  { probeAfterMs = 5_000 } = {},
): Circuit =>
  createCircuit({
    maxFailures: 3,
    probeAfterMs,
    // A rejected update is not an outage: it shows that Temporal and a worker respond.
    isOutage: (error) => !(error instanceof WorkflowUpdateFailedError),
    ...(onChange ? { onChange } : {}),
  });

/** Returns the function that a process calls when its circuit stops requests for decisions, or allows them again. */
export const reportDecisions =
  (metrics: { setDecisionsStopped: (isStopped: boolean) => void }, log: Pick<Logger, 'warn' | 'info'>) =>
  (isStopped: boolean): void => {
    metrics.setDecisionsStopped(isStopped);
    if (isStopped) log.warn('stopped asking for the decisions of interviews');
    else log.info('asking for the decisions of interviews again');
  };

/**
 * Waits up to 12 seconds until the workflow has asked the turn that follows an answer, and returns the attempt. If
 * the workflow takes longer, or if Temporal or the worker has not responded lately, the interview goes on without a
 * decision. Throws only errors of the database.
 */
export async function awaitDecision(
  deps: Deps,
  caller: Caller,
  turn: AnsweredTurn,
  timeoutMs = maxDecisionMs,
): Promise<AttemptRow | null> {
  if (timeoutMs <= 0) return goOn(deps, caller, turn);
  const outcome = await askFor(deps, turn, Date.now() + timeoutMs).then(
    () => 'completed' as const,
    (error: unknown) => (error instanceof CircuitOpen ? 'skipped' : 'failed'),
  );
  deps.metrics.countWorkflow('interviewAttempt', outcome);
  return outcome === 'completed' ? readAttempt(deps, caller) : goOn(deps, caller, turn);
}

/** Requests a decision and waits for it until `deadline`. Throws if no worker accepts the request in time. */
async function askFor(deps: Deps, turn: AnsweredTurn, deadline: number): Promise<void> {
  const acceptBy = Math.min(deadline, Date.now() + acceptanceMs);
  const stop = new AbortController();
  // Listens before it asks, so that it misses nothing. Without a notification, the end of the update counts.
  const asked = deps.askedTurns && once(deps.askedTurns, turn.turnId, { signal: stop.signal });
  asked?.catch(() => undefined);
  try {
    const accepted = await deps.decisions.run(() => startUpdate(deps, turn, acceptBy));
    const decided = deps.temporal.withDeadline(deadline, () => accepted.result());
    await (asked ? Promise.race([asked, decided]) : decided);
  } finally {
    stop.abort();
  }
}

/** Starts the update and returns its handle as soon as a worker has accepted it. Throws after `acceptBy`. */
const startUpdate = (deps: Deps, turn: AnsweredTurn, acceptBy: number) =>
  deps.temporal.withDeadline(acceptBy, () =>
    deps.temporal.workflow.startUpdateWithStart(nextTurnUpdateName, {
      startWorkflowOperation: new WithStartWorkflowOperation<typeof interviewAttempt>(
        'interviewAttempt',
        startOf(deps, turn),
      ),
      updateId: turn.round === undefined ? turn.turnId : `${turn.turnId}/${turn.round}`,
      args: [{ turn_id: turn.turnId, is_recorded: turn.isRecorded ?? false }],
      waitForStage: WorkflowUpdateStage.ACCEPTED,
    }),
  );

/**
 * Repeats the request for a decision that is pending or was lost, without waiting for the decision, and returns the
 * attempt. If `waitedMs` shows that the answer is at least 12 seconds old, the interview goes on without a decision.
 */
export async function resumeDecision(
  deps: Deps,
  caller: Caller,
  turn: AnsweredTurn,
  waitedMs: number,
): Promise<AttemptRow | null> {
  if (waitedMs >= maxDecisionMs) return goOn(deps, caller, turn);
  // An error is ignored, because the next call repeats the request.
  if (!deps.decisions.isOpen())
    await startUpdate(deps, turn, Date.now() + acceptanceMs).catch(() => undefined);
  return readAttempt(deps, caller);
}

/**
 * Lets the workflow of an attempt transcribe the answer of a turn, or look for all that is missing: speech and transcripts.
 * Never throws, because candidates can always read the text, and the workflow also looks by itself.
 */
export async function wakeAttempt(
  { temporal, queues }: Deps,
  { resultId, attempt, turnId }: Pick<AnsweredTurn, 'resultId' | 'attempt'> & { turnId?: string },
): Promise<void> {
  await temporal
    .withDeadline(Date.now() + acceptanceMs, () =>
      temporal.workflow.signalWithStart<typeof interviewAttempt, [{ turn_id: string }?]>('interviewAttempt', {
        ...startOf({ queues }, { resultId, attempt }),
        signal: speechMissingSignalName,
        signalArgs: turnId === undefined ? [] : [{ turn_id: turnId }],
      }),
    )
    .catch(() => undefined);
}

async function readAttempt({ database }: Deps, caller: Caller): Promise<AttemptRow | null> {
  const [found] = await database.query(caller, getAttempt);
  return found?.attempt ?? null;
}

async function goOn(
  { database }: Deps,
  caller: Caller,
  { turnId, fallbackReply }: AnsweredTurn,
): Promise<AttemptRow | null> {
  const { attempt } = await database.write(caller, (trx) => trx.one(askFallbackTurn(turnId, fallbackReply)));
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
