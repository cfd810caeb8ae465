import type { Statement } from '../platform/statement';

/**
 * `has_failed` is true if making the PDF has failed. The event then waits until the PDF is made on another attempt.
 */
export type WebhookHold = { reasons: string[]; held_at: string; has_failed: boolean };

/** Returns the webhook event of this result if it waits for the PDF of the result, otherwise no row. */
export const findHold = (resultId: string): Statement<WebhookHold> => ({
  name: 'find_hold',
  text: `
    select h.reasons, h.held_at, r.pdf_failed_at is not null as has_failed
    from webhook_hold h join interview_result r on r.merchant_id = h.merchant_id and r.id = h.result_id
    where h.merchant_id = app.merchant_id() and h.result_id = $1`,
  values: [resultId],
});
