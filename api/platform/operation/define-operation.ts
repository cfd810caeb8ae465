import type { z } from 'zod';
import type { ErrorItem } from './api-error';
import type { Call } from './call';
import type { OperationDeps } from '../../deps';
import type { Tag } from './tags';
import type { Environment, Role } from '../../../db/platform/vocabulary';
import type { WebhookTargets } from '../text/webhook-url';

/** What a check of an input needs to know in addition to the input. */
export type CheckFacts = { environment: Environment; webhookTargets: WebhookTargets };

/**
 * The contract of an operation. Its binding, its checks and its page of the OpenAPI document are all derived from it.
 */
export type Operation<Input extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> = {
  /** The path segment, operationId and file name. */
  name: string;
  method: 'GET' | 'POST';
  tag: Tag;
  summary: string;
  /** Markdown that explains what callers cannot see from the fields. */
  description: string;
  roles: readonly Role[];
  serviceKeys: boolean;
  /**
   * False if an admin may call the operation without a merchant; a function if that depends on the input as it was
   * sent.
   */
  needsMerchant: boolean | ((input: unknown) => boolean);
  /**
   * The query parameters of a GET or the body of a POST. Every operation has `merchant_id`, which is omitted here.
   */
  input: Input;
  /**
   * Finds errors that the schema cannot find, or can find only in an input without other errors. It gets the object
   * that was sent, with values of any type.
   */
  check?: (sent: Readonly<Record<string, unknown>>, facts: CheckFacts) => ErrorItem[];
  /** Other names of fields: alias → field. Both may be sent if their values are equal. */
  aliases?: Readonly<Record<string, string>>;
  /**
   * The list whose entries are validated one by one. An error in one entry is reported in its result and blocks no
   * other.
   */
  rows?: string;
  /** The schema of an entry of `rows`. */
  row?: z.ZodType;
  /** A call that works if the caller inserts ids of its own. The documentation shows it. */
  example: z.input<Input>;
  reply: Reply;
  /** A reply as the operation sends it. The documentation shows it. */
  replyExample: z.input<Reply>;
  /** Statuses in addition to those of every call and to the 409 of an `Idempotency-Key` that is in use. */
  statuses: readonly (404 | 409)[];
  /**
   * Does the work and returns the reply, or throws an `ApiError`. The `reply` schema parses the reply before it is
   * sent.
   */
  handle(call: Call<z.output<Input>>, deps: OperationDeps): Promise<z.input<Reply>>;
};

/** Infers and keeps the types of the two schemas. */
export const defineOperation = <Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
): Operation<Input, Reply> => operation;

/**
 * Refines an input so that at least one of the fields must be sent. The error calls them `what` and lists those in
 * `listed`.
 */
export const sendsChange =
  <Field extends string>(
    fields: readonly Field[],
    listed: readonly Field[] = fields,
    what = 'field to change',
  ) =>
  (input: Partial<Record<Field, unknown>>, context: z.RefinementCtx): void => {
    if (fields.some((field) => input[field] !== undefined)) return;
    const error = `Send at least one ${what}: ${listed.join(', ')}.`;
    context.addIssue({ code: 'custom', message: error, params: { code: 'nothing_to_change' } });
  };

/** Every key that a call of the operation may have at the top level. */
export const callFields = ({ input, aliases = {} }: Operation): string[] => [
  ...Object.keys((input as z.ZodObject).shape),
  ...Object.keys(aliases),
  'merchant_id',
];

/** Returns whether this call needs a merchant. `input` is as it was sent and may have any shape. */
export const callNeedsMerchant = ({ needsMerchant }: Operation, input: unknown): boolean =>
  typeof needsMerchant === 'function' ? needsMerchant(input) : needsMerchant;

/** Returns true for input that asks for platform-wide directories, which belong to no merchant. */
export const isPublic = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'visibility' in input && input.visibility === 'public';
