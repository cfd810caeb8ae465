import { proveMirror } from '../../../bench/sync/proof';
import { openOperations } from '../../harness/platform/operations';

// `npm run bench:sync` runs it for ten minutes, with delays of up to 5 s.
it('holds an equal copy although writers commit out of order and the reader dies, unlike a copy by updated_at', async () => {
  const platform = await openOperations();
  const proof = await proveMirror({
    databaseUrl: platform.database.adminUrl,
    merchantId: platform.stack.merchant_id,
    call: (operation, query) => platform.call(operation, { query }),
    writers: 8,
    goesOn: (transactions) => transactions < 40,
    maxDelayMs: 100,
  });
  expect(proof.wrong).toEqual([]);
  expect([proof.compared > 100, proof.kills > 0, proof.transactions]).toEqual([true, true, 320]);
  expect(proof.wrongOfTwin).toBeGreaterThan(0);
});
