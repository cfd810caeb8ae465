import type { Expectations, Persona } from '../interviews/public';
import type { Statement } from '../platform/statement';
import type { Environment, LanguageCode } from '../platform/vocabulary';
import type { TurnRow } from './attempts';

/* Statements that read what the worker needs to decide about the turns of an attempt (docs/taking.md#decisions). */

/** An answered turn, with the data on which the choice of the next turn depends. */
export type TurnForDecision = {
  merchant_id: string;
  environment: Environment;
  interview_id: string;
  result_id: string;
  attempt: number;
  turn_id: string;
  kind: TurnRow['kind'];
  platform_language_code: LanguageCode;
  /** True while the attempt runs and no turn follows this one. */
  is_open: boolean;
  is_running: boolean;
  /** True for a visit of a public avatar. */
  is_visit: boolean;
  is_recorded: boolean;
  transcript_status: 'pending' | 'done' | 'failed' | 'draft' | null;
  /** True if the answer was given live, so that its words are known before its recording is transcribed. */
  has_draft: boolean;
  /** The path of the file in the object store, and the state of the upload. Both are null for a typed answer. */
  recording_path: string | null;
  recording_state: 'open' | 'completed' | 'stored' | 'discarded' | null;
  recording_is_video: boolean;
  /** The measured length of the recording in milliseconds. Null if it is not known. */
  recording_ms: number | null;
  /** How long the answer may take. Null if there is no limit. */
  max_seconds: number | null;
  /** Milliseconds since the answer. */
  age_ms: number;
  /** The number of consecutive answers, up to this answer, that are recordings without a word. */
  silent_answers: number;
  /** The main question of this turn as it was asked (`question`), and the last text that was asked (`asked`). */
  question: string;
  asked: string;
  rubric: Expectations | null;
  /** The tone of the interview, and what a good candidate shows in the words of the recruiter. */
  tone: string | null;
  expectations: string | null;
  /**
   * The answers to the question and its follow-ups, at most their last 80,000 characters. If a conditional question is
   * next, also the answers to the question on which it depends.
   */
  answer: string | null;
  /** The answer to this turn alone. */
  last_answer: string | null;
  earlier_follow_ups: string[];
  may_follow_up: boolean;
  /** The next turn of the plan if it is a conditional question. */
  conditional_question: string | null;
  /** The words of the last answers if the attempt may be stopped early, at most three. Null if it may not. */
  last_answers: string[] | null;
  /** True if the transcription measures how sure it is of its words. */
  scores_pronunciation: boolean;
  /** The person whom the AI plays, or null. */
  persona: Persona | null;
  /** What was said on the last topics before this one. Empty if the AI plays nobody. */
  conversation: { person: string; learner: string }[];
};

/**
 * Finds an answered turn for the decision about the next turn. A follow-up needs a minute, so `may_follow_up` is
 * false if less time is left.
 */
