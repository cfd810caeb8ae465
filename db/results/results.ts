import type { Transaction } from '../platform/database';

export type ResultKey = { result_id: string; attempt: number };

/** The scores of a submitted attempt, on the scales of docs/results.md#scales. */
export type Scores = {
  score: number | null;
  score_simulation: number | null;
  score_text: string | null;
  score_sentiment: number | null;
  score_words_per_minute: number | null;
  score_pronunciation: number | null;
  score_answer: number | null;
  ai_analysis: string | null;
  ai_analysis_recruiter: string | null;
  ai_analysis_recruiter_score: number | null;
  ai_analysis_other: Record<string, unknown> | null;
};

/**
 * Records the PDF of a submitted attempt. If the URL is null, rendering the PDF has failed, and the webhook event
 * keeps waiting for a PDF (docs/results.md#automatic-pdf). A URL that is less than a day old stays, so that a repeated
 * call changes nothing.
 *
 * `revision` is the revision of the result that the PDF shows. Records nothing and returns `outdated` if the result
 * has changed since then, and `gone` if the attempt was reopened or erased.
 */
export async function recordPdf(
  trx: Transaction,
  { result_id, attempt }: ResultKey,
  pdfExportUrl: string | null,
  revision?: number,
): Promise<'recorded' | 'outdated' | 'gone'> {
  const result = await trx.maybeOne<{ is_recorded: boolean }>({
    text: `
      with result as (
        select id, $4::integer is null or revision = $4 as is_current, $3::text is not null
          and (pdf_export_url is null or coalesce(pdf_made_at, '-infinity') < now() - interval '1 day') as is_new
        from interview_result where id = $1 and attempt = $2 and status = 'active' and erased_at is null for update
      ), recorded as (
        update interview_result r set pdf_export_url = case when n.is_new then $3 else r.pdf_export_url end,
          pdf_made_at = case when n.is_new then now() else r.pdf_made_at end,
          pdf_failed_at = case when $3 is null then now() end
        from result n where r.id = n.id and n.is_current
      )
      select is_current as is_recorded from result`,
    values: [result_id, attempt, pdfExportUrl, revision ?? null],
  });
  if (!result) return 'gone';
  return result.is_recorded ? 'recorded' : 'outdated';
}
