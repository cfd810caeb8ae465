import type { z } from 'zod';
import type { Requester, Transaction } from '../../../db/platform/database';

/** How `GET /sync` reads objects of one kind. Each domain exports its kinds in `public.ts`. */
export type MirroredKind<Body extends z.ZodType = z.ZodType> = {
  /** The schema of the operation that reads such an object. */
  body: Body;
  /** True if service keys may read such objects. */
  serviceKeys: boolean;
  /** Returns the bodies of those objects that the caller can read, by their ids. */
  read(
    trx: Transaction,
    ids: readonly string[],
    facts: { caller: Requester; consoleUrl: string },
  ): Promise<Map<string, z.input<Body>>>;
};

/** Returns the kind unchanged. TypeScript infers the type of its bodies from the schema. */
export const defineMirrored = <Body extends z.ZodType>(kind: MirroredKind<Body>): MirroredKind<Body> => kind;
