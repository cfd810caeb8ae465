import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { forgetOptOut, toMessageState, recordMessageReport, recordOptOut } from '../../db/people/messages';
import type { Database } from '../../db/platform/database';
import type { Statement } from '../../db/platform/statement';
import { refundPoint } from '../platform/http/address-limit';
import { bodyBytesReader } from '../platform/http/body-bytes';
import { ApiError } from '../platform/operation/api-error';
import { toPhoneNumber } from '../platform/text/phone-number';
import { isTwilioSignature } from './twilio-signature';

const readBody = bodyBytesReader(65_536);

/**
 * The words that Twilio takes for an end of messages by default, and those that allow them again. YES is left out, because it
 * can be the answer to something else, and allows the messages of all merchants.
 */
const stopWords = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE']);
const startWords = new Set(['START', 'UNSTOP']);

const report = z.object({
  MessageSid: z.string().regex(/^\w{1,64}$/),
  MessageStatus: z.string(),
  ErrorCode: z
    .string()
    .regex(/^\d{1,6}$/)
    .nullable()
    .catch(null),
});
const reply = z.object({ From: z.string().max(100), Body: z.string(), OptOutType: z.string().optional() });

/**
 * `POST /hooks/twilio`: records what Twilio reports about our messages, and who answered STOP or START. Reports may arrive
 * in any order and several times. The id of the mail that a message accompanies is in the address that we gave to Twilio.
 */
export const createTwilioHook =
  ({
    database,
    authToken,
    publicOrigin,
  }: {
    database: Pick<Database, 'write'>;
    authToken: string | undefined;
    publicOrigin: string;
  }): RequestHandler =>
  async (request, response) => {
    if (authToken === undefined)
      throw new ApiError('not_configured', 'Messages are not configured. Set TWILIO_AUTH_TOKEN.');
    const fields = new URLSearchParams((await readBody(request, response)).toString());
    const address = publicOrigin + request.originalUrl;
    if (!isTwilioSignature(request.get('x-twilio-signature'), { authToken, address, fields }))
      throw new ApiError('signature_invalid', 'The signature is not valid.');
    refundPoint(request);
    const statement = statementOf(request, Object.fromEntries(fields));
    if (statement)
      await database.write({ kind: 'mail_hook' }, async (trx) => void (await trx.count(statement)));
    // An empty reply in Twilio's markup sends nothing to the person.
    response.type('text/xml').send('<Response/>');
  };

/** Returns the statement that records a call, or undefined if it says nothing that we record. */
function statementOf(request: Request, fields: Record<string, string>): Statement | undefined {
  const mailId = z.uuid().safeParse(request.query['mail_id']);
  if (mailId.success) {
    const { data } = report.safeParse(fields);
    const state = data && toMessageState(data.MessageStatus);
    if (!data || !state) return undefined;
    const error = state === 'undelivered' || state === 'failed' ? data.ErrorCode : null;
    return recordMessageReport({ mail_id: mailId.data, state, error, sid: data.MessageSid });
  }
  const { data } = reply.safeParse(fields);
  const number = data ? toPhoneNumber(data.From.replace(/^whatsapp:/, '')) : null;
  if (!data || number === null) return undefined;
  const word = (data.OptOutType ?? data.Body.slice(0, 50).trim()).toUpperCase();
  if (stopWords.has(word)) return recordOptOut(number);
  return startWords.has(word) ? forgetOptOut(number) : undefined;
}
