import { z } from 'zod';
import {
  findEmbedKey,
  generateEmbedKey,
  revokeEmbedKey,
  setEmbedOrigins,
} from '../../db/interviews/embed-keys';
import { updateInterviewOrPosition } from '../../db/interviews/locked-definition';
import { recordAuditEntry } from '../../db/platform/audit';
import { ApiError } from '../platform/operation/api-error';
import { defineOperation, requireOneOf } from '../platform/operation/define-operation';
import { interviewIdAlias, optionalField, writers } from '../platform/operation/vocabulary';
import { embedOrigins } from './embed-origins';
import { fieldSchemas, interviewOrPositionId, subItemPhrase } from './interview-fields';
import { lockDefinition } from './job-interview-update';
import { validateStatus } from './validate-update';

export const jobInterviewSetState = defineOperation({
  name: 'job-interview-set-state',
  method: 'POST',
  tag: 'Interviews',
  summary: 'Set the status of a definition or position, or create or revoke its embed key',
  description: `Sets the status of an interview definition or a position, or creates or revokes the embed key of a definition. Any status can
follow any other, except that \`deleted\` is final: the id is not found from then on. A step of a position cannot be deleted until it is removed from the position.

\`is_embedded: true\` creates an embed key if there is none. Only that reply contains \`embed_id\` and \`embed_signing_key\`.
\`is_embedded: false\` revokes the key. In all other cases the reply is \`{"success": true}\`. Positions have no embed key.
\`embed_origins\` names the sites that may show the interview ([Embedding]({origin}/docs/embedding)).`,
  roles: writers,
  serviceKeys: true,
  needsMerchant: true,
  input: z
    .object({
      position_id: interviewOrPositionId,
      status: optionalField(fieldSchemas.status),
      is_embedded: optionalField(z.boolean()).meta({
        description: 'True creates an embed key if there is none, false revokes it.',
      }),
      embed_origins: optionalField(embedOrigins),
    })
    .superRefine(requireOneOf(['status', 'is_embedded', 'embed_origins'])),
  aliases: interviewIdAlias,
  example: { position_id: '01a1fcf7-b13e-74de-bd85-c2fc187618e1', status: 'archived' },
  reply: z.union([
    z.object({
      embed_id: z.string().meta({ description: 'Public id of the new embed key.' }),
      embed_signing_key: z
        .string()
        .meta({ description: 'The secret of the new embed key. It is shown only in this reply.' }),
    }),
    z.object({ success: z.literal(true).meta({ description: 'Always true.' }) }),
  ]),
  replyExample: { success: true },
  statuses: [404],
  /** Sets the status and creates or revokes the embed key (docs/interviews.md#status-and-embed-keys). */
  handle({ input, write }, { seal }) {
    return write(async (trx) => {
      const definition = await lockDefinition(trx, input.position_id);
      await validateStatus(trx, input.status, definition);
      const { is_embedded, embed_origins } = input;
      for (const name of ['is_embedded', 'embed_origins'] as const)
        if (definition.is_multistage && input[name] !== undefined)
          throw new ApiError(
            'not_applicable',
            `${name} applies to interview definitions only, and this id is a position.`,
            name,
          );
      if (is_embedded && definition['visibility'] === 'sub_item')
        throw new ApiError(
          'not_permitted_state',
          `is_embedded must not be true for an interview of visibility sub_item, which is ${subItemPhrase}.`,
          'is_embedded',
        );
      const revoked = is_embedded === false ? await trx.count(revokeEmbedKey(definition.id)) : 0;
      const existing = is_embedded ? await trx.maybeOne(findEmbedKey(definition.id)) : undefined;
      const made =
        is_embedded && !existing
          ? generateEmbedKey(seal, definition, definition.id, embed_origins)
          : undefined;
      if (made) await trx.count(made.insert);
      else if (embed_origins && (await trx.count(setEmbedOrigins(definition.id, embed_origins))) === 0)
        throw new ApiError(
          'not_applicable',
          'embed_origins needs an embed key: send is_embedded true.',
          'embed_origins',
        );
      const status = input.status === definition.status ? undefined : input.status;
      if (status !== undefined)
        await trx.count(
          updateInterviewOrPosition(definition.is_multistage ? 'position' : 'interview', definition.id, {
            status,
          }),
        );
      const embed_key = made ? 'made' : revoked > 0 ? 'revoked' : undefined;
      if (status !== undefined || embed_key !== undefined || embed_origins !== undefined)
        await trx.count(
          recordAuditEntry('job-interview-set-state', definition.id, { status, embed_key, embed_origins }),
        );
      return made ? made.key : { success: true as const };
    });
  },
});
