import type { EventEmitter } from 'node:events';
import type { ModelCall } from '../../db/interviews/public';
import type { Database } from '../../db/platform/database';
import type { ObjectStore } from '../../db/platform/object-store';
import { findAttemptState } from '../../db/taking/attempt-flow';
import type { AttemptState } from '../../db/taking/attempt-flow';
import type { Model } from '../providers/openai';
import type { Voice } from '../providers/voice';
import type { TextProblem } from './check-text';
import { createDecisionActivities } from './decide-turn';
import type { DecidedTurn } from './decide-turn';
import { createCallRecorder } from './model-calls';
import { createDecisionModel } from './model-decisions';
import { createSpeechActivities } from './speak';
import { createTranscriptionActivities } from './transcribe';

export type { DecidedTurn } from './decide-turn';
export type AttemptActivities = ReturnType<typeof createAttemptActivities>;

type AttemptDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  objects: Pick<ObjectStore, 'get' | 'put'>;
  /** Emits the id of a turn when the recording of its answer is joined. */
  joinedTurns: EventEmitter;
  model: Pick<Model, 'complete' | 'name'>;
  voice: Voice;
  /** Asks the model whether the answers of a running attempt are enough to stop early. */
  isEnough: Parameters<typeof createDecisionActivities>[0]['isEnough'];
  /**
   * Called after every call to the model, for the metrics. `onDecision` is called after every decision, and
   * `onDropped` for every text of the model that is not shown.
   */
  onModelCall: (call: ModelCall) => void;
  onDecision: (decided: Pick<DecidedTurn, 'outcome' | 'source'>) => void;
  onDropped: (problem: TextProblem) => void;
};

/**
 * The activities of a running interview. Their results and errors contain no text of the interview and no data of
 * people.
 */
export function createAttemptActivities(deps: AttemptDeps) {
  const { database, objects, joinedTurns, model, voice, isEnough, onModelCall, onDecision, onDropped } = deps;
  const beginCall = createCallRecorder(database, onModelCall);
  const decisions = createDecisionModel({ model, beginCall, onDropped });
  const speech = createSpeechActivities({ database, objects, voice, beginCall });
  return {
    ...speech,
    ...createDecisionActivities({ database, decisions, isEnough, onDecision, speakTurns: speech.speakTurns }),
    ...createTranscriptionActivities({ database, objects, joinedTurns, voice, beginCall }),

    /** Returns whether the attempt still runs, and which answers have no transcript yet. */
    checkAttempt: ({ result_id, attempt }: { result_id: string; attempt: number }): Promise<AttemptState> =>
      database.writeAsWorker((trx) => trx.one(findAttemptState(result_id, attempt))),
  };
}
