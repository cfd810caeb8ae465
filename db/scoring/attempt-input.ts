import type { Expectations, Persona } from '../interviews/public';
import type { Statement } from '../platform/statement';
import type { LanguageCode, Environment } from '../platform/vocabulary';
import type { TranscriptConfidence } from '../taking/public';
import type { RunKey } from './runs';

/** A part of the transcript that the candidate answered. */
export type ScoredTurn = {
  turn_id: string;
  asked: string | null;
  answer: string | null;
  answer_kind: 'text' | 'choice' | 'recording' | 'seen' | null;
  transcript_status: 'pending' | 'done' | 'failed' | 'draft' | null;
  /** The transcript or typed text before the candidate changed it. Null if it was not changed. */
  answer_original: string | null;
  /** How sure the transcription was. Null if it did not measure this. */
  confidence: TranscriptConfidence | null;
  /** Tenths of a second. */
  duration: number | null;
};

/** A question of the attempt's plan that was asked, with the answers to it and to its follow-ups. */
export type ScoredStep = {
  place: number;
  is_scored: boolean;
  question: string;
  language: LanguageCode;
  rubric: Expectations | null;
  /** The options of a multiple choice. Null for other questions. */
  choices: string[] | null;
  /** What the answer is compared with. */
  knowledge_base_id: string | null;
  turns: ScoredTurn[];
};

/**
 * The data with which an attempt is scored. Rubrics, weights and `max_score` were stored when the attempt began.
 */
export type AttemptInput = {
  merchant_id: string;
  environment: Environment;
  interview_id: string;
  type: string;
  language: LanguageCode;
  max_score: number;
  /** The percentage of the planned questions that were answered. */
  coverage: number | null;
  session_rubric: Expectations | null;
  weights: Record<string, unknown> | null;
  /** The name and the email address of the candidate, which are hidden from the model. */
  names: string[];
  /** The person whom the AI played in this attempt. Null if it played nobody. */
  persona: Pick<Persona, 'name' | 'role' | 'situation'> | null;
  /** The next steps that the learner was advised to take after the previous attempt. */
  previous_steps: string[];
  /** The departments among which the interview selects (`additional_context.departments`), or an empty list. */
  departments: Department[];
  /** The text of the résumé. Null if there is none, if it has no text, or if the input is that of one step. */
  resume: string | null;
  steps: ScoredStep[];
};
export type Department = { name: string; description: string };

/**
 * Returns the input of a scoring run: one step of the attempt's plan or, if `place` is null, all steps. Steps that
 * were not asked are left out. Returns no row if the run is not open (runs.ts).
 */
export const findAttemptInput = (key: RunKey, place: number | null): Statement<AttemptInput> => ({
  name: 'find_attempt_input',
  isPlannedOnce: true,
  text: `
    select r.merchant_id, r.environment, r.interview_id, i.type, i.platform_language_code as language,
      app.max_score_of(r.merchant_id, r.id, r.attempt)::float8 as max_score, r.ai_interview_coverage_percentage::float8 as coverage,
      case when p.result_id is null then i.candidate_expectations_json else p.session_rubric end as session_rubric,
      case when p.result_id is null then i.result_scoring else p.scoring end as weights,
      array_remove(array[e.name, e.email], null) as names,
      p.persona - '{goal,mood,opening_line}'::text[] as persona,
      array(
        select step ->> 'text'
        from interview_result_attempt a, jsonb_path_query(
          a.fields, '$.ai_analysis_other.takeaways.next_steps[*] ? (@.text.type() == "string")'
        ) step
        where a.merchant_id = r.merchant_id and a.result_id = r.id and a.attempt = (
          select max(p.attempt) from interview_result_attempt p where p.merchant_id = r.merchant_id and p.result_id = r.id
            and p.attempt < r.attempt and p.fields ->> 'status' = 'active'
        )
      ) as previous_steps,
      coalesce(i.creation_parameters #> '{additional_context,departments}', '[]') as departments,
      case when $4::integer is null then (
        select c.text from resume c
        where c.merchant_id = r.merchant_id and c.result_id = r.id and c.attempt = r.attempt and c.stored_at is not null
      ) end as resume,
      coalesce((
        select jsonb_agg(step order by step -> 'place') from (
          select jsonb_build_object('place', s.place, 'is_scored', s.is_scored, 'question', s.text,
            'language', s.platform_language_code, 'rubric', s.rubric,
            'choices', case when s.mode = 'choice' then s.choices end, 'knowledge_base_id', s.knowledge_base_id, 'turns', jsonb_agg(jsonb_build_object(
              'turn_id', q.id, 'asked', q.question_asked, 'answer', q.answer, 'answer_kind', q.answer_kind,
              'transcript_status', q.transcript_status, 'answer_original', q.answer_original,
              'duration', q.duration, 'confidence', case when q.transcript_tokens > 0 then
                jsonb_build_object('mean', q.transcript_confidence, 'tokens', q.transcript_tokens) end
            ) order by q.step_order)) as step
          from attempt_step s
          join result_question q on q.merchant_id = s.merchant_id and q.result_id = s.result_id
            and q.attempt = s.attempt and q.place = s.place
          where s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = r.attempt
            and ($4::integer is null or s.place = $4) and s.kind in ('question', 'conditional')
            and q.kind is not null and q.is_answer
          group by s.merchant_id, s.result_id, s.attempt, s.place
        ) asked
      ), '[]') as steps
    from interview_result r
    join score_record s on s.merchant_id = r.merchant_id and s.result_id = r.id and s.attempt = $2 and s.run = $3
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    left join attempt_plan p on p.merchant_id = r.merchant_id and p.result_id = r.id and p.attempt = r.attempt
    left join enrolment e on e.merchant_id = r.merchant_id and e.id = r.enrolment_id
    where r.id = $1 and r.attempt = $2 and r.scoring_run = $3 and r.status = 'active' and r.erased_at is null
      and s.state = 'running'`,
  values: [key.result_id, key.attempt, key.run, place],
});

/** Finds the text of a knowledge base, as it is now. */
export const findKnowledge = (merchantId: string, id: string): Statement<{ text: string }> => ({
  name: 'find_knowledge',
  text: 'select text from knowledge_base where merchant_id = $1 and id = $2',
  values: [merchantId, id],
});
