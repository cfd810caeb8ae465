import { z } from 'zod';
import type { Caller, LinkCaller, Requester, Transaction } from '../../../db/platform/database';
import type { Environment, Role } from '../../../db/platform/vocabulary';
import type { OperationDeps } from '../../deps';
import type { WebhookTargets } from '../text/webhook-url';
import type { ErrorItem } from './api-error';
import type { Call } from './call';
import type { Tag } from './tags';

/** The settings that an operation's `check` needs in addition to the input. */
export type CheckFacts = { environment: Environment; webhookTargets: WebhookTargets };

/**
 * What a call may send and what reply it gets. The route, the checks and the OpenAPI description are derived from the
 * contract, for operations of the API and of the portal.
 */
export type Contract<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Who extends Caller = Caller,
> = {
  /** The name is also the path segment, the operationId and the file name. */
  name: string;
  method: 'GET' | 'POST' | 'PUT';
  summary: string;
  /** Markdown for callers that explains what the fields alone do not show. */
  description: string;
  /** The query parameters, or the body of a POST. */
  input: Input;
  /**
   * Other names of fields, keyed by the other name. A call may send a field under both names if the values are equal.
   */
  aliases?: Readonly<Record<string, string>>;
  /**
   * The name of the list whose entries are validated one by one. An error in an entry is reported in the result of that
   * entry only.
   */
  rows?: string;
  /**
   * Fields in which the operation validates texts and numbers itself, because its own errors tell callers how to
   * repair them. In these fields, a number that is not finite arrives as null.
   */
  validates?: readonly string[];
  /** The schema of an entry of `rows`. */
  row?: z.ZodType;
  /**
   * Finds errors that the schema does not find, or finds only if the input has no other errors. `sent` is the object
   * as it was sent, so its values can have any type.
   */
  check?: (sent: Readonly<Record<string, unknown>>, facts: CheckFacts) => ErrorItem[];
  /** Set for operations of the portal. All others accept `merchant_id` in addition to the fields of `input`. */
  caller?: 'candidate';
  /** True for a POST that stores nothing. Its calls need no `Idempotency-Key`, so the header is ignored. */
  isRead?: true;
  /** The size limit of the body of a PUT, in bytes. The input of a PUT is in its query. */
  maxBytes?: number;
  /**
   * The read, and its input, whose `ETag` the `If-Match` header of a call has. The handler calls `requireMatch` after it
   * has locked the object. Without `reads`, calls with this header get a 412.
   */
  reads?(input: z.output<Input>): { operation: Contract; input: unknown };
  /** The example of a call in the documentation. It works if the caller replaces the ids. */
  example: z.input<Input>;
  reply: Reply;
  /** Set if the reply is a text or a file of this type instead of JSON. `reply` is then a string or `fileReply`. */
  replyType?: 'text/csv' | 'audio/mpeg' | 'video/mp4';
  /** The example of a reply in the documentation. */
  replyExample: z.input<Reply>;
  /**
   * The statuses of this operation that not every operation has. The 409 for an `Idempotency-Key` in use is not listed
   * here. A 204 is the reply if a file is empty.
   */
  statuses: readonly (204 | 404 | 409 | 410)[];
  /**
   * Does the work and returns the reply, or throws an `ApiError`. The reply is parsed with the `reply` schema before it
   * is sent.
   */
  handle(call: Call<z.output<Input>, Who>, deps: OperationDeps): Promise<z.input<Reply>>;
};

/** An operation of the API, at `/v1/<name>`. */
export type Operation<Input extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> = Contract<
  Input,
  Reply,
  Requester
> & {
  caller?: never;
  method: 'GET' | 'POST';
  tag: Tag;
  roles: readonly Role[];
  /**
   * Whether service keys may call the operation. `platform`: only keys of the platform, which the database checks; the
   * roles are then those of platform admins only.
   */
  serviceKeys: boolean | 'platform';
  /**
   * False if an admin may call the operation without a merchant, and if `serviceKeys` is `platform`, such a key too. A
   * function if this depends on the call: its argument is the input as it was sent.
   */
  needsMerchant: boolean | ((input: unknown) => boolean);
  /**
   * Throws a 403 if the caller's account does not include the operation. It is called before the errors of fields are
   * returned. The handler checks it again, in its own transaction.
   */
  requireAccount?: (trx: Transaction) => Promise<unknown>;
  statuses: readonly (404 | 409 | 410)[];
};

/** An operation for candidates, at `/portal/v1/<name>` (docs/taking.md#operations-of-the-portal). */
export type PortalOperation<
  Input extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> = Contract<Input, Reply, LinkCaller> & {
  caller: 'candidate';
  /** The most calls per minute with one link. Operations with the same limit are counted together. */
  callsPerMinute?: number;
};

/** Returns how many calls per minute a link can make of this operation and others with the same limit. */
export const callsPerMinuteOf = ({ callsPerMinute = 60 }: PortalOperation): number => callsPerMinute;

/** The reply of an operation that returns a file. */
export const fileReply = z.instanceof(Buffer);

/** Returns the operation unchanged. TypeScript infers the types of its input and reply schemas from the call. */
export function defineOperation<Input extends z.ZodType, Reply extends z.ZodType>(
  operation: PortalOperation<Input, Reply>,
): PortalOperation<Input, Reply>;
export function defineOperation<Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
): Operation<Input, Reply>;
export function defineOperation(operation: Contract): Contract {
  return operation;
}

/**
 * Returns a refinement that requires at least one of `fields`. Its error message lists the fields in `listed` and
 * calls them `what`.
 */
export const requireOneOf =
  <Field extends string>(
    fields: readonly Field[],
    listed: readonly Field[] = fields,
    what = 'field to change',
  ) =>
  (input: Partial<Record<Field, unknown>>, context: z.RefinementCtx): void => {
    if (fields.some((field) => input[field] !== undefined)) return;
    const error = `Send at least one ${what}: ${listed.join(', ')}`;
    context.addIssue({ code: 'custom', message: error, params: { code: 'nothing_to_change' } });
  };

/**
 * Returns the fields that the operation validates itself. Of these, only the shape is checked before the operation
 * runs.
 */
export const fieldsValidatedLater = ({ rows, validates = [] }: Contract): readonly string[] =>
  rows === undefined ? validates : [...validates, rows];

/** Returns every key that a call of the operation may have at the top level. */
export const acceptedFields = ({ input, aliases = {}, caller }: Contract): string[] => [
  ...new Set([
    ...Object.keys((input as z.ZodObject).shape),
    ...Object.keys(aliases),
    ...(caller === 'candidate' ? [] : ['merchant_id']),
  ]),
];

/** Returns true if this call needs a merchant. `input` is the input as it was sent and may have any shape. */
export const callNeedsMerchant = ({ needsMerchant }: Operation, input: unknown): boolean =>
  typeof needsMerchant === 'function' ? needsMerchant(input) : needsMerchant;

/**
 * Returns true if the input has the visibility `public`, which only platform-wide directories have. They belong to no
 * merchant.
 */
export const isPublic = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'visibility' in input && input.visibility === 'public';
