import sendgridClient from '@sendgrid/client';
import sendgrid from '@sendgrid/mail';
import { RateLimiterMemory, RateLimiterQueue, RateLimiterQueueError } from 'rate-limiter-flexible';
import { z } from 'zod';
import { toSendgridMail } from './outgoing-mail';
import type { OutgoingMail } from './outgoing-mail';
import { readRetryAfter } from './retry-after';

type MailService = typeof sendgrid;
// The packages' types leave out the classes that stand beside their singletons.
const { MailService } = sendgrid as unknown as { MailService: new () => MailService };
const { Client } = sendgridClient as unknown as { Client: new () => typeof sendgridClient };

export type MailerSettings = {
  apiKey: string;
  /** SendGrid's own address when left out. */
  baseUrl: string | undefined;
  fromAddress: string;
  /** Of this process. */
  mailsPerSecond: number;
  /** Of one call, from its first byte to the last of the answer. */
  timeoutMs?: number;
};

/** The mail or its address is no good: asking again is no use. The message holds nothing of either. */
export class MailRejected extends Error {}

/**
 * Asking again may help. The mail is perhaps sent all the same: an answer can be lost. `retryAfterMs` as the
 * provider asked.
 */
export class MailProviderUnavailable extends Error {
  constructor(
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export type Mailer = ReturnType<typeof createMailer>;

/** Mails wait at most this long for their turn: callers have deadlines of their own. */
const limitWaitSeconds = 5;

/**
 * SendGrid's v3 mail sending. The package retries nothing: Temporal retries, in one place. Throws MailRejected or
 * MailProviderUnavailable, never the package's errors: those hold the mail.
 */
export function createMailer(settings: MailerSettings) {
  const { mailsPerSecond, timeoutMs = 10_000 } = settings;
  const turns = new RateLimiterQueue(new RateLimiterMemory({ points: mailsPerSecond, duration: 1 }), {
    maxQueueSize: mailsPerSecond * limitWaitSeconds,
  });

  return {
    /** One mail: at most 5 s of waiting for its turn and one call of at most 10 s, ended early by `signal`. */
    send: async (mail: OutgoingMail, signal: AbortSignal): Promise<{ message_id: string | null }> => {
      const composed = toSendgridMail(mail, settings.fromAddress);
      await takeTurn(turns);
      const deadline = AbortSignal.timeout(timeoutMs);
      const service = buildService(settings, AbortSignal.any([signal, deadline]));
      try {
        const [answer] = await service.send(composed);
        // 202 is the promise to deliver, and has no body to look at. 200 is what a sandbox answers.
        if (answer.statusCode !== 202)
          throw new MailProviderUnavailable(`the mail provider answered ${answer.statusCode}`);
        return { message_id: readMessageId(answer.headers) };
      } catch (error) {
        if (error instanceof MailProviderUnavailable) throw error;
        if (signal.aborted) throw new MailProviderUnavailable('the call was broken off');
        if (deadline.aborted) throw new MailProviderUnavailable('the mail provider did not answer in time');
        throw toFailure(error);
      }
    },
  };
}

async function takeTurn(turns: RateLimiterQueue): Promise<void> {
  try {
    await turns.removeTokens(1);
  } catch (error) {
    if (!(error instanceof RateLimiterQueueError)) throw error;
    throw new MailProviderUnavailable('too many mails wait for their turn', limitWaitSeconds * 1_000);
  }
}

/** A service for each mail: the package takes a signal only as a default of all its requests. */
function buildService({ apiKey, baseUrl }: MailerSettings, signal: AbortSignal): MailService {
  const client = new Client();
  // Not setApiKey: it resets the base address, and prints a warning for keys of another form.
  client.setDefaultHeader('Authorization', `Bearer ${apiKey}`);
  const request = {
    url: '',
    ...(baseUrl === undefined ? {} : { baseUrl }),
    signal,
    // A redirect would carry the mail to an address that nobody configured, and so would a proxy variable.
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
const refusal = z.object({
  code: z.int(),
  response: z.object({
    headers: z.object({ 'retry-after': header, 'x-ratelimit-reset': header }),
    body: z.unknown(),
  }),
});
const firstError = z.object({ errors: z.tuple([z.object({ field: z.string() })], z.unknown()) });

/** What the provider says in words is left out: it quotes addresses. */
function toFailure(error: unknown): MailRejected | MailProviderUnavailable {
  const parsed = refusal.safeParse(error);
  if (!parsed.success) return new MailProviderUnavailable('the mail provider cannot be reached');
  const { code: status, response } = parsed.data;
  if (status === 413) return new MailRejected('the mail is too large for the mail provider');
  if (status === 400) {
    const told = firstError.safeParse(response.body);
    const field = told.success ? told.data.errors[0].field : '';
    return new MailRejected(
      /^personalizations\b.*\bemail$/.test(field)
        ? 'the mail provider does not take this address'
        : 'the mail provider does not take this mail',
    );
  }
  const { 'retry-after': retryAfter = '', 'x-ratelimit-reset': reset = '' } = response.headers;
  return new MailProviderUnavailable(
    `the mail provider answered ${status}`,
    readRetryAfter(retryAfter) ?? (status === 429 ? readReset(reset) : undefined),
  );
}

/** The second of Unix time in which the provider's limit begins anew. */
function readReset(value: string): number | undefined {
  return /^\d{1,11}$/.test(value) ? Math.max(0, Number(value) * 1_000 - Date.now()) : undefined;
}
