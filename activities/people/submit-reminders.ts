import { queueSubmitReminders } from '../../db/people/reminders';
import type { Database } from '../../db/platform/database';

/** The number of mails that one transaction queues. Each of them locks a result until the commit. */
const remindersAtOnce = 50;

/**
 * Queues the mails to all candidates who answered a day ago and have not submitted (docs/people.md#mails). Their
 * workflows start from the outbox.
 */
export async function remindOfSubmit(database: Pick<Database, 'writeAsWorker'>): Promise<void> {
  let queued: number;
  do ({ queued } = await database.writeAsWorker((trx) => trx.one(queueSubmitReminders(remindersAtOnce))));
  while (queued >= remindersAtOnce);
}
