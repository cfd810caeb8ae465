import type { Statement } from '../platform/statement';

export type WebhookHold = { reasons: string[]; held_at: string };

/** Returns the webhook event of this result if it waits for the PDF of the result, otherwise no row. */
export const findHold = (resultId: string): Statement<WebhookHold> => ({
  name: 'find_hold',
  text: 'select reasons, held_at from webhook_hold where merchant_id = app.merchant_id() and result_id = $1',
  values: [resultId],
});
