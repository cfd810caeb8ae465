import { z } from 'zod';
import type { OperationDeps } from '../../deps';
import type { Caller, Meter } from '../../../db/platform/database';
import type { InterviewLink, Opened } from '../../../db/platform/link-tokens';
import type { Contract } from '../operation/define-operation';

/** What a verified `interview_token` says. Only the database knows whether the link still works. */
export type LinkCredential = Opened<InterviewLink>;

/** The database's view of a candidate's link. */
export type LinkCaller = Extract<Caller, { kind: 'interview_link' }>;

/** Returns what the first statement of a transaction has to prove for a link. */
export const linkCaller = (
  { enrolmentId, interviewId, generation, isTest }: LinkCredential,
  meter: Meter,
): LinkCaller => ({ kind: 'interview_link', enrolmentId, interviewId, generation, isTest, meter });

/** The arguments of a handler: the parsed input and the candidate's link. */
export type PortalCall<Input> = {
  input: Input;
  link: LinkCredential;
  caller: LinkCaller;
  /** The body of a PUT. Empty for other methods. */
  bytes: Buffer;
  /** Aborts when the caller has closed the connection. */
  signal: AbortSignal;
  /** When the request arrived, as returned by `Date.now()`. */
  receivedAt: number;
};

/** An operation for candidates, at `/portal/v1/<name>` (docs/taking.md#operations-of-the-portal). */
export type PortalOperation<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = Contract<Input, Reply> & {
  takesMerchantId: false;
  /** The most calls a minute of one link. Operations with the same limit are counted together. */
  callsPerMinute: number;
  /** The most bytes of the body of a PUT. Its input is in the query. */
  maxBytes?: number;
  /** Set if the reply is a file of this type instead of JSON. Its schema is `fileReply`. */
  replyType?: 'audio/mpeg';
  /** The statuses of this operation, in addition to those of every call. */
  statuses: readonly (204 | 404 | 409 | 410)[];
  /**
   * Does the work and returns the reply, null for a 204, or throws an `ApiError`. The reply is parsed with the `reply`
   * schema before it is sent.
   */
  handle(call: PortalCall<z.output<Input>>, deps: OperationDeps): Promise<z.input<Reply> | null>;
};

/** The reply of an operation that returns a file. */
export const fileReply = z.instanceof(Buffer);

const callsPerMinute = 60;

/** Returns the operation with the limit of most operations, unless it has its own. The call infers the two schemas. */
export const definePortalOperation = <Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Omit<PortalOperation<Input, Reply>, 'takesMerchantId' | 'callsPerMinute'> & {
    callsPerMinute?: number;
  },
): PortalOperation<Input, Reply> => ({ callsPerMinute, ...operation, takesMerchantId: false });
