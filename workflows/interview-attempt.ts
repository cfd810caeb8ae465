import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AttemptActivities, DecidedTurn } from '../activities/taking/attempts';
import { aiQueueOf, nextTurnUpdateName, scopeAttributes, speechMissingSignalName } from './ids';
import {
  liveDecisions,
  liveTranscriptions,
  patientTransactions,
  patientTranscriptions,
  speechCalls,
} from './policies';
import { createStatusSetter } from './status';

type InterviewAttemptInput = {
  result_id: string;
  attempt: number;
  /** Late transcriptions are retried until the answer is this many milliseconds old (docs/taking.md#speech). */
  tried_for_ms?: number;
  /**
   * The milliseconds that one update has for the transcription and the decision together. After that, the interview
   * continues with the planned turn.
   */
  decided_within_ms?: number;
  /** After this many events in the history, or earlier when Temporal suggests it, the workflow continues as new. */
  limit_events?: number;
};

/** The turn that was answered. `is_recorded` saves a look if the answer is known to be a recording. */
type Answered = { turn_id: string; is_recorded?: boolean };
/**
 * Asks the next turn, which is the question or follow-up after the given turn. Returns when the next turn is asked,
 * or when the attempt needs no further turn.
 */
const nextTurnUpdate = defineUpdate<DecidedTurn['outcome'], [Answered]>(nextTurnUpdateName);
/**
 * Says that a turn, such as a question, has no speech yet, for example because the provider was unavailable when the
 * interview was activated. With a turn, says that the recording of its live answer is complete and has no transcript.
 */
const speechMissingSignal = defineSignal<[Answered?]>(speechMissingSignalName);

const { decideNextTurn } = proxyActivities<AttemptActivities>({
  ...liveDecisions,
  summary: 'Decides what follows an answer, and asks it',
});
const { transcribeAnswer } = proxyActivities<AttemptActivities>({
  ...liveTranscriptions,
  summary: 'Transcribes an answer while its candidate waits',
});
const { fallBackTurn, checkAttempt, giveUpTranscript } =
  proxyActivities<AttemptActivities>(patientTransactions);

const dayMs = 24 * 3_600_000;
/** While answers come in, the attempt is checked this often. */
const checkEveryMs = 60_000;

/**
 * Conducts one attempt: decides what follows each answer, transcribes answers, and renders questions as speech. All
 * texts are in Postgres; the workflow's history contains only ids and outcomes. Ends when the attempt has ended and
 * no transcription is pending.
 */
