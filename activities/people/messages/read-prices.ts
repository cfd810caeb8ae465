import {
  claimUnpricedMessages,
  toMessageState,
  recordMessagePrice,
  recordMessageReport,
} from '../../../db/people/messages';
import type { Database } from '../../../db/platform/database';
import { ProviderError } from '../../providers/provider-error';
import type { Messenger } from '../../providers/twilio';

const chunkMessages = 20;

/**
 * Asks the provider what messages cost, which it knows some time after they were sent, and what became of them, in case a
 * report was lost. Each is asked about once an hour. If the provider has a problem, the rest waits for the next hour.
 */
export async function readMessagePrices(
  database: Pick<Database, 'writeAsWorker'>,
  messenger: Messenger,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const claimed = await database.writeAsWorker((trx) => trx.rows(claimUnpricedMessages(chunkMessages)));
    for (const { mail_id, sid } of claimed) {
      const found = await messenger.read(sid, signal).catch((error: unknown) => {
        if (error instanceof ProviderError) return null;
        throw error;
      });
      if (!found) return;
      const { status, error_code: error, price, price_unit: unit } = found;
      const state = toMessageState(status);
      const cost = price === null ? Number.NaN : Math.abs(Number(price));
      await database.writeAsWorker(async (trx) => {
        if (state) await trx.count(recordMessageReport({ mail_id, state, error, sid }));
        if (unit !== null && Number.isFinite(cost)) await trx.count(recordMessagePrice(mail_id, cost, unit));
      });
    }
    if (claimed.length < chunkMessages) return;
  }
}
