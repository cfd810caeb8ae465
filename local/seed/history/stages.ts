import type { Client } from 'pg';

/**
 * Gives the stages of the seeded candidates the times of their last submit or decision, and those who were advanced at
 * their last step an offer ten days later. Runs in the transaction that has inserted the results, because the triggers
 * set all stages at its beginning.
 */
export async function seedStageTimes(client: Client): Promise<void> {
  await client.query(
    `update enrolment_stage s set entered_at = r.at
     from (
       select distinct on (merchant_id, enrolment_id) merchant_id, enrolment_id, coalesce(decided_at, submitted_at) as at
       from interview_result where status = 'active' and not is_test
       order by merchant_id, enrolment_id, submitted_at desc
     ) r
     where s.merchant_id = r.merchant_id and s.enrolment_id = r.enrolment_id and s.entered_at = now() and r.at < now()`,
  );
  await client.query(
    `with offered as (
       update enrolment_stage s set left_at = s.entered_at + interval '10 days'
       from enrolment e
       join interview_result r on r.merchant_id = e.merchant_id and r.enrolment_id = e.id and r.interview_id = e.interview_id
         and not r.is_test and r.recruiter_go_next_round
       where s.merchant_id = e.merchant_id and s.enrolment_id = e.id and s.left_at is null
         and s.entered_at < now() - interval '10 days'
       returning s.*
     )
     insert into enrolment_stage (merchant_id, environment, enrolment_id, stage, entered_at)
     select merchant_id, environment, enrolment_id,
       case abs(hashtext(enrolment_id::text)) % 10 when 0 then 'Offer negotiations' when 1 then 'Offer declined'
         when 2 then 'Offer declined' else 'Hired' end,
       left_at
     from offered`,
  );
}
