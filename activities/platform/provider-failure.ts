import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ProviderError } from '../providers/provider-error';

/**
 * Returns the failure that an activity throws for a provider error. Temporal retries after the pause that the
 * provider asked for, but not if a retry cannot help or the pause is longer than `remainingMs`. The SDK does not log
 * benign failures.
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
    // A `nextRetryDelay` of 0 would prevent the retry.
    ...(retryAfterMs > 0 ? { nextRetryDelay: retryAfterMs } : {}),
  });
}
