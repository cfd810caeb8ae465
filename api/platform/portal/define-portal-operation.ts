import { z } from 'zod';
import type { Caller, Meter } from '../../../db/platform/database';
import type { InterviewLink, Opened } from '../../../db/platform/link-tokens';
import type { OperationDeps } from '../../deps';
import type { Contract } from '../operation/define-operation';

/**
 * The content of a correctly signed `interview_token`. `domain` is the portal domain of the request, or null at the
 * deployment's own portal. Only the database knows whether the link is still valid and works at this portal.
 */
export type LinkCredential = Opened<InterviewLink> & { domain: string | null };

/** The caller of database functions for a request with a candidate's link. */
export type LinkCaller = Extract<Caller, { kind: 'interview_link' }>;

/** Returns the caller for a candidate's link. The first statement of a transaction checks that the link still works. */
export const linkCaller = (
  { enrolmentId, interviewId, generation, isTest, domain }: LinkCredential,
  meter: Meter,
): LinkCaller => ({ kind: 'interview_link', enrolmentId, interviewId, generation, isTest, domain, meter });

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
  /** The most calls per minute with one link. Operations with the same limit are counted together. */
  callsPerMinute: number;
  /** The size limit of a PUT's body, in bytes. The input of a PUT is in its query. */
  maxBytes?: number;
  /** Set if the reply is a file of this type instead of JSON. The `reply` schema is then `fileReply`. */
  replyType?: 'audio/mpeg';
  /** The statuses of this operation, in addition to those of every operation. */
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

/**
 * Returns the operation with the default of `callsPerMinute` unless it sets its own. TypeScript infers the schemas'
 * types.
 */
export const definePortalOperation = <Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Omit<PortalOperation<Input, Reply>, 'takesMerchantId' | 'callsPerMinute'> & {
    callsPerMinute?: number;
  },
): PortalOperation<Input, Reply> => ({ callsPerMinute, ...operation, takesMerchantId: false });
