import type { Statement } from '../platform/statement';

/**
 * `held_at` and `reasons` are null if no event waits. `has_failed` is true if the PDF could not be made, or could not
 * be made yet.
 */
export type WebhookHold = { has_failed: boolean } & (
  | { held_at: string; reasons: string[] }
  | { held_at: null; reasons: null }
);

/** Returns a row if a webhook event waits for the automatic PDF of this result, or if this PDF could not be made. */
export const findHold = (resultId: string): Statement<WebhookHold> => ({
  name: 'find_hold',
  text: `
    select h.reasons, h.held_at, r.pdf_failed_at is not null as has_failed
    from interview_result r left join webhook_hold h on h.merchant_id = r.merchant_id and h.result_id = r.id
    where r.merchant_id = app.merchant_id() and r.id = $1 and (h.held_at is not null or r.pdf_failed_at is not null and exists (
      select from interview i
      where i.merchant_id = r.merchant_id and i.id = r.interview_id and i.pdf_export_auto_config is not null
    ))`,
  values: [resultId],
});

export type HeldResult = { result_id: string; attempt: number; run: number; held_at: string };

/**
 * For the worker: lists results of all merchants whose event has waited for a PDF for more than a minute, oldest
 * first, starting after `after`. `run` is the latest run of the scoring. Leaves out results whose run has not started
 * yet.
 */
export const listHeldResults = (after: HeldResult | undefined, limit: number): Statement<HeldResult> => ({
  name: 'list_held_results',
  text: `
    select h.result_id, r.attempt, coalesce(r.scoring_run, 0) as run, h.held_at::text as held_at
    from webhook_hold h join interview_result r on r.merchant_id = h.merchant_id and r.id = h.result_id
    where h.held_at < now() - interval '1 minute'
      and ($1::timestamptz is null or (h.held_at, h.result_id) > ($1, $2::uuid))
      and not exists (
        select from workflow_start w
        where w.workflow_id = 'result-scoring/' || h.result_id || '/' || r.attempt || '/' || r.scoring_run
      )
    order by h.held_at, h.result_id limit $3`,
  values: [after?.held_at ?? null, after?.result_id ?? null, limit],
});

/**
 * For the worker: marks the automatic PDF of this attempt as failed, unless it exists, and queues the event that waits
 * for it.
 */
export const giveUpPdf = (resultId: string, attempt: number): Statement => ({
  name: 'give_up_pdf',
  text: `select from app.give_up_pdf($1, $2)`,
  values: [resultId, attempt],
});