export async function interviewAttempt(input: InterviewAttemptInput): Promise<void> {
  const {
    result_id,
    attempt,
    tried_for_ms = dayMs,
    decided_within_ms = 10_500,
    limit_events = 4_000,
  } = input;
  const { speakTurns, transcribeAnswer: transcribeLate } = onAiQueue();
  // Workflows that an older build began check the attempt after each decision and transcript, and render every turn.
  const checksWhenNeeded = patched('checks-when-needed');
  /** The ids of the turns whose answers the update handlers and the late transcriptions are working on. */
  const busy = new Set<string>();
  /**
   * Speech that is being rendered. The interview does not wait for it, but the workflow waits before it ends or
   * continues as new.
   */
  const rendering = new Set<Promise<unknown>>();
  const render = (turn_id: string | null) => {
    const work = speakTurns({ result_id, attempt, turn_id }).catch(() => undefined);
    rendering.add(work);
    background(work.finally(() => rendering.delete(work)));
  };
  let isWoken = false;
  /** False if the last check has found that the attempt has ended. */
  let isRunning = true;
  let checkedAt = Date.now();
  let wantsSpeech = true;
  /**
   * False until the workflow has set its search attributes. It sets them itself, because the API does not know the
   * merchant of a candidate's link.
   */
  let isNamed = false;
  let decided = 0;
  let failedOver = 0;
  const show = createProgress();
  const showFacts = () =>
    show(
      isRunning,
      busy.size,
      `${decided} decisions, ${failedOver} without the model, ${busy.size} answers in work`,
    );
  const wake = () => {
    isWoken = true;
  };
  const isLong = () => {
    const { historyLength, continueAsNewSuggested } = workflowInfo();
    return historyLength >= limit_events || continueAsNewSuggested;
  };
  /**
   * Ends the work on an answer. Lets the attempt be checked, unless it goes on and nothing is missing. A signal can get
   * lost, so the attempt is checked from time to time.
   */
  const leave = (turn_id: string, isSettled: boolean) => {
    busy.delete(turn_id);
    const isFresh = isRunning && Date.now() - checkedAt < checkEveryMs && !isLong();
    if (checksWhenNeeded && isSettled && isFresh) showFacts();
    else wake();
  };

  setHandler(
    nextTurnUpdate,
    async ({ turn_id, is_recorded = false }) => {
      busy.add(turn_id);
      let isSettled = false;
      try {
        const next = await decide(turn_id, is_recorded);
        decided += 1;
        if (next.source === 'fallback') failedOver += 1;
        const isSpoken = next.is_spoken || (checksWhenNeeded && isRenderedAhead(next));
        if (next.turn_id !== null && !isSpoken) render(next.turn_id);
        // Without the model, a transcript may be missing. Workers of older builds do not say whether the attempt goes on.
        isSettled = next.is_running && next.source !== 'fallback';
        return next.outcome;
      } finally {
        leave(turn_id, isSettled);
      }
    },
    { validator: validateTurn },
  );
  setHandler(speechMissingSignal, (answered) => {
    if (answered && checksWhenNeeded) {
      validateTurn(answered);
      if (!busy.has(answered.turn_id)) transcribe(answered.turn_id, 0);
      return;
    }
    wantsSpeech = true;
    wake();
  });

  for (;;) {
    isWoken = false;
    if (wantsSpeech) render(null);
    wantsSpeech = false;
    const state = await checkAttempt({ result_id, attempt });
    if (!isNamed && state.environment !== null)
      upsertSearchAttributes(scopeAttributes(state.merchant_id, state.environment).getAll());
    isNamed = true;
    for (const { turn_id, age_ms } of state.pending) if (!busy.has(turn_id)) transcribe(turn_id, age_ms);
    isRunning = state.is_running;
    checkedAt = Date.now();
    showFacts();
    // A signal that arrived during the check may stand for an answer that the check has not seen.
    if (!isRunning && busy.size === 0 && !isWoken) break;
    await condition(() => isWoken, state.check_after_ms);
    if (isLong()) {
      await condition(() => allHandlersFinished() && rendering.size === 0);
      await continueAsNew<typeof interviewAttempt>(input);
    }
  }
  await condition(() => allHandlersFinished() && rendering.size === 0);

  /** Never fails: if no decision can be made in time, the interview continues with the planned turn. */
  async function decide(turn_id: string, isRecorded: boolean): Promise<DecidedTurn> {
    const endsAt = Date.now() + decided_within_ms;
    const within = () => ({ turn_id, within_ms: Math.max(0, endsAt - Date.now()) });
    try {
      if (!isRecorded) {
        const first = await decideNextTurn(within());
        if (first.outcome !== 'transcribe') return first;
      }
      await transcribeAnswer(within());
      const decided = await decideNextTurn(within());
      if (decided.outcome !== 'transcribe') return decided;
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
    return fallBackTurn({ turn_id });
  }

  /**
   * Transcribes an answer, with retries until it is `tried_for_ms` old. After that, marks the answer as one without a
   * transcript.
   */
  function transcribe(turn_id: string, ageMs: number): void {
    busy.add(turn_id);
    const within_ms = tried_for_ms - ageMs;
    const work =
      within_ms > 0
        ? transcribeLate(within_ms)({ turn_id, within_ms: 110_000 })
        : Promise.reject(new Error());
    let isSettled = false;
    background(
      work
        // A worker of an older build returns nothing.
        .then((state: { is_running: boolean } | undefined) => void (isSettled = state?.is_running ?? false))
        .catch((error: unknown) => {
          if (isCancellation(error)) throw error;
          return giveUpTranscript({ turn_id });
        })
        .finally(() => leave(turn_id, isSettled)),
    );
  }
}

/** Returns whether the words of a turn are those of the plan, whose speech exists since the interview was activated. */
const isRenderedAhead = ({ outcome }: DecidedTurn): boolean =>
  outcome === 'planned' || outcome === 'conditional';

/** Runs work whose result nobody waits for. Errors are ignored, because the interview continues without the result. */
const background = (work: Promise<unknown>): void => void work.catch(() => undefined);

/** Returns the activities for which no candidate waits. They run in the task queue for calls of the model. */
function onAiQueue() {
  const taskQueue = aiQueueOf(workflowInfo().taskQueue);
  const { speakTurns } = proxyActivities<AttemptActivities>({
    ...speechCalls,
    taskQueue,
    summary: 'Renders turns as speech that have none yet',
  });
  return {
    speakTurns,
    transcribeAnswer: (scheduleToCloseTimeout: number) =>
      proxyActivities<AttemptActivities>({
        ...patientTranscriptions,
        scheduleToCloseTimeout,
        taskQueue,
        summary: 'Transcribes an answer whose candidate has gone on',
      }).transcribeAnswer,
  };
}

/** Validates the argument of the update, because people can type it in Temporal's UI. */
function validateTurn(argument: unknown): void {
  const isTurn =
    typeof argument === 'object' &&
    argument !== null &&
    'turn_id' in argument &&
    typeof argument.turn_id === 'string';
  if (!isTurn) throw ApplicationFailure.nonRetryable('the argument must be {"turn_id": "…"}');
}

/** Returns a function that shows Temporal operators the status, which they can filter by, and the details. */
function createProgress() {
  const showStatus = createStatusSetter();
  return (isRunning: boolean, busy: number, facts: string): void => {
    if (!isRunning) showStatus(busy > 0 ? 'in_trouble' : 'done');
    const details = isRunning
      ? '**Running**: the candidate is taking the interview.'
      : busy > 0
        ? '**Ended**, transcriptions are late.'
        : '**Ended**: nothing is left to do.';
    setCurrentDetails(`${details} ${facts}.`);
  };
}
