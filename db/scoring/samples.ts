import type { Statement } from '../platform/statement';
import type { RunKey } from './runs';

/**
 * What a sample (one assessment by the model) is about: an answer (by its step of the plan), the comparison of an answer
 * with a knowledge base, the session, the résumé, or the summary of the result.
 */
export type SampleSubject = {
  subject: 'answer' | 'comparison' | 'session' | 'resume' | 'summary';
  place: number;
};

export type StoredSample = SampleSubject & { number: number; sample: unknown };

/** Lists the samples of a scoring run. With `of`, lists only the samples about this subject. */
export const listSamples = (
  { result_id, attempt, run }: RunKey,
  merchantId: string,
  of: SampleSubject | null,
): Statement<StoredSample> => ({
  name: 'list_score_samples',
  text: `
    select subject, place, number, sample from score_sample
    where merchant_id = $4 and result_id = $1 and attempt = $2 and run = $3
      and ($5::text is null or (subject, place) = ($5, $6::integer))
    order by subject, place, number`,
  values: [result_id, attempt, run, merchantId, of?.subject ?? null, of?.place ?? null],
});

/**
 * Stores a sample once, if the run has not ended. Locks the result, as the deletion of an attempt's content does, so
 * that no sample is stored after that deletion.
 */
export const insertSample = (
  { result_id, attempt, run }: RunKey,
  merchantId: string,
  { subject, place, number, sample }: StoredSample,
): Statement => ({
  name: 'insert_score_sample',
  text: `
    insert into score_sample (merchant_id, environment, result_id, attempt, run, subject, place, number, sample)
    select s.merchant_id, s.environment, s.result_id, s.attempt, s.run, $5, $6, $7, $8
    from interview_result r
    join score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt and s.run = $3
    where r.merchant_id = $4 and r.id = $1 and r.attempt = $2 and r.erased_at is null and s.state = 'running'
    for key share of r
    on conflict do nothing`,
  values: [result_id, attempt, run, merchantId, subject, place, number, JSON.stringify(sample)],
});
