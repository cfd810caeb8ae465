import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { readCompletion } from './completion';
import type { ModelAnswer } from './completion';

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

const number = /^\d+(\.\d+)?(e\d+)?$/i;
const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .+$/i;

/**
 * `Retry-After` in seconds or as a date, and the provider's finer `retry-after-ms`, in whole milliseconds; a date
 * that is over is 0. Undefined for whatever else stands there.
 */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const milliseconds = headers?.get('retry-after-ms')?.trim() ?? '';
  if (number.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const value = headers?.get('retry-after')?.trim() ?? '';
  if (number.test(value)) return Math.ceil(Number(value) * 1000);
  if (!httpDate.test(value)) return undefined;
  // The oldest of the three forms names no zone and means GMT.
  const waitMs = Date.parse(/gmt$/i.test(value) ? value : `${value} GMT`) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
