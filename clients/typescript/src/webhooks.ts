import type { WebhookPayload } from './generated/types.js';

/** The body of `sync.changed`: something has changed that `client.sync` returns. */
export type SyncChangedPayload = {
  type: 'sync.changed';
  /** Time of this attempt. */
  timestamp: string;
  is_test: boolean;
  is_replay: boolean;
};
export type WebhookBody = WebhookPayload | SyncChangedPayload;
export type WebhookEventName = WebhookBody['type'];

/** The headers of a request: `Headers`, or the object of Node's `request.headers`. */
export type WebhookHeaders =
  | { get: (name: string) => string | null }
  | Record<string, string | string[] | undefined>;

/** A function per event. `other` takes the events that have none, also those that are newer than this package. */
export type WebhookHandlers = Partial<
  Record<WebhookPayload['type'], (event: WebhookPayload) => unknown> & {
    'sync.changed': (event: SyncChangedPayload) => unknown;
    other: (event: WebhookBody) => unknown;
  }
>;

/** The request was not signed with this secret, or not within the last five minutes. Reply 400. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

const toleranceSeconds = 300;

/**
 * Verifies a webhook (https://www.standardwebhooks.com) and returns its event. `body` is the text or the bytes as they
 * arrived, and `secret` the `signing_secret` of the endpoint. Throws a `WebhookSignatureError`.
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookBody> {
  const read = (name: string): string => {
    const value =
      typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
    if (typeof value !== 'string' || value === '')
      throw new WebhookSignatureError(`The header ${name} is missing.`);
    return value;
  };
  const [id, timestamp, signatures] = [
    read('webhook-id'),
    read('webhook-timestamp'),
    read('webhook-signature'),
  ];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookSignatureError('The header webhook-timestamp is more than five minutes from now.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const key = await importKey(secret);
  const content = encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',');
    if (version !== 'v1') continue;
    if (await crypto.subtle.verify('HMAC', key, fromBase64(value), content))
      return JSON.parse(text) as WebhookBody;
  }
  throw new WebhookSignatureError('No signature of the header webhook-signature is right.');
}

/** Verifies a webhook, calls the function of its event, and returns what the function returns. */
export async function handle(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  handlers: WebhookHandlers,
): Promise<unknown> {
  const event = await unwrap(body, headers, secret);
  const handler = Object.hasOwn(handlers, event.type) ? handlers[event.type] : handlers.other;
  return (handler as WebhookHandlers['other'])?.(event);
}

/** Returns the headers with which the platform would send `body`. For tests of your receiver. */
export async function sign(
  body: string,
  secret: string,
  {
    id = crypto.randomUUID(),
    timestamp = Math.floor(Date.now() / 1000),
  }: { id?: string; timestamp?: number } = {},
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const key = await importKey(secret);
  const signature = await crypto.subtle.sign('HMAC', key, encode(`${id}.${timestamp}.${body}`));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

const encode = (text: string) => new TextEncoder().encode(text);

const importKey = (secret: string) => {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0) throw new TypeError('The secret of a webhook endpoint begins with whsec_.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
};

/** Returns no bytes if the text is not base64. */
function fromBase64(text: string) {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
