import { Client } from 'pg';
import { maintainPartitions } from '../../../activities/webhooks/webhook-partitions';
import { idFloor } from '../../../db/webhooks/delivery-history';
import { putAttempt, putDelivery } from '../../harness/webhooks/webhook-rows';
import { openWebhooks } from '../../harness/webhooks/webhooks';
import type { Webhooks } from '../../harness/webhooks/webhooks';

/*
 * Tests the maintenance of partitions with a retention of 90 days. A partition of five months ago is past this
 * retention.
 */

const never = new AbortController().signal;
let webhooks: Webhooks;
let endpoint: string;
beforeAll(async () => {
  webhooks = await openWebhooks();
});
beforeEach(async () => {
  await rows('truncate webhook_delivery, webhook_attempt, webhook_endpoint cascade');
  for (const { name } of await rows<{ name: string }>(
    `select relname as name from pg_class where relispartition and relkind = 'r' and right(relname, 7) < $1`,
    [suffixOf(0)],
  ))
    await rows(`drop table ${name}`);
  await keep();
  endpoint = await webhooks.endpoint('http://a.example', { paused_reason: 'by_hand', paused_at: new Date() });
});

const rows: Webhooks['database']['rows'] = (text, values) => webhooks.database.rows(text, values);

/** Runs the maintenance once, and returns the warnings that it logs. */
async function keep(): Promise<object[]> {
  const complaints: object[] = [];
  const log = { warn: (facts: object) => void complaints.push(facts) };
  await maintainPartitions({ database: webhooks.worker, retentionDays: 90, log }, never);
  return complaints;
}

/** Returns the middle of the month that was this many months ago. */
function monthAgo(months: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 15));
}
const suffixOf = (months: number) => monthAgo(months).toISOString().slice(0, 7).replace('-', '_');
const partOf = (months: number, parent = 'webhook_delivery') => `${parent}_${suffixOf(months)}`;
const hasPart = async (months: number, parent?: string) => {
  const [found] = await rows<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [
    partOf(months, parent),
  ]);
  return found?.is_there;
};

let count = 0;
/** Inserts a delivery with an attempt. Both were created this many months ago. */
async function put(months: number, more: Record<string, unknown> = {}): Promise<string> {
  const born = monthAgo(months);
  count += 1;
  const id = idFloor(born.getTime()).slice(0, 14) + `7000-8000-${count.toString(16).padStart(12, '0')}`;
  const { state = 'queued' } = more;
  const isOpen = state === 'queued' || state === 'retried';
  await putDelivery(webhooks.database, endpoint, {
    id,
    created_at: born,
    ...(isOpen ? { next_attempt_at: born } : { finished_at: born }),
    ...more,
  });
  await putAttempt(webhooks.database, id);
  return id;
}
const partsOf = (id: string) =>
  rows<{ part: string }>(
    `select tableoid::regclass::text as part from webhook_delivery where id = $1
     union all select tableoid::regclass::text from webhook_attempt where delivery_id = $1`,
    [id],
  ).then((found) => found.map(({ part }) => part).sort());
const bothParts = (months: number) => [partOf(months, 'webhook_attempt'), partOf(months)];
const others = ['webhook_attempt_other', 'webhook_delivery_other'];