export const findTurnForDecision = (turnId: string): Statement<TurnForDecision> => ({
  name: 'find_turn_for_decision',
  isPlannedOnce: true,
  text: `
    select r.merchant_id, r.environment, r.interview_id, r.id as result_id, r.attempt, t.id as turn_id, t.kind,
      t.platform_language_code, running.is_running, r.is_visit,
      running.is_running and t.answered_at is not null and not exists (
        select from result_question n where n.merchant_id = t.merchant_id and n.result_id = t.result_id
          and n.attempt = t.attempt and n.after_turn = t.id
      ) as is_open,
      t.answer_kind = 'recording' as is_recorded, t.transcript_status, c.draft is not null as has_draft,
      c.path as recording_path,
      c.state as recording_state, coalesce(c.media_type like 'video/%', false) as recording_is_video,
      c.measured_ms as recording_ms, nullif(t.max_seconds, 0) as max_seconds,
      floor(extract(epoch from clock_timestamp() - t.answered_at) * 1000)::float8 as age_ms,
      silence.answers as silent_answers, coalesce(s.text, '') as question, t.question_asked as asked, s.rubric,
      i.creation_parameters ->> 'interview_tone' as tone, i.candidate_expectations as expectations,
      said.answer, coalesce(t.answer, c.draft) as last_answer, said.earlier_follow_ups,
      said.follow_ups < s.max_followups and app.has_room(r, t.place) and clock_timestamp() < r.deadline_at - interval '60 seconds'
        as may_follow_up,
      case when next.kind = 'conditional' then next.text end as conditional_question, plan.persona,
      case when app.may_stop(r, t.place) then array(
        -- An answer whose words are not known counts as one that has some.
        select string_agg(case when q.answer_kind = 'choice' or q.transcript_status <> 'done' then 'x' else left(q.answer, 1000) end, ' ')
        from result_question q
        join attempt_step a on a.merchant_id = q.merchant_id and a.result_id = q.result_id and a.attempt = q.attempt
          and a.place = q.place and a.is_scored
        where q.merchant_id = t.merchant_id and q.result_id = t.result_id and q.attempt = t.attempt and q.place <= t.place
          and q.answered_at is not null
        group by q.place order by q.place desc limit 3
      ) end as last_answers,
      coalesce(plan.scores_pronunciation, false) as scores_pronunciation,
      case when plan.persona is null then '[]' else coalesce((
        select jsonb_agg(jsonb_build_object('person', e.question_asked, 'learner', left(e.words, 1000)) order by e.step_order)
        from (
          select q.question_asked, q.step_order, coalesce(q.answer, d.draft) as words from result_question q
          left join recording d on d.merchant_id = q.merchant_id and d.id = q.recording_id
          where q.merchant_id = t.merchant_id and q.result_id = t.result_id and q.attempt = t.attempt
            and q.speaker is not null and q.place < t.place and coalesce(q.answer, d.draft) <> ''
          order by q.step_order desc limit 10
        ) e
      ), '[]') end as conversation
    from result_question t
    join interview_result o on o.merchant_id = t.merchant_id and o.id = t.result_id
    join lateral app.current_attempt(o) r on r.attempt = t.attempt
    join attempt_step s on s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt
      and s.place = t.place
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    left join attempt_plan plan on plan.merchant_id = t.merchant_id and plan.result_id = t.result_id and plan.attempt = t.attempt
    left join recording c on c.merchant_id = t.merchant_id and c.id = t.recording_id
    cross join lateral (select r.status = 'draft' and r.interview_status = 'started' as is_running) running
    left join lateral (
      select n.kind, n.text, n.parent_place from attempt_step n
      where n.merchant_id = t.merchant_id and n.result_id = t.result_id and n.attempt = t.attempt and n.place > t.place
        and (n.parent_place is null or exists (
          select from result_question p where p.merchant_id = t.merchant_id and p.result_id = t.result_id
            and p.attempt = t.attempt and p.place = n.parent_place
        ))
      order by n.place limit 1
    ) next on true
    cross join lateral (
      select right(string_agg(coalesce(q.answer, d.draft), E'\\n' order by q.step_order) filter (
          where q.place = t.place or next.kind = 'conditional' and q.place = next.parent_place
        ), 80000) as answer,
        coalesce(array_agg(q.question_asked order by q.step_order) filter (
          where q.kind = 'follow_up' and q.place = t.place
        ), '{}') as earlier_follow_ups,
        count(*) filter (where q.kind = 'follow_up' and q.place = t.place) as follow_ups
      from result_question q
      left join recording d on d.merchant_id = q.merchant_id and d.id = q.recording_id
      where q.merchant_id = t.merchant_id and q.result_id = t.result_id and q.attempt = t.attempt and q.kind is not null
    ) said
    cross join lateral (
      select count(*)::int as answers from result_question q
      where q.merchant_id = t.merchant_id and q.result_id = t.result_id and q.attempt = t.attempt
        and q.answer_kind = 'recording' and q.step_order <= t.step_order and q.step_order > coalesce((
          select max(w.step_order) from result_question w
          where w.merchant_id = t.merchant_id and w.result_id = t.result_id and w.attempt = t.attempt
            and w.step_order <= t.step_order and w.is_answer and w.answered_at is not null
            and not (w.answer_kind = 'recording' and w.transcript_status = 'done' and coalesce(w.answer, '') = '')
        ), 0)
    ) silence
    where t.id = $1 and t.kind is not null`,
  values: [turnId],
});

/** The texts about an interview that its candidates or visitors may know. */
export type CandidateSources = {
  name: string;
  merchant_name: string;
  description: string | null;
  description_long: string | null;
  location: string;
  department: string | null;
  salary: string | null;
  company: Record<string, unknown> | null;
  knowledge: string[];
};

/**
 * Finds what a reply may use. A candidate is answered only from knowledge bases that are marked for candidates, and a visitor
 * of a public avatar from that of the avatar.
 */
