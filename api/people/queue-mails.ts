import { insertBatch, insertMails } from '../../db/people/mails';
import type { NewBatch, NewMail } from '../../db/people/mails';
import type { Transaction } from '../../db/platform/database';
import { insertWorkflowStart } from '../../db/platform/workflow-starts';
import { invitationBatchId } from '../../workflows/ids';

/** Queues a call's emails, if there are any. Their workflow starts after the transaction has committed. */
export async function queueMails(trx: Transaction, batch: NewBatch, mails: NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const made = await trx.one(insertBatch(batch));
  await trx.count(insertMails(made.id, mails));
  await trx.count(insertWorkflowStart('invitationBatch', invitationBatchId(made.id), { batch_id: made.id }));
}
