import { createHash, randomBytes } from 'node:crypto';
import { log } from '@temporalio/activity';
import { toPhoneNumber } from '../../../api/platform/text/phone-number';
import {
  claimMessages,
  countMessages,
  countTestMessages,
  lockDueMessages,
  lockMessageNumbers,
  recordMessageOutcomes,
} from '../../../db/people/messages';
import type { ClaimedMessage, DueMessage, MessageError, MessageOutcome } from '../../../db/people/messages';
import type { MessageChannel } from '../../../db/people/vocabulary';
import type { Database, Transaction } from '../../../db/platform/database';
import { errorFacts } from '../../../db/platform/error-facts';
import type { LinkTokens } from '../../../db/platform/link-tokens';
import { retryRecordingOutcomes } from '../../platform/retry-recording';
import { ProviderError } from '../../providers/provider-error';
import type { Messenger } from '../../providers/twilio';
import { sendChunk } from '../send-chunk';
import { isMessageKind, writeMessage } from './write-message';

export type MessageSenderDeps = {
  database: Pick<Database, 'writeAsWorker'>;
  links: Pick<LinkTokens, 'originOf'>;
  /** Undefined if the deployment sends no messages. */
  messenger: Messenger | undefined;
  /** Called after every call to the provider, for the metrics. */
  onMessage: (channel: MessageChannel, outcome: 'sent' | 'rejected' | 'failed') => void;
};

const chunkMessages = 100;
/** The most messages that a merchant sends to one number in 24 hours. */
const maxPerDay = 3;
/**
 * The most messages that a merchant sends outside production in 24 hours. Only test recipients get mails there, but their
 * numbers are whatever the calls name.
 */
const maxTestsPerDay = 20;

type Claimed = { message: DueMessage; number: string; code: string };
type Outcome = MessageOutcome & { retryAfterMs: number };

/**
 * Returns a function that sends up to 100 messages of a batch and records each outcome. A message is sent at most once,
 * because the provider has no idempotency keys and a second SMS costs money: what a worker that died, or a call without a
 * reply, may have sent is not sent again. If it was sent, the provider's report says so later.
 */
export function createMessageSender({ database, links, messenger, onMessage }: MessageSenderDeps) {
  const sendOne = async ({ message, number, code }: Claimed, signal: AbortSignal): Promise<Outcome> => {
    const { mail_id, channel, kind, portal_domain } = message;
    try {
      if (!messenger || !isMessageKind(kind))
        throw new Error(`no message accompanies a mail of kind ${kind}`);
      const text = writeMessage({
        kind,
        is_practice: message.is_practice,
        language: message.platform_language_code,
        merchant_name: message.merchant_name,
        link: `${links.originOf(portal_domain)}/m/${code}`,
      });
      const { sid } = await messenger.send({ mail_id, channel, to: number, text }, signal);
      onMessage(channel, 'sent');
      return { mail_id, state: 'sent', error: null, sid, retryAfterMs: 0 };
    } catch (error) {
      if (!(error instanceof ProviderError))
        log.error('failed to write a message', { mail_id, error: errorFacts(error) });
      const outcome = outcomeOf(mail_id, error);
      onMessage(channel, outcome.state === 'failed' && outcome.error !== unknown ? 'rejected' : 'failed');
      return outcome;
    }
  };

  return async (batchId: string, signal: AbortSignal): Promise<Outcome[]> => {
    const claimed = await database.writeAsWorker((trx) => claim(trx, batchId, messenger !== undefined));
    const outcomes = await sendChunk(
      claimed,
      (one) => sendOne(one, signal),
      ({ message }) => putBack(message.mail_id),
      signal,
    );
    await retryRecordingOutcomes(
      () => database.writeAsWorker(async (trx) => void (await trx.count(recordMessageOutcomes(outcomes)))),
      signal,
    );
    return outcomes;
  };
}

const unknown: MessageError = 'unknown_outcome';
const putBack = (mail_id: string): Outcome => ({
  mail_id,
  state: 'queued',
  error: null,
  sid: null,
  retryAfterMs: 0,
});

/** With these statuses the provider has not taken the message, because of its limits or of our settings. */
const notTaken = new Set(['401', '403', '404', '429', '503']);

function outcomeOf(mail_id: string, error: unknown): Outcome {
  if (!(error instanceof ProviderError)) return { ...putBack(mail_id), state: 'failed', error: unknown };
  if (error.isUnsent || notTaken.has(error.kind))
    return { ...putBack(mail_id), error: error.message, retryAfterMs: error.retryAfterMs ?? 0 };
  const reason = error.kind === '400' && error.code !== undefined ? error.code : unknown;
  return { ...putBack(mail_id), state: 'failed', error: reason };
}

/** Decides about the due messages of a batch, and returns those that are to be sent now. */
async function claim(trx: Transaction, batchId: string, isConfigured: boolean): Promise<Claimed[]> {
  const due = await trx.rows(lockDueMessages(batchId, chunkMessages));
  const [first] = due;
  if (!first) return [];
  await trx.rows(lockMessageNumbers(first.merchant_id));
  const numbers = new Map(due.map(({ mail_id, phone }) => [mail_id, toPhoneNumber(phone)]));
  const wanted = [...new Set(numbers.values())].filter((number) => number !== null);
  const known = await trx.rows(countMessages(first.merchant_id, wanted));
  const sent = new Map(known.map((each) => [each.number, each.sent]));
  const optedOut = new Set(known.filter((each) => each.has_opted_out).map(({ number }) => number));

  const isTesting = first.environment !== 'production';
  let tests = isTesting ? (await trx.one(countTestMessages(first.merchant_id))).sent : 0;

  const claimed: Claimed[] = [];
  const decided = due.map((message): ClaimedMessage => {
    const number = numbers.get(message.mail_id) ?? null;
    const failed = (error: MessageError): ClaimedMessage => ({
      mail_id: message.mail_id,
      state: 'failed',
      error,
      number,
      code_hash: null,
    });
    if (message.state === 'sending') return failed(unknown);
    if (!isConfigured) return failed('not_configured');
    if (message.is_withdrawn) return failed('withdrawn');
    if (number === null) return failed('invalid_number');
    if (optedOut.has(number)) return failed('opted_out');
    const count = sent.get(number) ?? 0;
    if (count >= maxPerDay) return failed('daily_limit');
    if (isTesting && tests >= maxTestsPerDay) return failed('test_limit');
    tests += 1;
    sent.set(number, count + 1);
    const code = randomBytes(12).toString('base64url');
    claimed.push({ message, number, code });
    return {
      mail_id: message.mail_id,
      state: 'sending',
      error: null,
      number,
      code_hash: createHash('sha256').update(code).digest(),
    };
  });
  await trx.count(claimMessages(decided));
  return claimed;
}
