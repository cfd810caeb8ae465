import { z } from 'zod';
import type { Role } from '../../db/platform/vocabulary';
import { text } from '../platform/operation/vocabulary';

/* What the operations that follow a feed have in common. */

/** The roles that may copy a whole account. */
export const mirrorRoles: readonly Role[] = ['merchant_owner', 'admin'];

export const cursorField = text(2000).optional().meta({
  description: 'The `cursor` of the last reply, unchanged. Left out: from the beginning.',
});
export const cursorReply = z
  .string()
  .meta({ description: 'What to send with the next call. It says nothing that a client could read.' });
export const hasMore = z
  .boolean()
  .meta({ description: 'True if there is more to read now. False if this was all.' });
export const lagMs = z.int().meta({
  description:
    'How long the oldest change has waited that cannot be returned yet, for example because a transaction that began before it is still running. 0 if none waits.',
});
