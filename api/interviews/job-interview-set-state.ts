import type { z } from 'zod';
import { ApiError } from '../platform/operation/api-error';
import type { jobInterviewSetState } from './job-interview-set-state.contract';
import { recordAct } from '../../db/platform/audit';
import { findEmbedKey, generateEmbedKey, revokeEmbedKey } from '../../db/interviews/embed-keys';
import { updateColumns } from '../../db/interviews/interview-updates';
import type { Handler } from '../platform/http/bind-operation';
import type { OperationDeps } from '../deps';
import { lockDefinition } from './job-interview-update';

type Contract = typeof jobInterviewSetState;

/** Sets the status, and creates or revokes the embed key (docs/interviews.md#status-and-embed-keys). */
export const setInterviewState: Handler<
  z.output<Contract['input']>,
  z.input<Contract['reply']>,
  OperationDeps
> = ({ input, write }, { seal }) =>
  write(async (trx) => {
    const definition = await lockDefinition(trx, input.position_id);
    if (definition.is_multistage && input.is_embedded !== undefined)
      throw new ApiError(
        'not_applicable',
        'is_embedded belongs to interview definitions, this id is a position',
        'is_embedded',
      );
    const revoked = input.is_embedded === false ? await trx.count(revokeEmbedKey(definition.id)) : 0;
    const existing = input.is_embedded ? await trx.maybeOne(findEmbedKey(definition.id)) : undefined;
    const made =
      input.is_embedded && !existing ? generateEmbedKey(seal, definition, definition.id) : undefined;
    if (made) await trx.count(made.insert);
    const status = input.status === definition.status ? undefined : input.status;
    if (status !== undefined)
      await trx.count(
        updateColumns(definition.is_multistage ? 'position' : 'interview', definition.id, {
          status,
        }),
      );
    const embed_key = made ? 'made' : revoked > 0 ? 'revoked' : undefined;
    if (status !== undefined || embed_key !== undefined)
      await trx.count(recordAct('job-interview-set-state', definition.id, { status, embed_key }));
    return made ? made.key : { success: true as const };
  });
