/** The mail or its address is no good: asking again is no use. The message holds nothing of either. */
export class MailRejected extends Error {}

/**
 * Asking again may help. The mail is perhaps sent all the same: an answer can be lost. `retryAfterMs` as the
 * provider asked.
 */
export class MailProviderUnavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}
