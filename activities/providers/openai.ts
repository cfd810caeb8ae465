import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { readCompletion } from './completion';
import type { ModelAnswer } from './completion';
import { ProviderError } from './provider-error';
import { readBody } from './read-body';
import { decimalNumber } from './retry-after';

type ModelSettings = { apiKey: string; baseUrl: string | undefined; model: string };
export type ModelMessage = ChatCompletionMessageParam;

/**
 * The size limit of a reply. The longest replies are drafts of interviews and many quotes, of about 100 KB. Parsing a
 * megabyte takes 10 ms.
 */
const maxReplyBytes = 1_048_576;

export type Model = ReturnType<typeof createModel>;

/**
 * A client for chat completions with structured output on any OpenAI-compatible server. The package's own retries are
 * off, because Temporal retries. Throws ProviderError.
 */
export function createModel({ apiKey, baseUrl, model }: ModelSettings) {
  const client = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });

  return {
    name: model,

    /**
     * Makes one call that takes at most `timeoutMs`. `signal` ends it early. `schema` is a JSON schema that meets the
     * rules of strict mode.
     */
    complete: async (request: {
      name: string;
      schema: Record<string, unknown>;
      messages: ModelMessage[];
      timeoutMs: number;
      signal: AbortSignal;
    }): Promise<ModelAnswer> => {
      // The package's own timeout covers the call only until the headers arrive. This deadline includes the body.
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
        const body = await readBody(response, maxReplyBytes, provider);
        return readCompletion(body.toString(), model);
      } catch (error) {
        throw toProviderError(error, deadline);
      }
    },
  };
}

const provider = 'the model';

/** Converts an error that a call of the package threw. `deadline` is the signal of the call's time limit. */
export function toProviderError(error: unknown, deadline: AbortSignal): ProviderError {
  if (error instanceof ProviderError) return error;
  if (deadline.aborted || error instanceof APIConnectionTimeoutError)
    return new ProviderError(provider, 'timeout');
  if (!(error instanceof APIError))
    return new ProviderError(provider, 'network', { message: 'the model ended its response early' });
  const { status, headers } = error;
  // The code is kept only if it is a single word, as the names of errors are. Other text could quote the request.
  const code = typeof error.code === 'string' && /^\w{1,60}$/.test(error.code) ? error.code : undefined;
  if (status === undefined) return new ProviderError(provider, 'network');
  // `retry-after-ms` is the provider's own header, which is more precise than `Retry-After`.
  const milliseconds = headers?.get('retry-after-ms')?.trim() ?? '';
  const own = decimalNumber.test(milliseconds) ? { retryAfterMs: Math.ceil(Number(milliseconds)) } : {};
  return ProviderError.ofStatus(provider, status, headers?.get('retry-after'), { ...own, code });
}
