import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { z } from 'zod';
import { openSigningKey } from '../../db/interviews/embed-keys';
import {
  checkReferences,
  discardUnbuiltInterview,
  findBuiltInterview,
  insertUnbuiltInterview,
} from '../../db/interviews/interview-building';
import type { BuildInput, BuiltInterview, ReferenceCheck } from '../../db/interviews/interview-building';
import { playsPersona } from '../../db/interviews/persona';
import { recordAuditEntry } from '../../db/platform/audit';
import type { MerchantScope, Requester, Transaction } from '../../db/platform/database';
import { isPractice } from '../../db/platform/vocabulary';
import { interviewCreationId, scopeAttributes } from '../../workflows/ids';
import type { interviewCreation } from '../../workflows/interview-creation';
import type { OperationDeps } from '../deps';
import { ApiError, throwAll } from '../platform/operation/api-error';
import type { Call } from '../platform/operation/call';
import type { creationInput } from './interview-fields';
import { unusableKnowledgeBase } from './knowledge-base-fields';
import { requireMessagesEnabled } from './messages-setting';
import { mergeScoring } from './scoring-setting';

/** The parsed fields that both create operations accept. */
type CreationInput = z.output<typeof creationInput> & { description?: string };

/** The facts about a created interview. Each of the two create operations returns some of these fields. */
type CreatedInterview = Omit<BuiltInterview, 'questions_generated' | 'signing_key_sealed'> & {
  questions_generated: number;
  embed_signing_key?: string;
};

/** The time that a session takes for one question, in seconds. */
export const secondsPerQuestion = 120;

const requestMs = 57_000;
const startMs = 4_000;
const unavailable = () =>
  new ApiError(
    'generation_unavailable',
    'Question generation is unavailable. Try again later.',
    undefined,
    30,
  );

/** Throws 422 with the name of each field that refers to something that the caller's merchant does not have. */
export function validateReferences(
  references: ReferenceCheck,
  named: {
    interview_template_id?: string;
    knowledge_base_store_id?: string | null;
    recruiter_profile_id?: string | null;
  },
): void {
  const wrong: ApiError[] = [];
  if (named.interview_template_id !== undefined && references.template_usable !== true)
    wrong.push(
      new ApiError(
        'unknown_id',
        references.template_usable === false
          ? 'interview_template_id names a template that is closed for new interviews. Choose one that is `usable` in interview-template-list.'
          : 'interview_template_id does not name a template. interview-template-list returns all templates.',
        'interview_template_id',
      ),
    );
  if (named.knowledge_base_store_id && references.knowledge_base_status !== 'active')
    wrong.push(unusableKnowledgeBase('knowledge_base_store_id', references.knowledge_base_status));
  if (named.recruiter_profile_id && !references.recruiter_known)
    wrong.push(
      new ApiError(
        'unknown_id',
        'recruiter_profile_id must be the id of a profile of this merchant with the role merchant, merchant_owner or admin.',
        'recruiter_profile_id',
      ),
    );
  throwAll(wrong);
}

/**
 * Stores an unfinished row and waits until the `interviewCreation` workflow has completed it. If the workflow does
 * not complete the row in time, deletes the row and throws 503 (docs/interviews.md#time-limits-of-a-creation).
 */
export async function createInterview(
  { input, caller, idempotencyId, receivedAt }: Call<CreationInput>,
  prepare: (trx: Transaction) => Promise<{ build: BuildInput; columns: Record<string, unknown> }>,
  deps: OperationDeps,
): Promise<CreatedInterview> {
  const { database, seal, temporal, queues, metrics } = deps;
  requireMessagesEnabled(deps, input.candidate_notification_channel);
  const { id, scope } = await database.write(caller, async (trx) => {
    const references = trx.one(
      checkReferences(
        input.interview_template_id,
        input.knowledge_base_store_id ?? null,
        input.recruiter_profile_id ?? null,
      ),
    );
    const [found, { build, columns }] = await Promise.all([references, prepare(trx)]);
    validateReferences(found, input);
    const newId = idempotencyId ?? found.id;
    const stored = await trx.count(
      insertUnbuiltInterview({ id: newId, ...toRow(input, build), ...columns, build_input: build }),
    );
    // A repeated call finds the row that the first call stored, and adds no second entry to the audit log.
    if (stored > 0)
      await trx.count(
        recordAuditEntry('job-interview-create', newId, input.is_embedded ? { is_embedded: true } : {}),
      );
    return { id: newId, scope: await trx.merchantScope() };
  });

  const outcome = await runWorkflow(id, scope, receivedAt, { temporal, queues });
  metrics.countWorkflow('interviewCreation', outcome);
  if (outcome === 'failed' && (await discard(caller, id, database))) throw unavailable();

  const [built] = await database.query(caller, findBuiltInterview(id));
  if (!built) throw unavailable();
  const { signing_key_sealed, questions_generated, ...created } = built;
  return {
    ...created,
    questions_generated: questions_generated ?? 0,
    ...(created.embed_id && signing_key_sealed
      ? { embed_signing_key: openSigningKey(seal, created.embed_id, signing_key_sealed) }
      : {}),
  };
}

