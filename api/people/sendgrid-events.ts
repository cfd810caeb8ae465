import { verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { recordMailEvents } from '../../db/people/mails';
import type { MailEvent } from '../../db/people/mails';
import type { Database } from '../../db/platform/database';
import { recordReportMailEvents } from '../../db/reports/public';
import { refundPoint } from '../platform/http/address-limit';
import { bodyBytesReader } from '../platform/http/body-bytes';
import { ApiError } from '../platform/operation/api-error';

const readBody = bodyBytesReader(1_048_576);

/** The SendGrid events that are recorded, with the names that we store. Other events are skipped. */
const eventNames = new Map<string, MailEvent['event']>([
  ['processed', 'sent'],
  ['delivered', 'delivered'],
  ['bounce', 'bounced'],
  ['dropped', 'bounced'],
  ['open', 'opened'],
]);

const yearTenThousand = 253_402_300_800;
const sentEvent = z.object({
  mail_id: z.uuid(),
  event: z.string(),
  timestamp: z.number().min(0).lt(yearTenThousand),
  reason: z.string().nullable().catch(null),
});

/**
 * `POST /hooks/sendgrid`: records what happened to our emails, as SendGrid's signed event webhook reports it. Events
 * may arrive in any order, and an event that arrives again changes nothing. Events of emails that we did not send are
 * skipped.
 */
export const createSendgridHook =
  ({
    database,
    verificationKey,
  }: {
    database: Pick<Database, 'write'>;
    verificationKey: KeyObject | undefined;
  }): RequestHandler =>
  async (request, response) => {
    if (!verificationKey)
      throw new ApiError('not_configured', 'Mail events are not configured. Set SENDGRID_EVENT_KEY.');
    const body = await readBody(request, response);
    if (!isSigned(request, body, verificationKey))
      throw new ApiError('signature_invalid', 'The signature is not valid.');
    refundPoint(request);
    const events = readEvents(body);
    if (events.length > 0)
      await database.write({ kind: 'mail_hook' }, async (trx) => {
        await trx.count(recordMailEvents(events));
        await trx.count(recordReportMailEvents(events));
      });
    response.json({});
  };

/** Verifies the ECDSA signature over the timestamp and the raw bytes of the body. */
function isSigned(request: Request, body: Buffer, key: KeyObject): boolean {
  const signature = request.get('x-twilio-email-event-webhook-signature');
  const timestamp = request.get('x-twilio-email-event-webhook-timestamp');
  if (!signature || !timestamp) return false;
  return verify(
    'sha256',
    Buffer.concat([Buffer.from(timestamp), body]),
    key,
    Buffer.from(signature, 'base64'),
  );
}

function readEvents(body: Buffer): MailEvent[] {
  const sent = z.array(z.unknown()).safeParse(parseJson(body.toString()));
  if (!sent.success) throw new ApiError('invalid_json', 'The body must be a JSON array of events.');
  return sent.data.flatMap((each) => {
    const { data: fields } = sentEvent.safeParse(each);
    const event = fields && eventNames.get(fields.event);
    if (!event) return [];
    const reason = fields.reason === null ? null : toReason(fields.reason);
    return [{ mail_id: fields.mail_id, event, at: new Date(fields.timestamp * 1_000).toISOString(), reason }];
  });
}

/** Shortens a mail server's message to one line of 200 characters and removes addresses from it. */
function toReason(text: string): string {
  const words = text.split(/[\p{Cc}\s]+/u).map((word) => (word.includes('@') ? '…' : word));
  return words.join(' ').trim().slice(0, 200).toWellFormed();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