export const findCandidateSources = (turnId: string): Statement<CandidateSources> => ({
  name: 'find_candidate_sources',
  text: `
    select i.name, m.name as merchant_name, i.description, i.interview_description_long as description_long,
      i.interview_location as location, i.interview_department as department, i.interview_salary as salary,
      i.creation_parameters -> 'hiring_for_company' as company, array(
        select k.text from knowledge_base k
        where k.merchant_id = i.merchant_id and (k.is_for_candidates or r.is_visit) and k.id in (i.knowledge_base_store_id, s.knowledge_base_id)
      ) as knowledge
    from result_question t
    join attempt_step s on s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt
      and s.place = t.place
    join interview_result r on r.merchant_id = t.merchant_id and r.id = t.result_id
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join merchant m on m.id = i.merchant_id
    where t.id = $1`,
  values: [turnId],
});

/** Finds the text of the knowledge base of a turn's question or, if the question has none, of its interview. */
export const findTurnKnowledge = (turnId: string): Statement<{ text: string }> => ({
  name: 'find_turn_knowledge',
  isPlannedOnce: true,
  text: `
    select k.text
    from result_question t
    join attempt_step s on s.merchant_id = t.merchant_id and s.result_id = t.result_id and s.attempt = t.attempt
      and s.place = t.place
    join interview_result r on r.merchant_id = t.merchant_id and r.id = t.result_id
    join interview i on i.merchant_id = r.merchant_id and i.id = r.interview_id
    join knowledge_base k on k.merchant_id = i.merchant_id
      and k.id = coalesce(s.knowledge_base_id, i.knowledge_base_store_id)
    where t.id = $1`,
  values: [turnId],
});

/**
 * The state of an attempt, for its workflow. `pending` lists the answers whose transcript is missing, without those whose
 * recording is still being uploaded.
 */
export type AttemptState = {
  /** Null if the result was removed. */
  merchant_id: string | null;
  environment: Environment | null;
  is_running: boolean;
  /**
   * The number of milliseconds after which the workflow checks the state again, because an attempt can end without a
   * signal to the workflow.
   */
  check_after_ms: number;
  pending: { turn_id: string; age_ms: number }[];
};

/** SQL: whether the recording of an answer (`q`) that was given live is still being uploaded. */
const isUploading = `exists (
  select from recording u where u.merchant_id = q.merchant_id and u.id = q.recording_id and u.state = 'open'
)`;

/**
 * Finds the state of an attempt. An attempt that was removed or replaced by the next attempt is not running. The next
 * check is due a minute after the attempt's deadline, because the job that closes attempts needs up to a minute.
 */
export const findAttemptState = (resultId: string, attempt: number): Statement<AttemptState> => ({
  name: 'find_attempt_state',
  isPlannedOnce: true,
  text: `
    select r.merchant_id, r.environment, coalesce(r.is_running, false) as is_running, coalesce(r.check_after_ms, 0) as check_after_ms, coalesce((
        select jsonb_agg(jsonb_build_object('turn_id', q.id, 'age_ms',
          floor(extract(epoch from clock_timestamp() - q.answered_at) * 1000)) order by q.step_order)
        from result_question q where q.result_id = $1 and q.attempt = $2 and q.transcript_status = 'pending'
          and not ${isUploading}
      ), '[]') as pending
    from (select) one left join (
      select c.merchant_id, c.environment, c.status = 'draft' and c.interview_status = 'started' and c.attempt = $2 as is_running,
        greatest(60000, extract(epoch from c.deadline_at - clock_timestamp()) * 1000 + 60000)::float8 as check_after_ms
      from interview_result o, app.current_attempt(o) c where o.id = $1
    ) r on true`,
  values: [resultId, attempt],
});

/**
 * Starts the workflows of attempts in which an answer still has no transcript after a minute, for example because
 * Temporal was unavailable when the answer was given. A workflow that runs is not started again.
 */
export const startLateTranscriptions: Statement = {
  name: 'start_late_transcriptions',
  text: `
    insert into workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
    select distinct q.merchant_id, q.environment, 'interviewAttempt',
      'interview-attempt/' || q.result_id || '/' || q.attempt,
      jsonb_build_object('result_id', q.result_id, 'attempt', q.attempt)
    from result_question q
    where q.transcript_status = 'pending' and q.answered_at < now() - interval '1 minute' and not ${isUploading}
      and not exists (
        select from workflow_start w
        where w.workflow_id = 'interview-attempt/' || q.result_id || '/' || q.attempt
      )
    limit 1000`,
};
