import { listReachableMerchants } from '../../../db/platform/console-sessions';
import type { Database } from '../../../db/platform/database';
import type { Statement } from '../../../db/platform/statement';
import { toApiError } from '../http/error-reply';
import { consoleReaders } from './visitor';
import type { ConsoleVisitor } from './visitor';

/**
 * The maximum number of merchants that are searched. It is limited because each merchant needs a query. Visitors with
 * access to more merchants choose one themselves.
 */
const maxMerchants = 50;

/**
 * Finds the merchant that owns the record that a link shows, if the link does not name the merchant. Only merchants
 * that the visitor may see are searched.
 */
export async function findMerchantOf(
  database: Pick<Database, 'query'>,
  visitor: ConsoleVisitor,
  subject: Statement,
): Promise<string | undefined> {
  const merchants = await database.query(
    visitor.caller(consoleReaders, false),
    listReachableMerchants('', maxMerchants),
  );
  const here = visitor.merchant?.id;
  const ids = merchants.map(({ id }) => id).toSorted((a, b) => Number(b === here) - Number(a === here));
  for (const id of ids) {
    const rows = await database.query(visitor.callerAt(id), subject).catch((failure: unknown) => {
      if (toApiError(failure).status === 403) return [];
      throw failure;
    });
    if (rows.length > 0) return id;
  }
  return undefined;
}
