import type { Statement } from '../platform/statement';
import type { TimeFactor } from '../taking/public';

/** A message that a candidate has sent from a page of the candidate's link (docs/taking.md#around-an-attempt). */
export type CandidateMessage = {
  id: string;
  kind: 'more_time' | 'human_review' | 'survey' | 'trouble';
  enrolment_id: string;
  result_id: string | null;
  /** The time factor that the candidate asks for. Null unless `kind` is `more_time`. */
  time_factor: TimeFactor | null;
  rating: number | null;
  trouble: 'sound' | 'picture' | 'connection' | 'question' | 'other' | null;
  text: string | null;
  created_at: string;
  due_at: string | null;
  outcome: 'granted' | 'declined' | 'answered' | null;
  reply: string | null;
  closed_at: string | null;
  /** True if the candidate may type answers that have to be videos. */
  may_type: boolean;
};
/** A request that a recruiter has not answered yet. */
export type OpenRequest = CandidateMessage & {
  candidate_name: string | null;
  candidate_email: string;
  interview_name: string;
  /** The candidate's time factor at present. */
  current_factor: TimeFactor;
  total: number;
};

const messageColumns = `m.id, m.kind, m.enrolment_id, m.result_id, m.time_factor::float8 as time_factor, m.rating, m.trouble,
  m.text, m.created_at, m.due_at, m.outcome, m.reply, m.closed_at, e.may_type`;

/** Lists the open requests of candidates for more time and for a review by a person, oldest first. */
export const listOpenRequests = (limitRows: number, offset: number): Statement<OpenRequest> => ({
  name: 'list_open_requests',
  text: `
    select ${messageColumns}, e.name as candidate_name, e.email as candidate_email,
      coalesce(p.name, i.name) as interview_name, e.time_factor::float8 as current_factor, (count(*) over ())::int as total
    from candidate_message m
    join enrolment e on e.merchant_id = m.merchant_id and e.id = m.enrolment_id
    left join interview i on i.merchant_id = m.merchant_id and i.id = m.interview_id
    left join position p on p.merchant_id = e.merchant_id and p.id = e.position_id
    where m.merchant_id = app.merchant_id() and m.environment = app.environment()
      and m.closed_at is null and m.kind in ('more_time', 'human_review')
    order by m.created_at, m.id limit $1 offset $2`,
  values: [limitRows, offset],
});

/**
 * Lists what the candidate has sent about an attempt of a result, and all of the candidate's requests for more time.
 */
export const listMessagesAboutAttempt = (resultId: string, attempt: number): Statement<CandidateMessage> => ({
  name: 'list_messages_of',
  text: `
    select ${messageColumns}
    from interview_result r
    join candidate_message m on m.merchant_id = r.merchant_id and m.enrolment_id = r.enrolment_id
      and (m.kind = 'more_time' or m.result_id = r.id and m.attempt = $2)
    join enrolment e on e.merchant_id = m.merchant_id and e.id = m.enrolment_id
    where r.id = $1
    order by m.id limit 50`,
  values: [resultId, attempt],
});

/**
 * What a candidate has after `setAccommodation`. `request` says how the candidate's open request for more time was
 * closed, and is null if none was.
 */
type Accommodation = {
  time_factor: TimeFactor;
  may_type: boolean;
  is_changed: boolean;
  request: 'granted' | 'declined' | null;
  deadline_at: string | null;
};

/**
 * Sets the time factor of a candidate, which closes an open request, and whether the candidate may type instead of
 * recording videos. What is undefined stays as it is. Returns no row for an unknown candidate.
 */
export const setAccommodation = (
  enrolmentId: string,
  { timeFactor, mayType }: { timeFactor: TimeFactor | undefined; mayType: boolean | undefined },
): Statement<Accommodation> => ({
  name: 'set_accommodation',
  text: 'select * from app.set_accommodation($1, $2, $3)',
  values: [enrolmentId, timeFactor ?? null, mayType ?? null],
});

/** Answers a request for a review by a person. `result_id` is null if there is no open request with this id. */
export const answerHumanReview = (
  messageId: string,
  reply: string,
): Statement<{ result_id: string | null }> => ({
  name: 'answer_human_review',
  text: 'select app.answer_human_review($1, $2) as result_id',
  values: [messageId, reply],
});
