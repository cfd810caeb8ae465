import { z } from 'zod';
import type { Seal } from '../../db/platform/sealed';
import { ApiError } from '../platform/operation/api-error';

/** What a cursor belongs to. With another one of these, it has expired. */
export type CursorScope = { merchant_id: string; environment: string; generation: string; of: string };

const place = z.object({
  scope: z.array(z.string()).length(4),
  tx: z.string(),
  object: z.string(),
  id: z.string(),
  /** When its reader last knew everything, or began. Deletions before then cannot concern the reader. */
  since: z.number(),
});
export type CursorPlace = Omit<z.output<typeof place>, 'scope'>;
/** A cursor that was opened. What it belongs to is compared later (`requireCursorScope`). */
export type Cursor = z.output<typeof place>;

const context = 'sync cursor';
const list = ({ merchant_id, environment, generation, of }: CursorScope) => [
  merchant_id,
  environment,
  generation,
  of,
];

/** Seals a place, so that callers can neither read nor change it. */
export const sealCursor = (seal: Seal, scope: CursorScope, { tx, object, id, since }: CursorPlace): string =>
  seal.seal(JSON.stringify({ scope: list(scope), tx, object, id, since }), context).toString('base64url');

/**
 * Opens a cursor. Throws a 422 if it is none that `sealCursor` has made, and a 410 if it is of another operation or list,
 * whose places this one cannot look for.
 */
export function openCursor(seal: Seal, sealed: string, of: string): Cursor {
  let cursor: Cursor;
  try {
    cursor = place.parse(JSON.parse(seal.open(Buffer.from(sealed, 'base64url'), context)));
  } catch {
    throw new ApiError(
      'invalid_value',
      'cursor must be one that this operation has returned, unchanged. Leave it out to begin.',
      'cursor',
    );
  }
  if (cursor.scope.at(-1) !== of) throw expired();
  return cursor;
}

/** Throws a 410 if the cursor belongs to something else, or if its reader was away for longer than `keptDays`. */
export function requireCursorScope(cursor: Cursor, scope: CursorScope, now: number, keptDays: number): void {
  const expected = list(scope);
  if (
    expected.some((each, index) => each !== cursor.scope[index]) ||
    cursor.since < now - keptDays * 86_400_000
  )
    throw expired();
}

const expired = () =>
  new ApiError(
    'sync_cursor_expired',
    'This cursor has expired, or belongs to another account, environment or list of objects. Begin again without a cursor.',
    'cursor',
  );
