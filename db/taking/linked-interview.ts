import type { LanguageCode } from '../platform/vocabulary';
import type { Statement } from '../platform/statement';

/** The data that the page of a candidate's link shows. For a position, the status and the end are the position's. */
export type LinkedInterview = {
  merchant_name: string;
  candidate_name: string | null;
  link_generation: number;
  interview_id: string;
  interview_name: string;
  status: string;
  interview_available_till: string | null;
  platform_language_code: LanguageCode;
};

/** Returns the interview of the link's enrolment, in the scope of that link. */
export const findLinkedInterview: Statement<LinkedInterview> = {
  name: 'find_linked_interview',
  text: `
    select m.name as merchant_name, e.name as candidate_name, e.link_generation, e.interview_id,
      coalesce(p.name, i.name) as interview_name, coalesce(p.status, i.status) as status,
      case when p.id is null then i.interview_available_till else p.interview_available_till end
        as interview_available_till,
      i.platform_language_code
    from enrolment e cross join merchant m
    join interview i on i.id = e.interview_id
    left join position p on p.id = e.position_id`,
};
