import { log } from '@temporalio/activity';
import { insertModelCall } from '../../db/interviews/public';
import type { ModelCall } from '../../db/interviews/public';
import type { Database } from '../../db/platform/database';
import { errorFacts } from '../../db/platform/error-facts';
import type { ModelAnswer } from '../providers/completion';

/** The facts about a call to the model that are known before the call. */
type CallSubject = Pick<
  ModelCall,
  'merchant_id' | 'interview_id' | 'purpose' | 'prompt_version' | 'model'
> & {
  result_id: string | null;
  attempt: number | null;
};

/** The attempt that a call is about. */
export type AttemptOfCall = Pick<ModelCall, 'merchant_id' | 'interview_id'> & {
  result_id: string;
  attempt: number;
};

export type CallRecorder = ReturnType<typeof createCallRecorder>;

/**
 * Creates a function that starts the clock for a call to the model. It returns a function that records the outcome of
 * the call and never throws, because the interview must continue even if recording fails.
 */
export const createCallRecorder =
  (database: Pick<Database, 'writeAsWorker'>, onModelCall: (call: ModelCall) => void) =>
  (subject: CallSubject) => {
    const startedAt = performance.now();
    return async (outcome: ModelCall['outcome'], answer?: ModelAnswer): Promise<void> => {
      const call: ModelCall = {
        ...subject,
        model: answer?.model ?? subject.model,
        prompt_tokens: answer?.promptTokens ?? null,
        completion_tokens: answer?.completionTokens ?? null,
        duration_ms: Math.round(performance.now() - startedAt),
        outcome,
      };
      try {
        onModelCall(call);
        await database.writeAsWorker((trx) => trx.last(insertModelCall(call)));
      } catch (error) {
        log.warn('failed to record a model call', { error: errorFacts(error) });
      }
    };
  };
