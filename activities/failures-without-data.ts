import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorFacts } from '../db/error-facts';

/**
 * What an activity throws stays in the history for operators to read, for weeks (design/flows.md rule 2). Our own
 * failures are written for that; of anything else the history gets the type and a code, the log the rest.
 */
export const failuresWithoutData = (log: Logger): ActivityInboundCallsInterceptor => ({
  execute: async (input, next) => {
    try {
      return await next(input);
    } catch (error) {
      if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
      log.error({ err: error }, 'activity failed');
      const { type, code } = errorFacts(error);
      throw ApplicationFailure.retryable(
        `${type}${code === undefined ? '' : ` ${code}`}; the worker's log has more`,
        type,
      );
    }
  },
});
