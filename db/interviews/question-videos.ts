import type { Statement } from '../platform/statement';
import type { conversationSpeeds } from '../platform/vocabulary';

/* The videos in which the interviewer's figure speaks questions (docs/interviews.md#question-videos). */

/** Why a video was not rendered. */
export const videoErrors = ['rejected', 'not_rendered', 'unusable_file', 'gave_up'] as const;
export type VideoError = (typeof videoErrors)[number];

/** SQL that is true if an interview that is not deleted asks the question of the video `v`. */
const isUsed = `exists (
  select from interview_question l join interview i on i.merchant_id = l.merchant_id and i.id = l.interview_id
  where l.merchant_id = v.merchant_id and l.question_id = v.question_id and i.status <> 'deleted'
)`;

/**
 * Plans a video for each text of an active interview that has none, in all wordings, and queues the workflows that
 * render them. Plans nothing if the interview's template shows no videos.
 */
export const planQuestionVideos = (interviewId: string): Statement<{ planned: number }> => ({
  name: 'plan_question_videos',
  text: `
    with planned as (
      insert into question_video (merchant_id, question_id, wording, speed, interview_id)
      select i.merchant_id, q.id, wording.place - 1, coalesce(i.interview_conversation_speed, 'normal'), i.id
      from interview i join interview_template t on t.id = i.interview_template_id
      join interview_question l on l.merchant_id = i.merchant_id and l.interview_id = i.id
      join question q on q.merchant_id = l.merchant_id and q.id = l.question_id
      cross join unnest(q.question || case when not q.is_multiple_choice then q.question_alternatives end)
        with ordinality wording (text, place)
      where i.id = $1 and i.status = 'active' and i.built_at is not null and t.type = 'offline_avatar_3'
        and wording.text !~ '^\\s*$' and wording.text !~* '^\\s*https://\\S+\\s*$'
      on conflict do nothing returning id
    ), started as (
      insert into workflow_start (merchant_id, environment, workflow_type, workflow_id, argument)
      select i.merchant_id, i.environment, 'questionVideo', 'question-video/' || p.id, jsonb_build_object('video_id', p.id)
      from planned p join interview i on i.id = $1
    )
    select count(*)::integer as planned from planned`,
  values: [interviewId],
});

/** A video that is to be ordered from the provider. */
export type VideoToOrder = {
  text: string;
  speed: (typeof conversationSpeeds)[number];
  /** When the provider was first asked, as Unix time in milliseconds. */
  sent_ms: number;
  /** True if an earlier attempt may have ordered the video without recording it. */
  may_be_ordered: boolean;
};

/**
 * Records that the provider is about to be asked for a video, and returns it. Finds nothing if the video has been
 * ordered, has failed, or is no longer used.
 */
export const beginVideoOrder = (videoId: string): Statement<VideoToOrder> => ({
  name: 'begin_video_order',
  text: `
    update question_video v set state = 'sending', sent_at = case before.state when 'sending' then v.sent_at else now() end
    from (
      select v.id, v.state, (q.question || q.question_alternatives)[v.wording + 1] as text
      from question_video v join question q on q.merchant_id = v.merchant_id and q.id = v.question_id
      where v.id = $1 and v.state in ('queued', 'sending') and ${isUsed} for update of v
    ) before
    where v.id = before.id
    returning before.text, v.speed, extract(epoch from v.sent_at)::float8 * 1000 as sent_ms, before.state = 'sending' as may_be_ordered`,
  values: [videoId],
});

/** Records the provider's id of an ordered video. */
export const recordVideoOrder = (videoId: string, providerId: string): Statement => ({
  text: `update question_video set state = 'rendering', provider_id = $2 where id = $1 and state = 'sending'`,
  values: [videoId, providerId],
});

/** Records that the provider certainly did not take the order. */
export const recordVideoUnsent = (videoId: string): Statement => ({
  text: `update question_video set state = 'queued' where id = $1 and state = 'sending'`,
  values: [videoId],
});

type VideoRow = {
  merchant_id: string;
  interview_id: string;
  state: 'queued' | 'sending' | 'rendering' | 'ready' | 'failed' | 'deleting';
  provider_id: string | null;
  /** The time since the order. */
  waited_ms: number | null;
};

export const findQuestionVideo = (videoId: string): Statement<VideoRow> => ({
  name: 'find_question_video',
  text: `
    select merchant_id, interview_id, state, provider_id,
      extract(epoch from now() - sent_at)::float8 * 1000 as waited_ms
    from question_video where id = $1`,
  values: [videoId],
});

/** Marks a stored video as ready. Changes nothing if the video is not rendering, for example because it is deleted. */
export const recordVideoReady = (
  videoId: string,
  { durationMs, sizeBytes }: { durationMs: number; sizeBytes: number },
): Statement => ({
  text: `
    update question_video set state = 'ready', duration_ms = $2, size_bytes = $3 where id = $1 and state = 'rendering'`,
  values: [videoId, durationMs, sizeBytes],
});

/** Marks a video as failed. Returns no row if it is ready or has failed before. */
export const recordVideoFailure = (
  videoId: string,
  error: VideoError,
): Statement<Pick<VideoRow, 'merchant_id' | 'interview_id' | 'waited_ms'>> => ({
  name: 'record_video_failure',
  text: `
    update question_video set state = 'failed', error = $2 where id = $1 and state in ('queued', 'sending', 'rendering')
    returning merchant_id, interview_id, extract(epoch from now() - sent_at)::float8 * 1000 as waited_ms`,
  values: [videoId, error],
});

/** Claims videos whose question no interview asks any more. Their files are deleted first, and then the rows. */
export const claimUnusedVideos = (limitRows: number): Statement<{ id: string; merchant_id: string }> => ({
  name: 'claim_unused_videos',
  text: `
    update question_video set state = 'deleting', error = null
    where id in (select v.id from question_video v where not ${isUsed} limit $1 for update skip locked)
    returning id, merchant_id`,
  values: [limitRows],
});

export const deleteQuestionVideos = (ids: string[]): Statement => ({
  text: `delete from question_video where id = any ($1) and state = 'deleting'`,
  values: [ids],
});

/**
 * Queues the videos of an interview that are not ready, and returns their number. A workflow that still renders one of
 * them goes on.
 */
export const renderVideosAgain = (interviewId: string): Statement<{ queued: number }> => ({
  name: 'render_videos_again',
  text: `
    with again as (
      update question_video v set state = case v.state when 'failed' then 'queued' else v.state end, error = null
      where v.state in ('queued', 'sending', 'rendering', 'failed') and (v.merchant_id, v.question_id) in (
        select l.merchant_id, l.question_id from interview_question l where l.interview_id = $1
      )
      returning v.id
    ), started as (
      insert into workflow_start (workflow_type, workflow_id, argument)
      select 'questionVideo', 'question-video/' || a.id, jsonb_build_object('video_id', a.id) from again a
    )
    select count(*)::integer as queued from again`,
  values: [interviewId],
});
