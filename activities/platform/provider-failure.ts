import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ProviderError } from '../providers/provider-error';

/**
 * Returns the activity's failure. Temporal retries after the wait that the provider asked for, or not at all if a retry
 * does not help or less time than that is left. The SDK does not log a benign failure.
 */
export function toFailure(
  { message, retryable, retryAfterMs = 0 }: ProviderError,
  type: string,
  { remainingMs = Number.POSITIVE_INFINITY, isBenign = false } = {},
): ApplicationFailure {
  if (!retryable || retryAfterMs >= remainingMs) return ApplicationFailure.nonRetryable(message, type);
  return ApplicationFailure.create({
    message,
    type,
    ...(isBenign ? { category: ApplicationFailureCategory.BENIGN } : {}),
    // Temporal never retries after a delay of 0.
    ...(retryAfterMs > 0 ? { nextRetryDelay: retryAfterMs } : {}),
  });
}
