import { randomBytes, randomUUID } from 'node:crypto';
import { templateIds } from '../../../local/seed/templates';
import { rollupColumns } from '../../../db/reports/rollup';
import type { Cell, References } from './cell';

export const uuid = (): string => randomUUID();

const weekly = (person: string) => ({ every: 'week', format: 'pdf', recipients: [person] });

let shards = 0;
const senderShard = () => (shards += 1);

/** Returns a valid row of `table` that belongs to the cell, with `id` if the table has one. */
export function rowOf(
  table: string,
  { merchantId: merchant_id, environment, profileId, user, free }: Cell,
  {
    interview,
    question,
    position,
    candidate,
    person,
    enrolment,
    batch,
    endpoint,
    result,
    report,
    schedule,
    delivery,
  }: References,
  id: string = uuid(),
): Record<string, unknown> {
  const definition = {
    name: 'Any',
    status: 'active',
    visibility: 'merchant_public',
    interview_location: 'Anywhere',
    platform_language_code: 'en',
  };
  const email = `${id}@any.example`;
  const sessionId = user.kind === 'user_session' ? user.sessionId : null;
  const byTable: Record<string, Record<string, unknown>> = {
    merchant: { id, name: 'Any' },
    profile: { id, merchant_id, role: 'merchant_owner', email, email_key: email, name: 'Any' },
    merchant_access: { merchant_id, profile_id: person, role: 'merchant' },
    team_withdrawal: { merchant_id, profile_id: person },
    session: { id, profile_id: profileId, environment },
    refresh_token: { hash: randomBytes(32), session_id: sessionId, expires_at: '2100-01-01' },
    service_key: { id, merchant_id, environment, hash: randomBytes(32) },
    sign_in_link: { id, profile_id: profileId, environment, hash: randomBytes(32) },
    // The database sets the caller of an entry from the scope.
    audit_entry: { id, merchant_id, environment, act: 'any' },
    interview_template: { id, name: 'Any', type: 'offline_avatar_1', status: 'active', usable: true },
    knowledge_base: { id, merchant_id, name: 'Any', text: 'Any' },
    position: { id, merchant_id, environment, ...definition },
    interview: {
      id,
      merchant_id,
      environment,
      ...definition,
      type: 'interview',
      interview_template_id: templateIds.interactive_voice,
      result_view: 'minimal',
      candidate_video_introduction: 'hidden',
      required_pronunciation: false,
      result_enable_edit_transcript: true,
      creation_parameters: '{}',
      built_at: '2026-01-01',
    },
    question: { id, merchant_id, view: 'question', question: 'Any?', platform_language_code: 'en' },
    interview_question: {
      merchant_id,
      environment,
      interview_id: interview,
      question_id: question,
      step_order: 1,
    },
    position_step: {
      merchant_id,
      environment,
      position_id: position,
      interview_id: interview,
      step_order: 1,
    },
    position_member: { merchant_id, environment, profile_id: person, position_ids: [position] },
    embed_key: { id, merchant_id, environment, interview_id: interview, signing_key_sealed: randomBytes(8) },
    model_call: {
      id,
      merchant_id,
      interview_id: interview,
      prompt_version: 'any',
      model: 'any',
      duration_ms: 1,
      outcome: 'accepted',
    },
    idempotency_key: {
      id,
      merchant_id,
      environment,
      caller_id: profileId,
      key: id,
      operation: 'any',
      body_hash: randomBytes(8),
    },
    workflow_start: { id, merchant_id, environment, workflow_type: 'any', workflow_id: id, argument: '{}' },
    enrolment: {
      id,
      merchant_id,
      environment,
      interview_id: interview,
      position_id: position,
      profile_id: candidate,
      email,
      email_key: email,
    },
    enrolment_step: {
      merchant_id,
      environment,
      enrolment_id: enrolment,
      interview_id: interview,
      position_id: position,
      entered_at: '2026-01-01',
    },
    interview_result: {
      id,
      merchant_id,
      environment,
      interview_id: interview,
      enrolment_id: enrolment,
      interview_status: 'started',
    },
    invitation: { merchant_id, id, environment, result: 'invited', channel: 'email', is_test: false },
    invitation_batch: { id, merchant_id, environment, platform_language_code: 'en' },
    mail: {
      id,
      merchant_id,
      environment,
      batch_id: batch,
      kind: 'candidate_invitation',
      profile_id: candidate,
      enrolment_id: enrolment,
    },
    credit_account: { merchant_id },
    credit_entry: {
      id,
      merchant_id,
      bucket: 'extra',
      kind: 'grant',
      amount: 1,
      period_started_at: '2026-01-01',
    },
    interview_result_attempt: { merchant_id, environment, result_id: result, attempt: 1, fields: '{}' },
    report_attempt: {
      merchant_id,
      environment,
      result_id: id,
      attempt: 1,
      interview_id: interview,
      language: 'en',
      is_test: false,
      instant: '2026-01-01',
      status: 'draft',
      is_shortlisted: false,
      is_unpaid: false,
      has_risk_flags: false,
    },
    result_question: {
      id,
      merchant_id,
      environment,
      result_id: result,
      attempt: 1,
      step_order: 1,
      is_answer: true,
      view: 'with listening',
    },
    webhook_endpoint: {
      id,
      merchant_id,
      environment,
      url: 'https://any.example',
      events: ['interview_result'],
    },
    webhook_secret: { id, merchant_id, environment, endpoint_id: endpoint, secret_sealed: randomBytes(8) },
    webhook_delivery: { id, merchant_id, environment, endpoint_id: endpoint, event: 'test', reason: 'test' },
    webhook_attempt: {
      merchant_id,
      environment,
      delivery_id: id,
      series: 1,
      attempt: 1,
      started_at: '2026-01-01',
      outcome: 'acknowledged',
    },
    webhook_hold: { merchant_id, environment, result_id: id, reasons: ['status'] },
    webhook_replay: {
      id,
      merchant_id,
      environment,
      filter: '{}',
      per_second: 1,
      matched: 1,
      requested_by: profileId,
    },
    webhook_lease: { owner: id },
    webhook_sender: { shard: senderShard(), owner: id },
    catalogue_directory: { row_id: id, merchant_id, id, name: 'Any', status: 'active' },
    report: { id, merchant_id, title: 'Any' },
    report_version: { merchant_id, report_id: report, version: 1, definition: '{}' },
    report_change: { merchant_id },
    report_rollup: {
      merchant_id,
      environment: report === free.report ? 'uat' : environment,
      time_zone: 'UTC',
      until: '2000-01-01',
    },
    report_day: {
      ...Object.fromEntries(Object.keys(rollupColumns).map((column) => [column, 0])),
      merchant_id,
      environment,
      day: '1999-12-31',
      is_test: report === free.report,
    },
    report_filters: { merchant_id, report_id: report, profile_id: profileId, filters: '{}' },
    report_schedule: {
      id,
      merchant_id,
      environment,
      report_id: report,
      creator_id: profileId,
      ...weekly(person),
    },
    report_delivery: { id, merchant_id, environment, schedule_id: schedule, workflow_id: id },
    report_mail: { id, merchant_id, environment, delivery_id: delivery, profile_id: person },
    technical_issue: { id, merchant_id, profile_id: profileId, description: 'Anything at all' },
    feature_request: {
      id,
      merchant_id,
      profile_id: profileId,
      title: 'Anything',
      description: 'Anything at all',
    },
    test_invitation_budget: { merchant_id, environment },
    account_count: { merchant_id, environment, metric: 'candidates', scope_id: interview, value: 1 },
  };
  const row = byTable[table];
  if (!row) throw new Error(`test/db/platform/world-rows.ts makes no row for table ${table}: add one`);
  return row;
}

export const insertOf = (table: string, row: Record<string, unknown>) => ({
  text: `insert into ${table} (${Object.keys(row).join(', ')})
    values (${Object.keys(row)
      .map((_, index) => `$${index + 1}`)
      .join(', ')})`,
  values: Object.values(row),
});
