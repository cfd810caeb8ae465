import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { Logger } from 'pino';
import { errorFacts } from '../../db/platform/error-facts';

/**
 * Temporal keeps the errors of activities in its histories for weeks. Errors other than the platform's own failures
 * are therefore reduced to a type and a code, and the full error is only logged
 * (docs/architecture.md#rules-of-workflows).
 */
export const failureSanitizer = (log: Logger): ActivityInboundCallsInterceptor => ({
  execute: async (input, next) => {
    try {
      return await next(input);
    } catch (error) {
      if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
      log.error({ err: error }, 'activity failed');
      const { type, code } = errorFacts(error);
      throw ApplicationFailure.retryable(
        `${type}${code === undefined ? '' : ` ${code}`}; see the worker's log`,
        type,
      );
    }
  },
});
