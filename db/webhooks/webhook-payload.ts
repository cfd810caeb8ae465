/** SQL for a time in wire form. */
const instant = (source: string) => `to_char(${source} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whether a person requested the next attempt of the delivery `d` or the series that it belongs to. */
export const isReplay = `(d.series > 1 or (d.triggered_by is not null and d.result_id is not null))`;

/** The source of each payload field: `d` delivery, `r` result, `e` its enrolment (null without a candidate). */
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
  ai_analysis: 'r.ai_analysis',
  ai_analysis_recruiter: 'r.ai_analysis_recruiter',
  ai_analysis_recruiter_why_hire: 'r.ai_analysis_recruiter_why_hire',
  ai_analysis_recruiter_why_not_hire: 'r.ai_analysis_recruiter_why_not_hire',
  recruiter_go_next_round: 'r.recruiter_go_next_round',
  pdf_export_url: 'r.pdf_export_url',
  reason: 'd.reason',
  changed: `string_to_array(d.reason, ', ')`,
  is_test: 'r.is_test',
  is_replay: isReplay,
};

/** The fields of the payload. They match the published schema (api/webhooks/webhook-payload.ts), including its order. */
export type PayloadField = keyof typeof sources;

/** The payload as a SQL expression of text; null for the test event, which has no result. */
export const renderedPayload = `case when r.id is not null then json_build_object(${Object.entries(sources)
  .map(([field, source]) => `'${field}', ${source}`)
  .join(', ')})::text end`;

const textBytes = (source: string) => `coalesce(octet_length(${source}), 0)`;
/** The bytes of a list of texts. The length is known only once the list is read, so short lists are skipped. */
const listBytes = (source: string) =>
  `case when pg_column_size(${source}) > 1000 then octet_length(${source}::text) else 0 end`;

/** Estimates the length of the rendered payload from `r` alone. JSON escapes add at most a tenth to plain words. */
export const estimatedPayloadBytes = `(1.1 * (4000 + ${[
  textBytes(sources.ai_analysis),
  textBytes(sources.ai_analysis_recruiter),
  listBytes(sources.ai_analysis_recruiter_why_hire),
  listBytes(sources.ai_analysis_recruiter_why_not_hire),
].join(' + ')}))::float8`;
