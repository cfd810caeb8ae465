import type { z } from 'zod';
import type { ErrorItem } from './api-error';
import type { Call } from './call';
import type { OperationDeps } from '../../deps';
import type { Tag } from './tags';
import type { Environment, Role } from '../../../db/platform/vocabulary';
import type { WebhookTargets } from '../text/webhook-url';

/** What a check of an input needs to know beyond the input. */
export type CheckFacts = { environment: Environment; webhookTargets: WebhookTargets };

/** What an operation promises: its binding, its checks and its page of the OpenAPI document all come from this. */
export type Operation<Input extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> = {
  /** Path segment, operationId and file name. */
  name: string;
  method: 'GET' | 'POST';
  tag: Tag;
  summary: string;
  /** Markdown; it says what callers cannot see from the fields. */
  description: string;
  roles: readonly Role[];
  serviceKeys: boolean;
  /** False where an admin may go without a merchant; a function where the input, as it was sent, tells. */
  needsMerchant: boolean | ((input: unknown) => boolean);
  /** Query parameters of a GET, body of a POST. `merchant_id` is common to all and left out. */
  input: Input;
  /**
   * Finds errors that the schema cannot find, or finds only in an input without other errors. It gets the object that
   * was sent, with values of any type.
   */
  check?: (sent: Readonly<Record<string, unknown>>, facts: CheckFacts) => ErrorItem[];
  /** Other names of fields: alias → field. Both may be sent when they say the same. */
  aliases?: Readonly<Record<string, string>>;
  /** The list whose entries are validated one by one: a fault in one is told in its result and blocks no other. */
  rows?: string;
  /** What an entry of `rows` is parsed with. */
  row?: z.ZodType;
  /** A call that works once its ids are the caller's own; shown by the documentation. */
  example: z.input<Input>;
  reply: Reply;
  /** A reply as the operation sends it; shown by the documentation. */
  replyExample: z.input<Reply>;
  /** Statuses beyond those of every call, and beyond the 409 of an `Idempotency-Key` that is in use. */
  statuses: readonly (404 | 409)[];
  /** Does the work and answers it, or throws an `ApiError`. The reply is parsed by `reply` before it is sent. */
  handle(call: Call<z.output<Input>>, deps: OperationDeps): Promise<z.input<Reply>>;
};

/** Keeps the types of the two shapes. */
export const defineOperation = <Input extends z.ZodType, Reply extends z.ZodType>(
  operation: Operation<Input, Reply>,
): Operation<Input, Reply> => operation;

/** Refines an input: at least one of the fields must be sent. The error calls them `what` and names `listed` of them. */
export const sendsChange =
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

/** Every key that a call of the operation may have at its top level. */
export const callFields = ({ input, aliases = {} }: Operation): string[] => [
  ...Object.keys((input as z.ZodObject).shape),
  ...Object.keys(aliases),
  'merchant_id',
];

/** Whether this call needs a merchant; `input` is as it was sent, of any form. */
export const callNeedsMerchant = ({ needsMerchant }: Operation, input: unknown): boolean =>
  typeof needsMerchant === 'function' ? needsMerchant(input) : needsMerchant;

/** True of what asks for platform-wide directories, which are no merchant's. */
export const isPublic = (input: unknown): boolean =>
  typeof input === 'object' && input !== null && 'visibility' in input && input.visibility === 'public';
