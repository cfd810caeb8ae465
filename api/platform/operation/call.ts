import type { Requester, Transaction } from '../../../db/platform/database';

/** What a handler gets: the parsed input, the caller, and its write transaction. */
export type Call<Input> = {
  input: Input;
  caller: Requester;
  /** When the request came in, `Date.now()`. */
  receivedAt: number;
  /** Set when the caller sent an Idempotency-Key; the id a create gives to what it makes. */
  idempotencyId: string | undefined;
  /**
   * The write transaction whose value is the reply: where the caller sent an Idempotency-Key, the reply is kept
   * in this same transaction.
   */
  write: <T>(work: (trx: Transaction) => Promise<T>) => Promise<T>;
};