/**
 * Waits until the workflow ends or the request's time is up. If an earlier call with the same id has already
 * completed the workflow, returns `completed` immediately.
 */
async function runWorkflow(
  id: string,
  scope: MerchantScope,
  receivedAt: number,
  { temporal, queues }: Pick<OperationDeps, 'temporal' | 'queues'>,
): Promise<'completed' | 'failed'> {
  try {
    const handle = await temporal.withDeadline(Date.now() + startMs, () =>
      temporal.workflow.start<typeof interviewCreation>('interviewCreation', {
        workflowId: interviewCreationId(id),
        taskQueue: queues.main,
        args: [{ interview_id: id, ai_task_queue: queues.ai }],
        workflowExecutionTimeout: '60 seconds',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
        typedSearchAttributes: scopeAttributes(scope.merchant_id, scope.environment),
        staticSummary: 'Drafts an interview with the model and stores it',
      }),
    );
    await temporal.withDeadline(receivedAt + requestMs, () => handle.result());
    return 'completed';
  } catch (error) {
    return error instanceof WorkflowExecutionAlreadyStartedError ? 'completed' : 'failed';
  }
}

/** Deletes the unfinished row. Returns false if there was none, because the workflow completed it in the meantime. */
async function discard(caller: Requester, id: string, database: OperationDeps['database']): Promise<boolean> {
  const { discarded } = await database.write(caller, (trx) => trx.one(discardUnbuiltInterview(id)));
  return discarded;
}

function toRow(input: CreationInput, build: BuildInput): Record<string, unknown> {
  return {
    name: input.name,
    status: input.status,
    visibility: input.visibility,
    type: input.type,
    code: input.code,
    interview_location: input.location,
    cover_image_url: input.cover_image_url,
    interview_template_id: input.interview_template_id,
    knowledge_base_store_id: input.knowledge_base_store_id,
    platform_language_code: input.platform_language_code,
    recording: input.recording,
    recording_full_session: input.recording_full_session,
    type_credit: input.type === 'interview' || input.type === 'assessment' ? null : 'interview_coach_manager',
    // Learners practice for the feedback.
    result_view: input.result_view ?? (isPractice(input.type) ? 'advanced' : 'minimal'),
    candidate_video_introduction: input.candidate_video_introduction,
    description: input.description?.trim() ? input.description : null,
    interview_description_long: input.description_long?.trim() ? input.description_long : null,
    candidate_expectations: input.candidate_expectations,
    interview_department: input.interview_department,
    interview_salary: input.interview_salary,
    interview_available_till: input.interview_available_till,
    candidate_notification_channel: input.candidate_notification_channel,
    recruiter_profile_id: input.recruiter_profile_id,
    tags: input.tags,
    interview_conversation_speed: input.interview_conversation_speed,
    max_followups: input.max_followups,
    questions_random_subset: input.questions_random_subset,
    required_pronunciation: input.required_pronunciation,
    result_enable_edit_transcript: input.result_enable_edit_transcript,
    result_scoring: mergeScoring(null, input.custom_scoring, input.interview_attempts),
    pdf_export_auto_config: input.pdf_export_auto_config,
    next_step_text: input.next_step_text,
    answer_within_days: input.answer_within_days,
    creation_parameters: {
      interview_type: input.interview_type,
      interview_tone: input.interview_tone,
      interview_length: build.question_count,
      additional_context: input.additional_context ?? null,
      include_rapport_question: build.include_rapport_question,
      include_closing_prompt: build.include_closing_prompt,
      knowledge_base_store_id: input.knowledge_base_store_id ?? null,
      seniority_level: input.seniority_level ?? null,
      hiring_for_company: input.hiring_for_company ?? null,
    },
  };
}

/** The part of the workflow's input that both create operations build in the same way. */
export const commonBuildInput = (input: CreationInput) => ({
  seniority_level: input.seniority_level ?? null,
  interview_type: input.interview_type,
  interview_tone: input.interview_tone,
  additional_context: input.additional_context ?? null,
  hiring_for_company: input.hiring_for_company ?? null,
  instructional_video: input.instructional_video,
  instructional_video_custom_text: input.instructional_video_custom_text ?? null,
  welcome_message: input.welcome_message ?? null,
  thank_you_message: input.thank_you_message ?? null,
  use_enhanced_expectations: input.use_enhanced_expectations,
  is_embedded: input.is_embedded,
  embed_origins: input.embed_origins ?? [],
  persona: playsPersona(input.type) ? (input.persona ?? {}) : null,
});
