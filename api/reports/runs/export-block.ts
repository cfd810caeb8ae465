import { ApiError } from '../../platform/operation/api-error';
import { writeCsv } from './csv';
import type { BlockReply } from './run-report';

/** Returns the only block of a run as CSV. Throws a 422 if the block has no data. */
export function exportBlock([block]: readonly BlockReply[]): string {
  if (!block?.ok || block.type === 'text')
    throw new ApiError(
      'invalid_value',
      block?.error ??
        'block_id must be the id of a block of this report that shows data, not of a text block.',
      'block_id',
    );
  return writeCsv(block.columns, block.rows as Parameters<typeof writeCsv>[1]);
}
