import { z } from 'zod';
import { compileDefinition } from '../../db/interviews/compiled-definition';
import {
  lockInterview,
  lockPosition,
  updateInterviewOrPosition,
} from '../../db/interviews/locked-definition';
import type { LockedDefinition, LockedInterview } from '../../db/interviews/locked-definition';
import { slugFor } from '../../db/interviews/slug';
import { listSteps } from '../../db/interviews/steps';
import { findTemplateType } from '../../db/interviews/templates';
import { recordAuditEntry } from '../../db/platform/audit';
import type { Transaction } from '../../db/platform/database';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation } from '../platform/operation/define-operation';
import { writers } from '../platform/operation/vocabulary';
import { changeSteps } from './change-steps';
import { findColumnChanges } from './find-changes';
import { interviewOrPositionId } from './interview-fields';
import { jobInterviewGet } from './job-interview-get';
import { requireMessagesEnabled } from './messages-setting';
import { checkQuestions, questionUpdate } from './question';
import { interviewUpdate, questionsDiff } from './update-fields';
import type { InterviewUpdate } from './update-fields';
import {
  validateFields,
  validateChangedReferences,
  validatePositionUnchanged,
  validateStatus,
} from './validate-update';

/** Columns whose values are part of the compiled definition. */
const compiled = new Set([
  'interview_template_id',
  'max_duration',
  'max_followups',
  'questions_random_subset',
  'interview_conversation_speed',
  'required_pronunciation',
  'result_scoring',
  'candidate_expectations_json',
  'persona',
]);

