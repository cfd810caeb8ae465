import type { Expectations, Persona } from '../interviews/public';
import type { Statement } from '../platform/statement';
import type { LanguageCode } from '../platform/vocabulary';

/** What an attempt that is running has so far. */
export type AnswersSoFar = {
  rubric: Expectations | null;
  language: LanguageCode;
  /** The name and the email address of the candidate, which are hidden from the model. */
  names: string[];
  character: Pick<Persona, 'name' | 'role' | 'situation'> | null;
  answers: { turn_id: string; question: string; answer: string }[];
};

/** Finds the rubric of the session and the answers so far, without choices. A live answer is what was heard until it is transcribed. */
export const findAnswersSoFar = (resultId: string, attempt: number): Statement<AnswersSoFar> => ({
  name: 'find_answers_so_far',
  text: `
    select p.session_rubric as rubric, i.platform_language_code as language, array_remove(array[e.name, e.email], null) as names,
      p.persona - '{goal,mood,opening_line}'::text[] as character, coalesce((
        select jsonb_agg(jsonb_build_object('turn_id', q.id, 'question', q.question_asked, 'answer', coalesce(q.answer, c.draft)) order by q.step_order)
        from attempt_step s
        join result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
          and q.attempt = s.attempt and q.place = s.place
        left join recording c on c.merchant_id = q.merchant_id and c.id = q.recording_id
        where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
          and s.kind in ('question', 'conditional') and q.answer_kind in ('text', 'recording') and coalesce(q.answer, c.draft) <> ''
      ), '[]') as answers
    from interview_result r
    join attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where r.id = $1 and r.attempt = $2`,
  values: [resultId, attempt],
});
