import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { readCompletion } from './completion';
import type { ModelAnswer } from './completion';
import { decimalNumber, readRetryAfter } from './retry-after';

export type ModelSettings = { apiKey: string; baseUrl: string | undefined; model: string };
export type ModelMessage = ChatCompletionMessageParam;

/**
 * The model gave no answer. `retryAfterMs` is the wait that the provider asked for. If `retryable` is false, retrying
 * does not help.
 */
export class ModelUnavailable extends Error {
  constructor(
    message: string,
    readonly retryable: boolean,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export type Model = ReturnType<typeof createModel>;

/**
 * A client for chat completions with structured output on any OpenAI-compatible server. The package's own retries are
 * off, because Temporal retries. Throws ModelUnavailable, which never contains text of the prompt.
 */
export function createModel({ apiKey, baseUrl, model }: ModelSettings) {
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });

  return {
    name: model,

    /**
     * Makes one call that takes at most `timeoutMs`. `signal` ends it early. `schema` is a JSON schema in strict
     * form.
     */
    complete: async (request: {
      name: string;
      schema: Record<string, unknown>;
      messages: ModelMessage[];
      timeoutMs: number;
      signal: AbortSignal;
    }): Promise<ModelAnswer> => {
      // The package's timeout ends when the headers arrive. This deadline includes the body.
      const deadline = AbortSignal.timeout(request.timeoutMs);
      try {
        const response = await client.chat.completions
          .create(
            {
              model,
              messages: request.messages,
              response_format: {
                type: 'json_schema',
                json_schema: { name: request.name, strict: true, schema: request.schema },
              },
            },
            { signal: AbortSignal.any([request.signal, deadline]), timeout: request.timeoutMs },
          )
          .asResponse();
        return readCompletion(await response.text(), model);
      } catch (error) {
        if (deadline.aborted || error instanceof APIConnectionTimeoutError)
          throw new ModelUnavailable('the model did not answer in time', true);
        throw toUnavailable(error);
      }
    },
  };
}

function toUnavailable(error: unknown): ModelUnavailable {
  if (!(error instanceof APIError)) return new ModelUnavailable('the model broke off its answer', true);
  const { status } = error;
  if (status === undefined) return new ModelUnavailable('the model cannot be reached', true);
  const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
  return new ModelUnavailable(`the model answered ${status}`, retryable, retryAfterMs(error.headers));
}

/** Returns the wait that the provider asked for, from `Retry-After` or from its own more precise `retry-after-ms`. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms')?.trim() ?? '';
  if (decimalNumber.test(milliseconds)) return Math.ceil(Number(milliseconds));
  return readRetryAfter(headers?.get('retry-after') ?? '');
}
