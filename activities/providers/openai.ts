import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { readCompletion } from './completion';
import type { ModelAnswer } from './completion';
import { decimalNumber, readRetryAfter } from './retry-after';

export type ModelSettings = { apiKey: string; baseUrl: string | undefined; model: string };
export type ModelMessage = ChatCompletionMessageParam;

/** Why the model gave no answer. `retryAfterMs` as the provider asked; `retryable` false: asking again is no use. */
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
 * The chat completions of any OpenAI-compatible server, with structured output. The package's own retries are
 * off: Temporal retries, in one place. Throws ModelUnavailable, never with text of the prompt in it.
 */
export function createModel({ apiKey, baseUrl, model }: ModelSettings) {
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });

  return {
    name: model,

    /** One call of at most `timeoutMs`, ended early by `signal`. `schema` is JSON schema in strict form. */
    complete: async (request: {
      name: string;
      schema: Record<string, unknown>;
      messages: ModelMessage[];
      timeoutMs: number;
      signal: AbortSignal;
    }): Promise<ModelAnswer> => {
      // The package's timeout ends when the headers are there; this one covers the body too.
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

/** What the provider asked to wait: `Retry-After`, or its own finer `retry-after-ms`. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms')?.trim() ?? '';
  if (decimalNumber.test(milliseconds)) return Math.ceil(Number(milliseconds));
  return readRetryAfter(headers?.get('retry-after') ?? '');
}
