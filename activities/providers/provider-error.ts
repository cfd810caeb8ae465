import { readRetryAfter } from './retry-after';

const sentences = {
  timeout: (provider: string) => `${provider} did not respond in time`,
  network: (provider: string) => `${provider} cannot be reached`,
  malformed: (provider: string) => `${provider} returned a malformed response`,
  too_long: (provider: string) => `${provider} returned a response that is too long`,
  cancelled: () => 'the call was cancelled',
  rejected: (provider: string) => `${provider} rejected the request`,
  'not configured': (provider: string) => `${provider} is not configured`,
};
/** The reason why a call failed, or the status of its response. */
type ProviderErrorKind = keyof typeof sentences | `${number}`;

type ProviderErrorOptions = {
  /** True if a retry can help. */
  retryable?: boolean;
  /** The pause before the next call that the provider asked for. */
  retryAfterMs?: number | undefined;
  /** The provider's own name for the error, such as `content_filter`. */
  code?: string | undefined;
  /** True if no connection was made, so that the provider did not get the request. */
  isUnsent?: boolean;
  /** Replaces the default message of the kind. */
  message?: string;
};

/**
 * A failed call to a provider. If only the response was lost, the provider may have carried out the request. The
 * error contains no text of the request or the response, because such text may contain personal data.
 */
export class ProviderError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly code: string | undefined;
  readonly isUnsent: boolean;

  constructor(
    provider: string,
    readonly kind: ProviderErrorKind,
    { retryable = true, retryAfterMs, message, code, isUnsent = false }: ProviderErrorOptions = {},
  ) {
    const sentence = kind in sentences ? sentences[kind as keyof typeof sentences](provider) : undefined;
    super(message ?? sentence ?? `${provider} responded with ${kind}`);
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.code = code;
    this.isUnsent = isUnsent;
  }

  /**
   * Returns the error for a status other than success. A retry can help unless the status means that the request is
   * invalid.
   */
  static ofStatus(
    provider: string,
    status: number,
    retryAfter?: unknown,
    options: ProviderErrorOptions = {},
  ): ProviderError {
    const retryable = status < 400 || status === 408 || status === 409 || status === 429 || status >= 500;
    const retryAfterMs = typeof retryAfter === 'string' ? readRetryAfter(retryAfter) : undefined;
    return new ProviderError(provider, `${status}`, { retryable, retryAfterMs, ...options });
  }
}
