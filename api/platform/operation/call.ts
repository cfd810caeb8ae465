import type { Caller, Requester, Transaction } from '../../../db/platform/database';

/** The arguments of a handler: the parsed input, the caller, and its write transaction. */
export type Call<Input, Who extends Caller = Requester> = {
  input: Input;
  caller: Who;
  /** The body of a PUT. Empty for other methods. */
  bytes: Buffer;
  /** Aborts when the caller has closed the connection. */
  signal: AbortSignal;
  /** When the request arrived, as returned by `Date.now()`. */
  receivedAt: number;
  /** Makes a reply that is not JSON a download with this name. */
  nameFile?: (name: string) => void;
  /** Set if the caller sent an Idempotency-Key. A create operation uses it as the id of what it creates. */
  idempotencyId: string | undefined;
  /**
   * Runs the write transaction that returns the reply. If the caller sent an Idempotency-Key, the same transaction
   * stores the reply.
   */
  write: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
  /**
   * Throws 412 if the caller sent `If-Match` and the object is no longer what it has read. Called in the transaction of
   * `write`, after the object is locked, or with the `lock` that is needed only for this.
   */
  requireMatch: (trx: Transaction, lock?: () => Promise<unknown>) => Promise<void>;
};
