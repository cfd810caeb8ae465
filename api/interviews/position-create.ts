import { z } from 'zod';
import { checkReferences } from '../../db/interviews/interview-building';
import { insertPosition, listPositionSteps, recordStepChange } from '../../db/interviews/positions';
import { slugFor } from '../../db/interviews/slug';
import { recordAuditEntry } from '../../db/platform/audit';
import { defineOperation } from '../platform/operation/define-operation';
import { optionalField, uuid, writers } from '../platform/operation/vocabulary';
import { withoutUndefined } from '../platform/operation/without-undefined';
import { validateReferences } from './create-interview';
import { fieldSchemas, jobFields } from './interview-fields';
import { requireMessagesEnabled } from './messages-setting';
import { positionStep, positionStepsExample, stepIds, storeSteps } from './position-steps';

export const positionCreate = defineOperation({
  name: 'position-create',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Create a position with several interviews',
  description: `Creates a position: a job with one to ten interviews that candidates take in a fixed order. Each interview can be a step of one
position only. The position has the language of its first step.

The \`status\` and \`visibility\` of the position decide for all its steps. Give an interview the visibility \`sub_item\` if candidates may reach it only
through the position: it then cannot be registered for, invited to or embedded by itself. Register and invite candidates with the \`position_id\` as
\`interview_id\`; they begin at the first step, and enter the next one when they are advanced
(\`recruiter_go_next_round\` of \`job-interview-result-update\`). \`position-update-steps\` changes the steps, \`job-interview-update\` everything else.`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      name: fieldSchemas.name.meta({ description: 'Name of the position, as candidates see it.' }),
      location: fieldSchemas.location,
      status: fieldSchemas.status,
      visibility: fieldSchemas.visibility,
      steps: stepIds,
      code: optionalField(fieldSchemas.code),
      cover_image_url: optionalField(fieldSchemas.cover_image_url),
      description: optionalField(fieldSchemas.description),
      description_long: optionalField(fieldSchemas.description_long),
      ...jobFields,
    })
    .refine(({ status }) => status !== 'deleted', {
      path: ['status'],
      error: 'must not be deleted for a new position',
      params: { code: 'invalid_value' },
    })
    .refine(({ visibility }) => visibility !== 'sub_item', {
      path: ['visibility'],
      error: 'must not be sub_item for a position. Only interviews can be reached through a position',
      params: { code: 'not_applicable' },
    }),
  example: {
    name: 'Backend engineer',
    location: 'Amsterdam',
    status: 'active',
    visibility: 'merchant_invite',
    steps: positionStepsExample.map(({ interview_id }) => interview_id),
  },
  reply: z.object({
    position_id: uuid.meta({
      description: 'Id of the new position. Other operations also call it `interview_id`.',
    }),
    slug: z.string().nullable().meta({
      description:
        'The end of the address of its page on the portal, `<portal>/jobs/<slug>`. Null for the visibility `merchant_invite`.',
    }),
    steps: z.array(positionStep).meta({ description: 'The steps in their order.' }),
  }),
  replyExample: {
    position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e9',
    slug: null,
    steps: positionStepsExample,
  },
  statuses: [],
  /** Creates a position (docs/interviews.md#positions). */
  handle({ input, idempotencyId, write }, deps) {
    requireMessagesEnabled(deps, input.candidate_notification_channel);
    return write(async (trx) => {
      const references = await trx.one(checkReferences(null, null, input.recruiter_profile_id ?? null));
      validateReferences(references, { recruiter_profile_id: input.recruiter_profile_id });
      const id = idempotencyId ?? references.id;
      const slug = slugFor(input.name, id, input.visibility);
      const { location, description, description_long, hiring_for_company, steps, ...columns } = input;
      await trx.count(
        insertPosition({
          ...columns,
          id,
          slug,
          interview_location: location,
          description: description?.trim() ? description : null,
          interview_description_long: description_long?.trim() ? description_long : null,
          hiring_for_company: hiring_for_company && withoutUndefined(hiring_for_company),
        }),
      );
      const { language } = await storeSteps(trx, id, steps);
      await trx.count(recordStepChange(id, language, []));
      await trx.count(recordAuditEntry('position-create', id, { steps: steps.length }));
      return { position_id: id, slug, ...(await trx.one(listPositionSteps(id))) };
    });
  },
});
