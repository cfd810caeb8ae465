import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import type { Delays } from './pauses';

/** The URL to which the mail provider reports events, and the P-256 key that signs them. */
export type EventTarget = { url: string; signingKey: KeyObject };

/** The fields of a mail that its events contain. */
type ReportedMail = {
  to: string;
  message_id: string;
  categories: string[];
  custom_args: Record<string, string>;
};
type EventKind = 'processed' | 'delivered' | 'bounce' | 'open';

export type EventReporter = {
  report: (mail: ReportedMail, kinds: EventKind[]) => void;
};

const batchPauseMs = 50;
const limitBatch = 1_000;
/**
 * The waits before a batch of events is sent again. SendGrid retries for a day; these waits are shorter, because a
 * local API is back within seconds.
 */
const retryPausesMs = [200, 500, 1_000, 2_000, 5_000, 10_000];

/**
 * Creates a fake of SendGrid's event webhook, which sends mail events in signed batches and retries each batch until
 * the API accepts it.
 */
export function createEventReporter(target: EventTarget, pauses: Delays): EventReporter {
  let waiting: object[] = [];
  const flush = async () => {
    if (!(await pauses.wait(batchPauseMs))) return;
    const batch = waiting;
    waiting = [];
    for (let start = 0; start < batch.length; start += limitBatch)
      await post(target, batch.slice(start, start + limitBatch), pauses);
  };
  return {
    report(mail, kinds) {
      if (waiting.length === 0) void flush();
      waiting.push(...kinds.map((kind) => describeEvent(mail, kind)));
    },
  };
}

/** Reads the signing key from one line of base64 (PKCS #8 in DER). Throws when it is invalid. */
export const readSigningKey = (base64: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });

function describeEvent({ to, message_id, categories, custom_args }: ReportedMail, event: EventKind): object {
  return {
    ...custom_args,
    email: to,
    timestamp: Math.floor(Date.now() / 1_000),
    event,
    category: categories,
    sg_event_id: randomUUID(),
    sg_message_id: `${message_id}.fake-0`,
    ...(event === 'delivered' ? { response: '250 2.0.0 OK' } : {}),
    ...(event === 'bounce'
      ? { type: 'bounce', status: '5.1.1', reason: `550 5.1.1 <${to}>: there is no such mailbox` }
      : {}),
    ...(event === 'open' ? { useragent: 'fake', ip: '127.0.0.1', sg_machine_open: false } : {}),
  };
}

async function post({ url, signingKey }: EventTarget, events: object[], pauses: Delays): Promise<void> {
  const body = JSON.stringify(events);
  for (const pauseMs of retryPausesMs) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const taken = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(timestamp + body),
          signingKey,
        ).toString('base64'),
      },
      body,
      signal: AbortSignal.timeout(5_000),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (taken || !(await pauses.wait(pauseMs))) return;
  }
}
