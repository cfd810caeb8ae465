import { z } from 'zod';
import { createProviderClient } from './provider-client';

/** How a message goes out. */
type Channel = 'sms' | 'whatsapp';

type MessengerSettings = {
  accountSid: string;
  authToken: string;
  /** The default is Twilio's own address. */
  baseUrl: string | undefined;
  /** The number that sends SMS. */
  from: string;
  /** The number that sends WhatsApp messages. If it is set, all messages go out by WhatsApp. */
  whatsappFrom: string | undefined;
  /** The address of our hook, to which Twilio reports what became of a message. */
  hookUrl: string;
  /** The time limit of one call, from its first byte to the last byte of the response. */
  timeoutMs?: number;
};

type OutgoingMessage = {
  /** The id of the mail that the message accompanies. Reports about the message contain it. */
  mail_id: string;
  channel: Channel;
  /** A number in the form +491701234567. */
  to: string;
  text: string;
};

export type Messenger = ReturnType<typeof createMessenger>;

const sid = z.string().regex(/^\w{1,64}$/);
const created = z.object({ sid });
const fetched = z.object({
  status: z.string().max(50),
  error_code: z.union([z.int().transform(String), z.null()]),
  /** Negative, because it is what the account is charged. Null until Twilio knows it. */
  price: z.string().max(30).nullable(),
  price_unit: z.string().max(10).nullable(),
});

/**
 * A client for Twilio's messages. Throws only ProviderError. Twilio has no idempotency keys, so a call that failed without
 * a reply may have sent the message.
 */
export function createMessenger(settings: MessengerSettings) {
  const { accountSid, authToken, baseUrl = 'https://api.twilio.com', timeoutMs = 10_000 } = settings;
  const client = createProviderClient({
    provider: 'the message provider',
    baseUrl,
    headers: { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` },
    maxResponseBytes: 65_536,
  });
  const path = `/2010-04-01/Accounts/${accountSid}/Messages`;
  const channel: Channel = settings.whatsappFrom === undefined ? 'sms' : 'whatsapp';

  return {
    /** How new messages go out. */
    channel,
    /** Sends a message, and returns Twilio's id of it. */
    send: async (message: OutgoingMessage, signal: AbortSignal): Promise<{ sid: string }> => {
      const from = message.channel === 'whatsapp' ? (settings.whatsappFrom ?? '') : settings.from;
      const prefix = message.channel === 'whatsapp' ? 'whatsapp:' : '';
      const body = new URLSearchParams({
        To: prefix + message.to,
        From: prefix + from,
        Body: message.text,
        StatusCallback: `${settings.hookUrl}?${new URLSearchParams({ mail_id: message.mail_id }).toString()}`,
      });
      return client.call({ method: 'POST', path: `${path}.json`, body }, created, { timeoutMs, signal });
    },
    /** Reads what Twilio knows about a message. */
    read: (messageSid: string, signal: AbortSignal) =>
      client.call({ method: 'GET', path: `${path}/${messageSid}.json` }, fetched, { timeoutMs, signal }),
    close: client.close,
  };
}
