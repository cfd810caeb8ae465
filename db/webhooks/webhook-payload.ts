/** Returns SQL that formats a time as ISO 8601 in UTC, with milliseconds. */
const instant = (source: string) => `to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL that is true if a person requested the next attempt of the delivery `d`, or the whole series of attempts. */
export const isReplay = `(d.series > 1 or (d.triggered_by is not null and d.event <> 'test'))`;

/**
 * The limits of texts and lists keep every body below `maxPayloadBytes`, as the published schema promises
 * (api/webhooks/webhook-body.ts). A character takes at most 6 bytes in JSON.
 */
export const maxPayloadBytes = 256 * 1024;
export const maxTextLength = 16_000;
const maxListBytes = 16_000;
const maxItems = 10;
const maxItemLength = 250;

/** Postgres knows the length of a text without reading it, so it reads only the texts that must be cut. */
const text = (source: string) =>
  `case when octet_length(${source}) > ${maxTextLength} then left(${source}, ${maxTextLength}) else ${source} end`;
const list = (source: string) => `case when octet_length(${source}::text) > ${maxListBytes} then (
    select jsonb_agg(left(item, ${maxItemLength})) from (
      select item from jsonb_array_elements_text(${source}) as item limit ${maxItems}
    ) first
  ) else ${source} end`;

/**
 * The SQL of each payload field. `d` is the delivery, `r` the result, and `e` the result's enrolment (null without a
 * candidate). Fields and order match the published schema (api/webhooks/webhook-body.ts).
 */
const sources = {
  type: 'd.event',
  timestamp: instant('statement_timestamp()'),
  id: 'r.id',
  interview_id: 'r.interview_id',
  question_set_id: 'r.interview_id',
  status: 'r.status',
  interview_status: 'r.interview_status',
  processing_status: 'r.processing_status',
  attempt: 'r.attempt',
  revision: 'r.revision',
  updated_at: instant('r.updated_at'),
  profile_interview_id: 'e.id',
  profile_id: 'e.profile_id',
  candidate_name: 'e.name',
  candidate_email: 'e.email',
  candidate_phone_number: 'e.phone',
  candidate_external_id: 'e.external_id',
  score: 'r.score',
  ai_analysis_recruiter_score: 'r.ai_analysis_recruiter_score',
  ai_analysis: text('r.ai_analysis'),
  ai_analysis_recruiter: text('r.ai_analysis_recruiter'),
  ai_analysis_recruiter_why_hire: list('r.ai_analysis_recruiter_why_hire'),
  ai_analysis_recruiter_why_not_hire: list('r.ai_analysis_recruiter_why_not_hire'),
  recruiter_go_next_round: 'r.recruiter_go_next_round',
  pdf_export_url: 'r.pdf_export_url',
  reason: 'd.reason',
  changed: `string_to_array(d.reason, ', ')`,
  is_test: 'r.is_test',
  is_replay: isReplay,
};

/** The fields of the event `sync.changed`, which is about no result. */
const syncSources = {
  type: sources.type,
  timestamp: sources.timestamp,
  is_test: 'false',
  is_replay: sources.is_replay,
};

const objectOf = (fields: Record<string, string>) =>
  `json_build_object(${Object.entries(fields)
    .map(([field, source]) => `'${field}', ${source}`)
    .join(', ')})::text`;

/** SQL that renders the payload as text. It is null for the test event, and if the result is gone. */
export const renderedPayload = `case when r.id is not null then ${objectOf(sources)}
  when d.event = 'sync.changed' then ${objectOf(syncSources)} end`;