describe('maintainPartitions', () => {
  it('drops a past month in which all deliveries have ended, with its attempts, and keeps later ones', async () => {
    const old = await put(5, { state: 'acknowledged' });
    const young = await put(2, { state: 'gave_up' });
    expect([await partsOf(old), await partsOf(young)]).toEqual([others, others]);
    expect(await keep()).toEqual([]);
    expect([await partsOf(old), await partsOf(young)]).toEqual([[], bothParts(2)]);
    expect([await hasPart(5), await hasPart(5, 'webhook_attempt')]).toEqual([false, false]);
  });

  it.each([
    ['queued', {}],
    ['retried', { attempts: 3 }],
    ['retried', { attempts: 3, is_released: true }],
  ])('keeps a delivery that is %s, %j, with its attempts, and deletes finished ones', async (state, more) => {
    const open = await put(5, { state, ...more });
    const done = await put(5, { state: 'acknowledged' });
    const justDone = await put(5, { state: 'acknowledged', finished_at: new Date() });
    await keep();
    expect(await keep()).toEqual([]);
    expect(await partsOf(open)).toEqual(bothParts(5));
    expect(await partsOf(justDone)).toEqual(bothParts(5));
    expect(await partsOf(done)).toEqual([]);
    expect(await webhooks.rowsOf(endpoint)).toMatchObject([{ id: open, state, ...more }, { id: justDone }]);
  });

  it('shows the last delivery of a month for seven more days, and then drops the month', async () => {
    const id = await put(5);
    await keep();
    await rows(
      `update webhook_delivery set state = 'acknowledged', next_attempt_at = null, finished_at = now()`,
    );
    await keep();
    expect(await partsOf(id)).toEqual(bothParts(5));
    const weekAgo = new Date(Date.now() - 8 * 86_400_000).toISOString();
    await rows(`comment on table ${partOf(5)} is '${weekAgo}'`);
    await keep();
    expect(await partsOf(id)).toEqual([]);
    expect([await hasPart(5), await hasPart(5, 'webhook_attempt')]).toEqual([false, false]);
  });

  it('deletes all finished deliveries in several steps, and keeps open ones', async () => {
    await put(5);
    await keep();
    await rows(
      `insert into webhook_delivery (id, merchant_id, environment, endpoint_id, event, reason, state, next_attempt_at, finished_at)
       select overlay(app.month_floor($1)::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, merchant_id, environment, id,
         'test', 'test', 'acknowledged', null, $1
       from webhook_endpoint, generate_series(1, 12000) n`,
      [monthAgo(5)],
    );
    const open = await put(5);
    await keep();
    expect((await webhooks.rowsOf(endpoint)).map(({ state }) => state)).toEqual(['queued', 'queued']);
    expect(await partsOf(open)).toEqual(bothParts(5));
  });

  it('cancels a delivery that was due for more than a year and still shows it, and keeps one that became due later', async () => {
    const waits = await put(14);
    const retried = await put(14, { state: 'retried', attempts: 2 });
    const hurried = await put(14, { next_attempt_at: new Date() });
    const younger = await put(11);
    await keep();
    const states = (await webhooks.rowsOf(endpoint)).map(({ id, state, is_finished }) => [
      id,
      state,
      is_finished,
    ]);
    expect(states).toEqual([
      [waits, 'cancelled', true],
      [retried, 'cancelled', true],
      [hurried, 'queued', false],
      [younger, 'queued', false],
    ]);
    expect(await partsOf(retried)).toEqual(bothParts(14));
  });

  it('moves rows of a missing month from the default partition to the month', async () => {
    await rows(`drop table ${partOf(0)}, ${partOf(0, 'webhook_attempt')}`);
    const id = await put(0, { state: 'retried', attempts: 1, last_status: 500 });
    const further = await put(-7);
    expect([await partsOf(id), await partsOf(further)]).toEqual([others, others]);
    const before = await rows('select * from webhook_delivery, webhook_attempt order by id, delivery_id');
    expect(await keep()).toEqual([]);
    expect([await partsOf(id), await partsOf(further)]).toEqual([bothParts(0), others]);
    expect(await rows('select * from webhook_delivery, webhook_attempt order by id, delivery_id')).toEqual(
      before,
    );
  });

  it('drops finished deliveries of very old months, and open ones a week after they are cancelled', async () => {
    const done = await put(40, { state: 'acknowledged' });
    const open = await put(30);
    expect([await partsOf(done), await partsOf(open)]).toEqual([others, others]);
    expect(await keep()).toEqual([]);
    expect([await partsOf(done), await partsOf(open)]).toEqual([[], bothParts(30)]);
    expect(await webhooks.rowsOf(endpoint)).toMatchObject([{ id: open, state: 'cancelled' }]);
    const weekAgo = new Date(Date.now() - 8 * 86_400_000);
    await rows('update webhook_delivery set finished_at = $1', [weekAgo]);
    await rows(`comment on table ${partOf(30)} is '${weekAgo.toISOString()}'`);
    expect(await keep()).toEqual([]);
    expect([await hasPart(30), await hasPart(30, 'webhook_attempt')]).toEqual([false, false]);
  });

  it('drops a very old month without rows', async () => {
    for (const parent of ['webhook_attempt', 'webhook_delivery'])
      await rows(`select app.make_webhook_partition($1, $2, app.month_floor($3), app.month_floor($4))`, [
        parent,
        partOf(50, parent),
        new Date(Date.UTC(monthAgo(50).getUTCFullYear(), monthAgo(50).getUTCMonth())),
        new Date(Date.UTC(monthAgo(49).getUTCFullYear(), monthAgo(49).getUTCMonth())),
      ]);
    expect(await keep()).toEqual([]);
    expect([await hasPart(50), await hasPart(50, 'webhook_attempt')]).toEqual([false, false]);
  });

  it('creates partitions with forced row-level security and the indexes of the table', async () => {
    await rows(`drop table ${partOf(0)}, ${partOf(0, 'webhook_attempt')}`);
    await keep();
    const parts = await rows(
      `select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as is_forced, pg_get_userbyid(c.relowner) as owner,
         (select count(*)::int from pg_index i where i.indrelid = p.inhparent)
           - (select count(*)::int from pg_index i join pg_inherits x on x.inhrelid = i.indexrelid where i.indrelid = c.oid) as missing,
         (select count(*)::int from pg_index i where i.indrelid = p.inhparent)
           - (select count(*)::int from pg_index i where i.indrelid = c.oid) as superfluous
       from pg_inherits p join pg_class c on c.oid = p.inhrelid
       where p.inhparent in ('webhook_delivery'::regclass, 'webhook_attempt'::regclass)`,
    );
    // Each of the two tables has five partitions: the default partition, and one for this month and for each of the
    // next three.
    expect(parts).toHaveLength(10);
    for (const part of parts)
      expect(part).toMatchObject({ is_forced: true, owner: 'app_owner', missing: 0, superfluous: 0 });
  });

  it('reports a month that cannot be created, and creates and drops the others', async () => {
    await put(5, { state: 'acknowledged' });
    await rows(`drop table ${partOf(-1)}, ${partOf(-2)}`);
    await rows(`create domain ${partOf(-1)} as integer`);
    expect(await keep()).toMatchObject([{ part: partOf(-1), reason: expect.any(String) }]);
    expect([await hasPart(-2), await hasPart(5)]).toEqual([true, false]);
    await rows(`drop domain ${partOf(-1)}`);
    expect(await keep()).toEqual([]);
    expect(await hasPart(-1)).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'to be dropped',
      () =>
        put(5, { state: 'acknowledged' }).then(() =>
          rows('select app.keep_webhook_partitions($1)', ['90 days']),
        ),
    ],
    ['to be created', () => rows(`drop table ${partOf(-3)}`)],
  ])('skips a month that is %s while a reader uses the table, so that nobody waits', async (_, prepare) => {
    await prepare();
    const reader = new Client({ connectionString: webhooks.database.adminUrl });
    await reader.connect();
    try {
      await reader.query('begin');
      await reader.query('select count(*) from webhook_delivery');
      const complaints = await keep();
      expect(complaints).toMatchObject([{ reason: expect.stringContaining('lock timeout') }]);
      await rows(`set lock_timeout = '5s'`);
      await put(0);
    } finally {
      await rows('reset lock_timeout');
      await reader.end();
    }
    expect(await keep()).toEqual([]);
    expect([await hasPart(5), await hasPart(-3)]).toEqual([false, true]);
  });

  it('creates each month once when two workers run at the same time', async () => {
    await rows(`drop table ${partOf(-1)}, ${partOf(-2)}, ${partOf(-1, 'webhook_attempt')}`);
    // If a worker waits too long for a lock of the other worker, it logs a warning and gives up until its next run.
    for (const complaints of await Promise.all([keep(), keep()]))
      for (const complaint of complaints)
        expect(complaint).toMatchObject({ reason: expect.stringContaining('lock timeout') });
    expect(await keep()).toEqual([]);
    expect([await hasPart(-1), await hasPart(-2), await hasPart(-1, 'webhook_attempt')]).toEqual([
      true,
      true,
      true,
    ]);
  });
});
