import type { Caller, RequestMeter, Requester } from '../../../db/platform/database';
import type { OperationDeps } from '../../deps';
import type { CheckFacts, Operation } from '../operation/define-operation';
import { checkRole } from './authenticate';
import type { Credential } from './credential';
import { toApiError } from './error-reply';
import { bodyLaneOf } from './large-bodies';
import type { ProvenCache } from './proven-credentials';
import { rateKey } from './rate-limit';
import type { Limit } from './rate-limit';
import type { SentInput } from './read-input';
import { toRequester } from './requester';

/** What the binder of operations does differently for each kind of credential. */
export type OperationAccess<Kind, Who extends Caller> = {
  proven: ProvenCache<Kind>;
  limit: Limit;
  /** Returns the key under which calls are counted and large bodies wait. */
  rateKey: (credential: Kind) => string;
  laneOf: (credential: Kind) => string;
  profileIdOf: (credential: Kind) => string | null;
  /** The size limit of a body of JSON, in bytes. */
  maxJsonBytes: number;
  /** True if calls can have an `Idempotency-Key`. */
  takesKeys: boolean;
  /** Returns the caller of transactions. Without `sent`, the body has not been read yet. */
  toCaller: (credential: Kind, meter: RequestMeter, sent?: SentInput) => Who;
  /**
   * Asks the database whether the credential is valid. Throws 401 if it is not. With `sent`, fields of the input are
   * wrong; then it also throws what is wrong with the account.
   */
  prove: (credential: Kind, caller: Who, sent?: SentInput) => Promise<unknown>;
  /** Throws what no input can change. */
  check: (credential: Kind, caller: Who, wasProven: boolean) => unknown;
  factsOf?: (credential: Kind) => CheckFacts;
  /** Notes a successful call. */
  noteUse?: (credential: Kind, callerId: string | null) => void;
};

/** The access of sessions and service keys to an operation of the API. */
export const callerAccess = (
  { database, proven, lastUse, webhookTargets }: OperationDeps,
  operation: Operation,
  limit: Limit,
): OperationAccess<Credential, Requester> => ({
  proven,
  limit,
  rateKey,
  laneOf: (credential) => bodyLaneOf(credential, proven.merchantOf(credential)),
  profileIdOf: (credential) => (credential.kind === 'user_session' ? credential.profileId : null),
  maxJsonBytes: 1_048_576,
  takesKeys: true,
  toCaller: (credential, meter, sent = { input: undefined, merchantId: null }) =>
    toRequester(credential, operation, sent, meter),
  prove: (_credential, caller, sent) =>
    database
      .read(caller, async (trx) => sent && operation.requireAccount?.(trx))
      .catch((refusal: unknown) => {
        // Before the body is read, a 403 or 422 can be wrong, because both can depend on the body; the handler's
        // transaction checks again. An unreadable body contains no `merchant_id`, and the 422 may only say that.
        const ignored = sent === undefined ? [403, 422] : sent.isUnreadable ? [422] : [];
        if (!ignored.includes(toApiError(refusal).status)) throw refusal;
      }),
  check: (credential) => checkRole(credential, operation),
  factsOf: ({ environment }) => ({ environment, webhookTargets }),
  noteUse: (credential, callerId) => {
    if (credential.kind === 'user_session') lastUse.note('session', credential.sessionId);
    else if (callerId) lastUse.note('service_key', callerId);
  },
});
