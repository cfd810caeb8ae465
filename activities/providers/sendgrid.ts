import { setTimeout as sleep } from 'node:timers/promises';
import sendgridClient from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { z } from 'zod';
import { toSendgridMail } from './outgoing-mail';
import type { OutgoingMail } from './outgoing-mail';
import { ProviderError } from './provider-error';
import { readRetryAfter } from './retry-after';

type MailService = typeof sendgrid;
// The packages export these classes, but their type declarations contain only the singletons.
const { MailService } = sendgrid as unknown as { MailService: new () => MailService };
const { Client } = sendgridClient as unknown as { Client: new () => typeof sendgridClient };

type MailerSettings = {
  apiKey: string;
  /** The default is SendGrid's own address. */
  baseUrl: string | undefined;
  fromAddress: string;
  /** The rate limit of this process. */
  mailsPerSecond: number;
  /** The time limit of one call, from its first byte to the last byte of the response. */
  timeoutMs?: number;
};

export type Mailer = ReturnType<typeof createMailer>;

/** Mails wait at most this long for the rate limit, because callers have deadlines of their own. */
const limitWaitMs = 5_000;

/**
 * A client for SendGrid's v3 mail API. The package's retries are not used, because Temporal retries. Throws
 * ProviderError, never the package's errors, which contain the mail. The error's kind is `rejected` if the mail or its
 * address is invalid.
 */
export function createMailer(settings: MailerSettings) {
  const { mailsPerSecond, timeoutMs = 10_000 } = settings;
  const takeTurn = createTurns(mailsPerSecond);

  return {
    /**
     * Sends one mail. Waits at most 5 s for the rate limit, and then makes one call of at most 10 s. `signal` ends
     * both early.
     */
    send: async (mail: OutgoingMail, signal: AbortSignal): Promise<{ message_id: string | null }> => {
      const composed = toSendgridMail(mail, settings.fromAddress);
      await takeTurn(signal);
      const deadline = AbortSignal.timeout(timeoutMs);
      const service = buildService(settings, AbortSignal.any([signal, deadline]));
      try {
        const [answer] = await service.send(composed);
        // SendGrid responds with 202 and no body when it accepts a mail for delivery. A 200 comes from its sandbox,
        // which sends nothing.
        if (answer.statusCode !== 202) throw ProviderError.ofStatus(provider, answer.statusCode);
        return { message_id: readMessageId(answer.headers) };
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        if (signal.aborted) throw new ProviderError(provider, 'cancelled');
        if (deadline.aborted) throw new ProviderError(provider, 'timeout');
        throw toProviderError(error);
      }
    },
  };
}

/** Returns a function that waits until fewer than `perSecond` turns were taken in the last second. */
function createTurns(perSecond: number): (signal: AbortSignal) => Promise<void> {
  const lastTurns: number[] = [];
  let count = 0;
  return async (signal) => {
    const now = performance.now();
    const at = Math.max(now, (lastTurns[count % perSecond] ?? -Infinity) + 1_000);
    if (at - now > limitWaitMs)
      throw new ProviderError(provider, '429', {
        retryAfterMs: limitWaitMs,
        message: 'too many mails are queued in this process',
      });
    lastTurns[count++ % perSecond] = at;
    // The mails of an activity share its signal, and Node warns about a signal with more than ten listeners.
    await sleep(at - now, undefined, { signal: AbortSignal.any([signal]) }).catch(() => {
      throw new ProviderError(provider, 'cancelled');
    });
  };
}

/**
 * Creates a service for each mail, because the package accepts an abort signal only as a default for all its requests.
 */
function buildService({ apiKey, baseUrl }: MailerSettings, signal: AbortSignal): MailService {
  const client = new Client();
  // setApiKey is not used, because it resets the base address and prints a warning for keys of another form.
  client.setDefaultHeader('Authorization', `Bearer ${apiKey}`);
  const request = {
    url: '',
    ...(baseUrl === undefined ? {} : { baseUrl }),
    signal,
    // Following a redirect or a proxy variable would send the mail to an address that is not configured.
    maxRedirects: 0,
    proxy: false,
    maxContentLength: 65_536,
  };
  client.setDefaultRequest(request);
  const service = new MailService();
  service.setClient(client);
  return service;
}

const messageId = z.object({ 'x-message-id': z.string().regex(/^[\w.-]{1,200}$/) });

function readMessageId(headers: unknown): string | null {
  const parsed = messageId.safeParse(headers);
  return parsed.success ? parsed.data['x-message-id'] : null;
}

const header = z.string().optional().catch(undefined);
const errorResponse = z.object({
  code: z.int(),
  response: z.object({
    headers: z.object({ 'retry-after': header, 'x-ratelimit-reset': header }),
    body: z.unknown(),
  }),
});
const firstError = z.object({ errors: z.tuple([z.object({ field: z.string() })], z.unknown()) });

/** Converts an error of the package. The text of the provider's response is left out, because it quotes addresses. */
function toProviderError(error: unknown): ProviderError {
  const parsed = errorResponse.safeParse(error);
  if (!parsed.success) return new ProviderError(provider, 'network');
  const { code: status, response } = parsed.data;
  if (status === 413) return rejected('the mail is too large for the mail provider');
  if (status === 400) {
    const body = firstError.safeParse(response.body);
    const field = body.success ? body.data.errors[0].field : '';
    return rejected(
      /^personalizations\b.*\bemail$/.test(field)
        ? 'the mail provider rejected the address'
        : 'the mail provider rejected the mail',
    );
  }
  const { 'retry-after': retryAfter = '', 'x-ratelimit-reset': reset = '' } = response.headers;
  // All other errors come from the provider or from our settings, such as a wrong key, so sending the mail again can
  // help.
  return ProviderError.ofStatus(provider, status, undefined, {
    retryable: true,
    retryAfterMs: readRetryAfter(retryAfter) ?? (status === 429 ? readReset(reset) : undefined),
  });
}

const provider = 'the mail provider';
const rejected = (message: string) => new ProviderError(provider, 'rejected', { retryable: false, message });

/**
 * Returns the time until the provider's limit resets. The header contains the time of the reset in seconds since 1970.
 */
function readReset(value: string): number | undefined {
  return /^\d{1,11}$/.test(value) ? Math.max(0, Number(value) * 1_000 - Date.now()) : undefined;
}
