import { setTimeout as wait } from 'node:timers/promises';
import { Context, log } from '@temporalio/activity';
import { languageTexts } from '../../api/platform/text/language-texts';
import type { Database } from '../../db/platform/database';
import { errorFacts } from '../../db/platform/error-facts';
import {
  findAttemptState,
  findCandidateSources,
  findTurnForDecision,
  findTurnKnowledge,
} from '../../db/taking/attempt-flow';
import type { TurnForDecision } from '../../db/taking/attempt-flow';
import { askNextTurn, failAttempt } from '../../db/taking/attempt-work';
import type { NextTurn } from '../../db/taking/attempt-work';
import { withHeartbeat } from '../platform/heartbeat';
import { ProviderError } from '../providers/provider-error';
import type { DecisionModel } from './model-decisions';
import type { SpeakTurns } from './speak';

/**
 * The decision about what follows a turn. `transcribe` means that the answer must be transcribed first, and
 * `already_asked` that another call was faster. `source` says who decided: the model, the plan (if there was nothing
 * to decide) or the fallback without the model.
 */
export type DecidedTurn = {
  outcome:
    | 'transcribe'
    | 'follow_up'
    | 'conditional'
    | 'planned'
    | 'reply'
    | 'still_there'
    | 'stopped'
    | 'already_asked'
    | 'ended';
  source: 'model' | 'plan' | 'fallback';
  /** The id of the turn that was asked, if one was asked. */
  turn_id: string | null;
  /** Whether the attempt goes on with that turn. Farewells end it. */
  is_running: boolean;
  /** True if no speech of that turn is left to be rendered. Workers of older builds do not say it. */
  is_spoken?: boolean;
};

type DecisionDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  decisions: DecisionModel;
  /** Asks the model whether the answers so far are enough. */
  isEnough: (turn: TurnForDecision, limits: { timeoutMs: number; signal: AbortSignal }) => Promise<boolean>;
  speakTurns: SpeakTurns;
  /** Called after every decision, for the metrics. */
  onDecision: (decided: Pick<DecidedTurn, 'outcome' | 'source'>) => void;
};

type Choice = { next: NextTurn; outcome: DecidedTurn['outcome']; source: DecidedTurn['source'] };

/** The maximum time for the model's decision (docs/taking.md#decisions). */
const modelMs = 10_000;
/** The time reserved for storing the next turn. */
const storingMs = 500;
const silentAnswersAllowed = 2;
const emptyAnswersAllowed = 2;

/**
 * The activities that decide what follows an answer. Each is safe to run twice, because a turn has only one
 * successor.
 */
