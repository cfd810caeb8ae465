import type { Client } from 'pg';
import { withAdminConnection } from '../../db/platform/credentials';
import { createQueries } from '../../db/platform/database';
import { merchants, people } from './accounts';
import { fixedId, interviewId } from './fixed-id';
import { seedInterview } from './interviews';
import { scoredAnswerPath } from './recordings';
import { scoredInterviews, scoredResultId } from './scored-answers';
import type { ScoredCandidate, ScoredInterview } from './scored-answers';

/**
 * Submits a few attempts, which the worker then scores like those of real candidates. One result has scores that a
 * person has set, and one answer says too little. Only `npm start` calls it, after `seed`. A second call does nothing.
 */
export async function seedScoredResults(adminUrl: string): Promise<void> {
  await withAdminConnection(adminUrl, async (client) => {
    for (const interview of scoredInterviews) {
      const { rowCount } = await client.query('select from interview where id = $1', [
        interviewId(interview.key),
      ]);
      if (rowCount !== 0) continue;
      await client.query('begin');
      await seedScoredInterview(client, interview);
      for (const candidate of interview.candidates) await submitAnswers(client, interview, candidate);
      if (interview.key === 'scored') await decide(client);
      await client.query('commit');
    }
  });
}

async function seedScoredInterview(
  client: Client,
  { key, name, type, draft }: ScoredInterview,
): Promise<void> {
  const seed = {
    key,
    owner: merchants.main,
    name,
    type,
    status: 'active',
    template: 'offline_avatar_3',
    // With `merchant_invite`, learners do not find the practice session in the catalogue.
    visibility: type === 'coaching' ? 'merchant_invite' : 'merchant_public',
  } as const;
  await seedInterview(createQueries(client), seed, 0, new Date().toISOString(), draft);
  await client.query(`update interview set result_view = 'full', recording = 'audio_all' where id = $1`, [
    interviewId(key),
  ]);
}

/** Inserts a candidate with answers to all questions, and submits them as the candidate would. */
async function submitAnswers(
  client: Client,
  { key }: ScoredInterview,
  candidate: ScoredCandidate,
): Promise<void> {
  const id = scoredResultId(candidate.name);
  const email = `${candidate.name
    .replace(' ', '.')
    .normalize('NFD')
    .replaceAll(/[^\w.]/g, '')
    .toLowerCase()}@candidates.example`;
  await client.query(
    `with person as (
       insert into profile (id, merchant_id, role, name, email, email_key)
       values ($1, $2, 'candidate', $3, $4, $4) returning id
     ), enrolled as (
       insert into enrolment (id, merchant_id, environment, interview_id, profile_id, name, email, email_key)
       select $5, $2, 'production', $6, id, $3, $4, $4 from person returning id
     )
     insert into interview_result (id, merchant_id, environment, interview_id, enrolment_id, attempt, status,
       interview_status, started_at, ended_at, duration, ai_interview_coverage_percentage, ai_completion_reason, is_test)
     select $7, $2, 'production', $6, id, 1, 'draft', 'completed', now() - interval '14 minutes', now(), 8400, 100,
       'all_questions_answered', false from enrolled`,
    [
      fixedId(`candidate ${email}`),
      merchants.main.id,
      candidate.name,
      email,
      fixedId(`enrolment ${email}`),
      interviewId(key),
      id,
    ],
  );
  await client.query('select app.plan_attempt(r) from interview_result r where r.id = $1', [id]);
  await client.query(
    `with step as materialized (
       select s.*, uuidv7() as turn_id, (row_number() over (partition by s.kind order by s.place) - 1)::int as number
       from attempt_step s where s.result_id = $1
     )
     insert into result_question (id, after_turn, merchant_id, environment, result_id, attempt, step_order, is_answer, view,
       question_original_id, question_original, question_asked, platform_language_code, kind, place, mode, is_required,
       asked_at, answered_at, answer_kind, transcript_status, recorded, answer, duration, recording_local_path, recording_is_video)
     select turn_id, lag(turn_id) over (order by place), merchant_id, environment, result_id, attempt, place,
       kind = 'question', view, question_id, nullif(text, ''), text, platform_language_code, kind, place, mode, is_required,
       now() - interval '14 minutes', now(), case when kind = 'question' then 'recording' else 'seen' end,
       case when kind = 'question' then 'done' end, case when kind = 'question' then 'audio' end,
       case when kind = 'question' then $2::jsonb ->> number end, case when kind = 'question' then 2000 end,
       case when kind = 'question' then $3::jsonb ->> number end, case when kind = 'question' then false end
     from step`,
    [
      id,
      JSON.stringify(candidate.answers),
      JSON.stringify(candidate.answers.map((_, at) => scoredAnswerPath(id, at))),
    ],
  );
  await client.query('select app.submit_collected(r) from interview_result r where r.id = $1', [id]);
}

/** Sets scores with reasons and advances a candidate, as a recruiter would. The scoring must keep these decisions. */
async function decide(client: Client): Promise<void> {
  const decided = scoredResultId('Tomás Rivera');
  await client.query(
    `with decided as (
       update result_question set score = 3.5 where result_id = $1 and is_answer
         and step_order = (select max(step_order) from result_question where result_id = $1 and is_answer)
       returning id, merchant_id, environment, result_id, attempt
     ), total as (
       update interview_result set score = 5.5 where id = $1 returning merchant_id, environment, id as result_id, attempt
     )
     insert into score_decision (merchant_id, environment, result_id, attempt, question_id, score, reason, decided_by)
     select merchant_id, environment, result_id, attempt, id, 3.5,
       'He showed the same routine on the tour of the site.', $2::uuid from decided
     union all
     select merchant_id, environment, result_id, attempt, null, 5.5,
       'The second answer was cut short by a call. I asked again by phone.', $2 from total`,
    [decided, people.merchant.id],
  );
  const advanced = scoredResultId('Mara Lindqvist');
  await client.query(
    'update interview_result set recruiter_go_next_round = true, decided_at = now() where id = $1',
    [advanced],
  );
  const details = { updated_fields: ['recruiter_go_next_round'], recruiter_go_next_round: true };
  await client.query(
    `insert into audit_entry (merchant_id, environment, actor_id, actor_role, act, subject_id, details)
     values ($1, 'production', $2, 'merchant', 'job-interview-result-update', $3, $4)`,
    [merchants.main.id, people.merchant.id, advanced, JSON.stringify(details)],
  );
}
