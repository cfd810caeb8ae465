import { createHash, randomBytes } from 'node:crypto';
import type { Environment } from '../../../db/platform/vocabulary';
import { roles } from '../../../db/platform/vocabulary';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';
import { newReferences } from './cell';
import type { Cell, World } from './cell';
import { insertOf, rowOf, uuid } from './world-rows';

/** A database that all worlds copy, and the cells whose rows it contains. */
export type Template = { name: string; cells: World['cells'] };

/** Creates the template of the worlds. */
export async function createTemplate(): Promise<Template> {
  const database = await createDatabase();
  const [one, other] = [uuid(), uuid()];
  const cells: World['cells'] = [
    createCell('one/production', one, 'production'),
    createCell('one/demo', one, 'demo'),
    createCell('other/production', other, 'production'),
    createCell('other/demo', other, 'demo'),
  ];
  for (const id of [one, other])
    await database.rows(`insert into merchant (id, name) values ($1, 'Any')`, [id]);
  for (const cell of cells) await fillCell(database, cell);
  await database.disconnect();
  return { name: database.name, cells };
}

function createCell(name: string, merchantId: string, environment: Environment): Cell {
  const profileId = uuid();
  const asked = { environment, roles, needsMerchant: true };
  return {
    name,
    merchantId,
    environment,
    profileId,
    user: {
      kind: 'user_session',
      sessionId: uuid(),
      profileId,
      role: 'merchant_owner',
      homeMerchantId: merchantId,
      askedMerchantId: null,
      ...asked,
    },
    service: {
      kind: 'service_key',
      keyHash: createHash('sha256').update(randomBytes(32)).digest('hex'),
      askedMerchantId: merchantId,
      ...asked,
    },
    serviceKeyId: uuid(),
    taken: newReferences(),
    free: newReferences(),
  };
}

async function fillCell(database: TestDatabase, cell: Cell): Promise<void> {
  const { user, service, taken, free, profileId, merchantId } = cell;
  const insert = (table: string, id?: string, more: Record<string, unknown> = {}) => {
    const { text, values } = insertOf(table, { ...rowOf(table, cell, taken, id), ...more });
    return database.rows(text, values);
  };
  await insert('profile', profileId, { activated_at: '2026-01-01' });
  await insert('session', user.kind === 'user_session' ? user.sessionId : undefined);
  await insert('refresh_token');
  await insert('service_key', cell.serviceKeyId, {
    merchant_id: merchantId,
    hash: Buffer.from(service.kind === 'service_key' ? service.keyHash : '', 'hex'),
  });
  await insert('sign_in_link');
  await insert('audit_entry', uuid(), { actor_id: profileId, actor_role: 'merchant_owner' });
  await insert('knowledge_base');
  for (const references of [taken, free]) {
    await insert('position', references.position);
    await insert('interview', references.interview);
    await insert('question', references.question);
    await insert('profile', references.person);
    await insert('profile', references.candidate, { role: 'candidate' });
    const { interview: interview_id, position: position_id, candidate: profile_id } = references;
    await insert('enrolment', references.enrolment, { interview_id, position_id, profile_id });
    await insert('enrolment_stage', undefined, { enrolment_id: references.enrolment });
    await insert('invitation_batch', references.batch);
    await insert('mail', references.mail, {
      kind: references === free ? 'reminder' : 'candidate_invitation',
      batch_id: references.batch,
      profile_id,
      enrolment_id: references.enrolment,
    });
    await insert('webhook_endpoint', references.endpoint);
    await insert('interview_result', references.result, { interview_id, enrolment_id: references.enrolment });
    await insert('recording', references.recording, { result_id: references.result });
    await insert('report', references.report);
    await insert('report_schedule', references.schedule, { report_id: references.report });
    await insert('report_delivery', references.delivery, { schedule_id: references.schedule });
  }
  await insert('interview', uuid(), { built_at: null, name: 'Unbuilt' });
  await insert('interview', uuid(), { type: 'coaching', name: 'Session' });
  for (const table of [
    'rate_window',
    'question_video',
    'interview_question',
    'position_step',
    'position_member',
    'model_call',
    'workflow_start',
    'merchant_access',
    'team_withdrawal',
    'interview_result_attempt',
    'attempt_plan',
    'attempt_step',
    'candidate_message',
    'score_record',
    'score_sample',
    'score_decision',
    'recording_part',
    'resume',
    'result_question',
    'invitation',
    'message',
    'message_opt_out',
    'webhook_secret',
    'webhook_delivery',
    'webhook_attempt',
    'webhook_lease',
    'waiting_change',
    'webhook_event',
    'webhook_hold',
    'webhook_replay',
    'webhook_sender',
    'credit_entry',
    'single_credit',
    'unpaid_attempt',
    'test_invitation_budget',
    'catalogue_directory',
    'technical_issue',
    'feature_request',
    'report_version',
    'report_filters',
    'report_rollup',
    'report_day',
    'report_mail',
    'agent_connection',
    'oauth_record',
  ])
    await insert(table);
  await insert('embed_key', taken.embed);
  await insert('embed_token_use');
  await insert('enrolment', uuid(), { position_id: null });
  await insert('idempotency_key');
  await insert('idempotency_key', uuid(), { caller_id: cell.serviceKeyId });
  await insert('agent_confirmation');
  await insert('agent_confirmation', uuid(), { caller_id: cell.serviceKeyId, hash: randomBytes(32) });
}
