import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import type { OperationDeps } from '../../deps';
import { toApiError } from '../http/error-reply';
import { runJsonInput } from '../http/run-sent';
import { ApiError } from '../operation/api-error';
import { callNeedsMerchant } from '../operation/define-operation';
import type { Operation } from '../operation/define-operation';
import type { ConsoleVisitor } from './visitor';

/** Returns the reply of an operation, for a page that cannot be rendered without it. Throws the operation's error. */
export function replyOf<Reply>(answer: OperationResult<Reply>): Reply {
  if (answer.error) throw answer.error;
  return answer.reply;
}

export type OperationResult<Reply> =
  | { reply: Reply; error?: undefined }
  | { reply?: undefined; error: ApiError };

/**
 * Calls an API operation for a person in the console, with the same contract, checks and handler as a call of the
 * API. If the operation rejects the call (403, 404, 409, 422, 429), returns `error`, which the page shows next to the
 * form. Throws for an expired session and for internal errors. `key` is the Idempotency-Key of a form that may be
 * sent twice (`formKey`).
 */
export async function callOperation<Input extends z.ZodType, Reply extends z.ZodType>(
  deps: OperationDeps,
  visit: ConsoleVisitor,
  operation: Operation<Input, Reply>,
  input: z.input<Input>,
  { key }: { key?: string | undefined } = {},
): Promise<OperationResult<z.output<Reply>>> {
  const { session } = visit;
  const credential = {
    kind: 'user_session',
    profileId: session.profile_id,
    sessionId: session.session_id,
    role: session.role,
    merchantId: session.home_merchant_id,
    environment: session.environment,
  } as const;
  try {
    const run = () =>
      runJsonInput(deps, operation, {
        credential,
        input,
        key,
        toCaller: () => visit.caller(operation.roles, callNeedsMerchant(operation, input)),
        signal: visit.gone,
      });
    return { reply: await (key === undefined ? run() : afterTheFirst(run)) };
  } catch (failure) {
    const error = toApiError(failure);
    if (error.status === 401 || error.status >= 500) throw failure;
    return { error };
  }
}

/** Every call gets a reply within 60 s (docs/architecture.md#time-limits). */
const longestCallMs = 60_000;
const pollMs = 500;

/**
 * Repeats a call while an earlier one with the same key runs. A browser shows the reply to the last form, so a form that was
 * sent twice waits for the first one and gets the same reply.
 */
async function afterTheFirst<Reply>(run: () => Promise<Reply>): Promise<Reply> {
  const until = Date.now() + longestCallMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const isFirstRunning = error instanceof ApiError && error.code === 'idempotency_key_in_use';
      if (!isFirstRunning || Date.now() > until) throw error;
    }
    await sleep(pollMs);
  }
}
