import { findTestRecipients } from '../../db/identity/public';
import type { Transaction } from '../../db/platform/database';
import type { RowError } from './validate-row';

/** The error of a row whose address may not receive mail, because the environment is not production. */
export const notATestRecipientError: RowError = {
  code: 'not_a_test_recipient',
  error:
    'Outside production, mail goes only to test recipients. An owner can add this address in the console under Settings.',
};

/**
 * Returns a function that tests whether an address may receive mail: in production every address may, elsewhere only
 * the merchant's test recipients.
 */
export async function createMailableCheck(
  trx: Transaction,
  emailKeys: string[],
): Promise<(emailKey: string) => boolean> {
  if ((await trx.scope()).environment === 'production') return () => true;
  const rows = await trx.rows(findTestRecipients(emailKeys));
  const known = new Set(rows.map(({ email_key }) => email_key));
  return (emailKey) => known.has(emailKey);
}