export const jobInterviewUpdate = defineOperation({
  name: 'job-interview-update',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Change an interview definition or a position',
  description: `Changes the fields that are sent; other fields keep their value. Null clears a nullable field.
\`updated_fields\` names the fields whose value changed, so sending a definition back unchanged changes nothing. \`custom_scoring\` and \`persona\` are merged over
the stored value.

\`questions\` is the complete ordered list. Each question is matched to an existing one by \`external_id\`, then by \`id\`, then by equal content, and is
kept, replaced (a new record; omitted fields keep their value) or added. Questions that are missing from the list are removed: they are no longer
asked, but their records stay. An added question has 120 seconds by default and only the rubric that was sent with it, because this operation
does not use AI. Questions and texts of an active interview on an offline template cannot be changed: set its status to draft first.

\`welcome_message\`, \`thank_you_message\` and \`instructional_video_custom_text\` are the texts around the questions. Changes of the questions,
these texts, rubrics and \`candidate_expectations\` reach the next attempt; whoever has begun is asked what was planned. \`interview_tone\` acts on follow-ups.

The names that \`job-interview-get\` returns are accepted too: \`interview_location\` for \`location\`, \`interview_description_long\` for
\`description_long\`, \`result_scoring\` for \`custom_scoring\`. If a field is sent under two names with different values, the call is a 422.

Steps are changed by \`position-update-steps\`: \`steps\` and, with an \`interview_id\`, the \`position_id\` of a definition are accepted as
\`job-interview-get\` returns them, and any other value is a 422. The slug is made when the \`visibility\` becomes one with a public page, and stays.

The language and the type of an interview cannot be changed. A field that only interview definitions have is a 422 for a position.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: interviewUpdate,
  check: ({ questions }) => checkQuestions(questions, questionUpdate),
  aliases: {
    // These are the names that job-interview-get returns. The update accepts them as well as its own names.
    interview_location: 'location',
    interview_description_long: 'description_long',
    result_scoring: 'custom_scoring',
  },
  example: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    name: 'Senior backend engineer',
    interview_available_till: null,
  },
  reads: ({ interview_id, position_id }) => ({
    operation: jobInterviewGet,
    input: { position_id: interview_id ?? position_id },
  }),
  reply: z.object({
    position_id: interviewOrPositionId,
    is_multistage: z
      .boolean()
      .meta({ description: 'True for a position, false for an interview definition.' }),
    updated_fields: z
      .array(z.string().meta({ description: 'Name of a field.' }))
      .meta({ description: 'The fields whose value changed.' }),
    questions_diff: questionsDiff
      .optional()
      .meta({ description: 'What happened to the questions. Present when `questions` was sent.' }),
  }),
  replyExample: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1',
    is_multistage: false,
    updated_fields: ['name', 'interview_available_till'],
  },
  statuses: [404],
  /** Changes the fields whose sent values differ from the stored ones (docs/interviews.md#updating-an-interview). */
  handle({ input, write, requireMatch }, deps) {
    return write(async (trx) => {
      const named = input.interview_id === undefined ? 'position_id' : 'interview_id';
      const definition = await lockDefinition(trx, input[named] ?? '', named);
      await requireMatch(trx);
      validateFields(input, definition);
      await validatePositionUnchanged(trx, input, definition);
      await validateStatus(trx, input.status, definition);
      await validateChangedReferences(trx, input, definition);
      // Callers may send back a value that was stored while the deployment sent messages.
      if (input.candidate_notification_channel !== definition['candidate_notification_channel'])
        requireMessagesEnabled(deps, input.candidate_notification_channel);
      const changes = findColumnChanges(input, definition);
      const updatedFields = changes.map(({ field }) => field);
      const columns = Object.assign({}, ...changes.map((change) => change.columns)) as Record<
        string,
        unknown
      >;

      const template = definition.is_multistage ? null : await templateType(trx, definition, columns);
      const changed = definition.is_multistage
        ? undefined
        : await changeSteps(trx, input, definition, { status: input.status ?? definition.status, template });
      updatedFields.push(...(changed?.fields ?? []));
      if (
        !definition.is_multistage &&
        (changed?.fields.length || Object.keys(columns).some((column) => compiled.has(column)))
      ) {
        const steps = changed?.steps ?? (await trx.rows(listSteps(definition.id)));
        columns['calc_definition_json'] = compileDefinition(
          { ...definition, ...columns, interview_template_type: template },
          steps,
        );
      }
      if (columns['visibility'] !== undefined && definition.slug === null)
        columns['slug'] = slugFor(input.name ?? definition.name, definition.id, columns['visibility']);
      if (Object.keys(columns).length > 0)
        await trx.count(
          updateInterviewOrPosition(
            definition.is_multistage ? 'position' : 'interview',
            definition.id,
            columns,
          ),
        );
      if (updatedFields.length > 0)
        await trx.count(
          recordAuditEntry('job-interview-update', definition.id, { updated_fields: updatedFields }),
        );
      return {
        position_id: definition.id,
        is_multistage: definition.is_multistage,
        updated_fields: updatedFields,
        ...(changed?.report
          ? {
              questions_diff: {
                ...changed.report,
                reactivated: changed.fields.includes('questions') && wentLive(definition, input),
              },
            }
          : {}),
      };
    });
  },
});

const wentLive = ({ status }: LockedDefinition, input: InterviewUpdate): boolean =>
  status === 'active' && (input.status ?? status) === 'active';

/** Locks and returns the definition or position with this id, which the field `named` has. Throws 404 if there is none. */
export async function lockDefinition(
  trx: Transaction,
  id: string,
  named = 'position_id',
): Promise<LockedDefinition> {
  const interview = await trx.maybeOne(lockInterview(id));
  if (interview) return interview;
  const position = await trx.maybeOne(lockPosition(id));
  if (position) return position;
  throw new ApiError('not_found', `There is no interview or position with this ${named}.`, named);
}

async function templateType(
  trx: Transaction,
  interview: LockedInterview,
  columns: Record<string, unknown>,
): Promise<string | null> {
  const templateId = columns['interview_template_id'];
  if (typeof templateId !== 'string') return interview.interview_template_type;
  const template = await trx.maybeOne(findTemplateType(templateId));
  return template?.type ?? null;
}
