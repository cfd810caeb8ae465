import { listCreditEntries } from '../../../db/account/credits';
import { listAuditEntries } from '../../../db/platform/audit';
import type { Query } from '../../../db/platform/statement';
import { expensiveScans } from '../platform/plan-cost';
import { createWorld } from '../platform/world';
import type { Cell, World } from '../platform/world';

/* Tests that lists of an account read no rows of other accounts, which have 40,000 entries. */

let world: World;
let cell: Cell;
beforeAll(async () => {
  world = await createWorld();
  const [first, , , other] = world.cells;
  cell = first;
  const { rows } = world.database;
  await rows('set session_replication_role = replica');
  for (const [merchantId, environment, size] of [
    [cell.merchantId, cell.environment, 20],
    [other.merchantId, other.environment, 40_000],
  ] as const) {
    await rows(
      `insert into credit_entry (merchant_id, bucket, kind, amount, balance_after, period_started_at, created_at)
       select $1, 'extra', 'grant', 1, n, now(), now() - make_interval(secs => n) from generate_series(1, $2) n`,
      [merchantId, size],
    );
    await rows(
      `insert into audit_entry (merchant_id, environment, actor_id, actor_role, act, subject_id)
       select $1, $2, gen_random_uuid(), 'merchant', 'job-interview-update', n::text from generate_series(1, $3) n`,
      [merchantId, environment, size],
    );
  }
  await rows('set session_replication_role = default');
  await rows('analyze');
});

const none = { actor: null, act: null, subjectId: null, since: null, until: null };

it.each<[string, Query]>([
  ['the ledger', listCreditEntries({}, 50, 0)],
  ['one bucket of the ledger', listCreditEntries({ bucket: 'extra' }, 50, 0)],
  ['the audit log', listAuditEntries(none, 50, 0)],
  ['the audit log of an object', listAuditEntries({ ...none, subjectId: '7' }, 50, 0)],
])('reads few rows for %s', async (_what, query) => {
  const door: Parameters<typeof expensiveScans>[0] = (work) => world.api.read(cell.user, work);
  expect(await expensiveScans(door, query)).toEqual([]);
});