export function createDecisionActivities({
  database,
  decisions,
  isEnough,
  speakTurns,
  onDecision,
}: DecisionDeps) {
  const find = async (turnId: string) =>
    (await database.writeAsWorker((trx) => trx.last(findTurnForDecision(turnId)))).at(0);

  const ask = async (turn: TurnForDecision, { next, outcome, source }: Choice): Promise<DecidedTurn> => {
    const { result_id, attempt, turn_id } = turn;
    // A candidate waits, so all is sent at once.
    const [asked, [state]] = await database.writeAsWorker((trx) =>
      Promise.all([
        trx.one(askNextTurn(result_id, attempt, turn_id, next)),
        trx.last(findAttemptState(result_id, attempt)),
      ]),
    );
    const decided = {
      outcome: endings[asked.outcome] ?? outcome,
      source,
      turn_id: asked.turn_id,
      is_running: state?.is_running ?? false,
    };
    onDecision(decided);
    return decided;
  };

  return {
    /**
     * Decides which turn follows an answered turn, and asks that turn. If the model is slow or fails, the interview
     * continues as planned, and no error is thrown for that.
     */
    decideNextTurn: async ({
      turn_id,
      within_ms,
    }: {
      turn_id: string;
      within_ms: number;
    }): Promise<DecidedTurn> => {
      const endsAt = performance.now() + remainingMs(within_ms);
      const turn = await find(turn_id);
      if (!turn?.is_running) return settled('ended');
      if (!turn.is_open) return settled('already_asked');
      if (turn.transcript_status === 'pending' && !turn.has_draft) return settled('transcribe');
      if (turn.silent_answers > silentAnswersAllowed) return endSilent(turn);
      if (turn.silent_answers > 0) return ask(turn, repeatQuestion(turn));
      const timeoutMs = Math.min(modelMs, Math.floor(endsAt - performance.now()) - storingMs);
      const [choice, stop] = await Promise.all([choose(turn, timeoutMs), whyStop(turn, timeoutMs)]);
      const decided = await ask(turn, stop ?? choice);
      return decided.source === 'model' ? speak(turn, decided, endsAt) : decided;
    },

    /** Chooses the next turn without the model (`fallBack`), and asks that turn. */
    fallBackTurn: async ({ turn_id }: { turn_id: string }): Promise<DecidedTurn> => {
      const turn = await find(turn_id);
      if (!turn?.is_running) return settled('ended');
      if (!turn.is_open) return settled('already_asked');
      return ask(turn, fallBack(turn));
    },
  };

  /**
   * Renders the speech of a turn for a candidate or visitor who talks. The live process already says the turn, so the speech is
   * awaited and the end of this activity is not. The workflow renders what this activity cannot.
   */
  async function speak(turn: TurnForDecision, decided: DecidedTurn, endsAt: number): Promise<DecidedTurn> {
    const { turn_id, outcome } = decided;
    const talks = turn.has_draft || turn.is_visit;
    if (!talks || turn_id === null || outcome === 'planned' || outcome === 'conditional') return decided;
    const { result_id, attempt } = turn;
    const within_ms = Math.floor(endsAt - performance.now());
    if (within_ms <= 0) return decided;
    const is_spoken = await speakTurns({ result_id, attempt, turn_id, within_ms }).then(
      () => true,
      () => false,
    );
    return { ...decided, is_spoken };
  }

  async function choose(turn: TurnForDecision, timeoutMs: number): Promise<Choice> {
    const isUndecided =
      turn.kind === 'candidate_asks' || turn.may_follow_up || turn.conditional_question !== null;
    if (!isUndecided) return { next: 'next_planned', outcome: 'planned', source: 'plan' };
    // If the transcript of the answer failed, the model would have no words to base its decision on.
    if (!turn.last_answer || timeoutMs <= 0) return fallBack(turn);
    try {
      return await withHeartbeat((signal) => askModel(turn, { timeoutMs, signal }));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      log.warn('the interview goes on without the model', { error: errorFacts(error), kind: error.kind });
      return fallBack(turn);
    }
  }

  /**
   * Decides whether the attempt is stopped early (docs/taking.md#early-stop). Whatever goes wrong never stops an interview,
   * and the candidate waits no longer for it than for other decisions.
   */
  async function whyStop(turn: TurnForDecision, timeoutMs: number): Promise<Choice | undefined> {
    const { last_answers: last } = turn;
    const stop = (text: 'enough' | 'empty', source: 'model' | 'plan'): Choice => ({
      next: { kind: 'stop', text },
      outcome: 'stopped',
      source,
    });
    if (last === null) return undefined;
    if (last.length === emptyAnswersAllowed + 1 && last.every(isEmpty)) return stop('empty', 'plan');
    if (timeoutMs <= 0 || isEmpty(turn.answer ?? '')) return undefined;
    try {
      const isOver = await withHeartbeat((signal) =>
        Promise.race([isEnough(turn, { timeoutMs, signal }), wait(timeoutMs, false, { signal, ref: false })]),
      );
      return isOver ? stop('enough', 'model') : undefined;
    } catch (error) {
      log.warn('the interview is not stopped early', { error: errorFacts(error) });
      return undefined;
    }
  }

  async function askModel(
    turn: TurnForDecision,
    limits: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Choice> {
    if (turn.is_visit) {
      const sources = await database.writeAsWorker((trx) => trx.one(findCandidateSources(turn.turn_id)));
      const decided = await decisions.replyToVisitor(turn, sources, limits);
      if (!decided) return fallBack(turn);
      const texts = languageTexts[turn.platform_language_code].spoken;
      const text = decided.hasQuestion ? (decided.reply ?? texts.avatar_unknown) : texts.avatar_prompt;
      return { next: { kind: 'candidate_asks', text }, outcome: 'reply', source: 'model' };
    }
    if (turn.kind === 'candidate_asks') {
      const sources = await database.writeAsWorker((trx) => trx.one(findCandidateSources(turn.turn_id)));
      const decided = await decisions.reply(turn, sources, limits);
      if (!decided) return fallBack(turn);
      if (!decided.hasQuestion) return { next: 'next_planned', outcome: 'planned', source: 'model' };
      const text = decided.reply ?? languageTexts[turn.platform_language_code].spoken.unknown;
      return { next: { kind: 'candidate_asks', text }, outcome: 'reply', source: 'model' };
    }
    const knowledge = turn.may_follow_up
      ? await database.writeAsWorker((trx) => trx.maybeOne(findTurnKnowledge(turn.turn_id)))
      : undefined;
    const decided = await decisions.decide(turn, knowledge?.text ?? null, limits);
    if (!decided) return fallBack(turn);
    if (decided.followUp !== null)
      return { next: { kind: 'follow_up', text: decided.followUp }, outcome: 'follow_up', source: 'model' };
    if (decided.isConditionalCovered) return { next: 'next_planned', outcome: 'planned', source: 'model' };
    return { ...planned(turn), source: 'model' };
  }

  /** Ends the attempt after three recordings in a row without a word. The question was repeated after the first two. */
  async function endSilent({ result_id, attempt }: TurnForDecision): Promise<DecidedTurn> {
    await database.writeAsWorker((trx) =>
      trx.one(failAttempt(result_id, attempt, 'terminated, no speech detected', 'no_speech')),
    );
    const decided = settled('ended');
    onDecision(decided);
    return decided;
  }
}

const isEmpty = (answer: string): boolean => !/[\p{L}\p{N}]/u.test(answer);

const settled = (outcome: DecidedTurn['outcome']): DecidedTurn => ({
  outcome,
  source: 'plan',
  turn_id: null,
  is_running: false,
});

/** The outcome of the decision for each outcome of `askNextTurn` that means that no turn was asked. */
const endings: Readonly<Record<string, DecidedTurn['outcome']>> = {
  exists: 'already_asked',
  ended: 'ended',
  not_running: 'ended',
};

const planned = (turn: TurnForDecision): Pick<Choice, 'next' | 'outcome'> =>
  turn.conditional_question === null
    ? { next: 'next_planned', outcome: 'planned' }
    : { next: 'conditional', outcome: 'conditional' };

/**
 * Chooses the next turn without the model: the conditional question if there is one, but no follow-up. A candidate's
 * question gets the reply that the answer is not known.
 */
function fallBack(turn: TurnForDecision): Choice {
  if (turn.kind !== 'candidate_asks') return { ...planned(turn), source: 'fallback' };
  const texts = languageTexts[turn.platform_language_code].spoken;
  const text = turn.is_visit ? texts.avatar_busy : texts.unknown;
  return { next: { kind: 'candidate_asks', text }, outcome: 'reply', source: 'fallback' };
}

function repeatQuestion(turn: TurnForDecision): Choice {
  const { still_there } = languageTexts[turn.platform_language_code].spoken;
  // A person whom the AI plays says the same again, without stepping out of the role.
  const text = turn.persona ? turn.asked : `${still_there} ${turn.question}`;
  return { next: { kind: 'repeat', text }, outcome: 'still_there', source: 'plan' };
}

/**
 * Returns the time that is left. The first attempt of the activity has all of `withinMs`. For a retry, the time since
 * the activity was scheduled is subtracted.
 */
function remainingMs(withinMs: number): number {
  const { attempt, scheduledTimestampMs } = Context.current().info;
  return attempt > 1 ? withinMs - (Date.now() - scheduledTimestampMs) : withinMs;
}
