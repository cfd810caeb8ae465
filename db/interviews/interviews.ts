import type { Statement } from '../platform/statement';
import { positionOfInterview, stepsJson } from './positions';

/** Columns that an interview definition and a position share. */
const shared = `name, created_at, updated_at, status, visibility, code, interview_location, cover_image_url, merchant_id,
  platform_language_code, description, interview_description_long, interview_department, interview_salary,
  interview_available_till, candidate_notification_channel, recruiter_profile_id, slug`;

const ofInterview = `stage, type, environment, interview_template_id, knowledge_base_store_id, recording,
  recording_full_session, type_credit, result_view, candidate_video_introduction, candidate_expectations, tags, coach_plan,
  interview_conversation_speed, max_followups, max_duration, questions_random_subset, required_pronunciation,
  result_enable_edit_transcript, calc_definition_json, candidate_expectations_json, result_scoring, creation_parameters,
  pdf_export_auto_config, next_step_text, answer_within_days, persona`;

/**
 * SQL for a question in the form in which replies contain it. Each question is one JSON object, so that an interview
 * arrives in one row.
 */
const questionJson = `jsonb_build_object(
  'question', q.question, 'id', q.id, 'duration', q.duration, 'platform_language_code', q.platform_language_code,
  'label', q.label, 'is_conditional', q.is_conditional, 'is_without_scoring', q.is_without_scoring,
  'is_candidate_asking_recruiter', q.is_candidate_asking_recruiter, 'is_expert', q.is_expert,
  'is_multiple_choice', q.is_multiple_choice, 'question_alternatives', q.question_alternatives,
  'conditional_question_main_id', q.conditional_question_main_id, 'knowledge_base_id', q.knowledge_base_id,
  'external_id', q.external_id, 'external_data', q.external_data,
  'candidate_expectations_json', q.candidate_expectations_json,
  'avatar_video', case when video.state is not null then jsonb_build_object('state', video.state, 'ai_generated', true) end)`;

const interviewColumns = ofInterview.split(',').map((column) => column.trim());

/**
 * Reads the interview or position with this id. In a position, the fields that only interviews have are null, except
 * the template (docs/interviews.md#definitions-and-positions).
 */
export const findDefinition = (id: string): Statement => findDefinitions([id]);

/** Reads several interviews and positions, like `findDefinition`. Each row has its `id`. */
export const findDefinitions = (ids: readonly string[]): Statement => ({
  name: 'find_definitions',
  text: `
    select i.id, false as is_multistage, ${qualify(shared, 'i')}, ${qualify(ofInterview, 'i')},
      t.type as interview_template_type, k.id as embed_id, k.embed_origins,
      i.creation_parameters ->> 'interview_tone' as interview_tone, step.*,
      null::jsonb as steps, ${positionOfInterview} as position_id,
      case when i.environment <> 'production' or exists (select from credit_account a where a.plan = 'Special') then 0
        else app.attempt_price(i.merchant_id, i.id, false) end as price_per_attempt,
      nullif(i.creation_parameters -> 'hiring_for_company', 'null') as hiring_for_company
    from interview i left join interview_template t on t.id = i.interview_template_id
    left join embed_key k on k.merchant_id = i.merchant_id and k.interview_id = i.id and k.revoked_at is null
    cross join lateral (
      select max(q.question) filter (where q.view = 'welcome') as welcome_message,
        max(q.question) filter (where q.view = 'instructional_video') as instructional_video_custom_text,
        max(q.question) filter (where q.view = 'thank_you') as thank_you_message,
        jsonb_agg(${questionJson} order by l.step_order) filter (where q.view = 'question') as questions,
        case when count(video.state) > 0 then jsonb_build_object('ready', coalesce(sum(video.ready), 0),
          'rendering', coalesce(sum(video.rendering), 0), 'failed', coalesce(sum(video.failed), 0)) end as question_videos
      from interview_question l join question q on q.id = l.question_id
      left join lateral (
        select count(*) filter (where v.state = 'ready') as ready, count(*) filter (where v.state = 'failed') as failed,
          count(*) filter (where v.state in ('queued', 'sending', 'rendering')) as rendering,
          case when bool_or(v.state = 'failed') then 'failed' when bool_and(v.state = 'ready') then 'ready'
            when count(*) > 0 then 'rendering' end as state
        from question_video v
        where t.type = 'offline_avatar_3' and v.merchant_id = q.merchant_id and v.question_id = q.id
          and v.speed = coalesce(i.interview_conversation_speed, 'normal')
      ) video on true
      where l.interview_id = i.id
    ) step
    where i.id = any ($1) and i.status <> 'deleted'
    union all
    select p.id, true, ${qualify(shared, 'p')},
      ${interviewColumns.map((column) => (column === 'interview_template_id' ? 'first_step.interview_template_id' : 'null')).join(', ')},
      null, null, null, null, null, null, null, null, null, ${stepsJson}, null, null, p.hiring_for_company
    from position p left join lateral (
      select i.interview_template_id from position_step s join interview i on i.id = s.interview_id
      where s.position_id = p.id and i.status <> 'deleted' order by s.step_order limit 1
    ) first_step on true
    where p.id = any ($1) and p.status <> 'deleted'`,
  values: [ids],
});

function qualify(columns: string, alias: string): string {
  return columns
    .split(',')
    .map((column) => `${alias}.${column.trim()}`)
    .join(', ');
}
