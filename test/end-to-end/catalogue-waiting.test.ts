import { withAdmin } from '../../local/credentials';
import { catalogueCalls, newId, told } from '../harness/catalogue-calls';
import { waitFor } from '../harness/interview-rows';
import { startPlatform } from '../harness/platform';
import type { Platform } from '../harness/platform';

let platform: Platform;
let calls: ReturnType<typeof catalogueCalls>;
let admin: { token: string };
let other: { token: string };
beforeAll(async () => {
  platform = await startPlatform({ worker: false });
  calls = catalogueCalls(platform);
  admin = { token: platform.stack.tokens.admin };
  other = { token: platform.stack.tokens.other_merchant_owner };
});
afterAll(() => platform.stop());

const waitForWaiting = (count: number) =>
  waitFor(`${count} to wait`, async () => {
    const waiting = await platform.database.rows(
      `select from pg_stat_activity
       where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
    );
    return waiting.length === count;
  });

/** Stops `call` where it writes the directory's row, with every lock it takes before, while `meanwhile` runs. */
const stoppedAt = async <T>(id: string, call: () => Promise<T>, meanwhile: () => Promise<void>): Promise<T> =>
  withAdmin(platform.database.adminUrl, async (holder) => {
    await holder.query('begin');
    await holder.query('select from catalogue_directory where id = $1 for update', [id]);
    const made = call();
    await waitForWaiting(1);
    await meanwhile();
    await holder.query('commit');
    return made;
  });

/** 500 directories of the main merchant with long ids, each of which lists all that follow; the id of the first. */
async function makeEntangled(): Promise<string> {
  const start = newId('a-long-id'.repeat(15));
  await platform.database.rows(
    `insert into catalogue_directory (merchant_id, id, name, tags_sub)
     select $1, $2 || n, 'Any', array(select $2 || f from generate_series(n + 1, 500) f) from generate_series(1, 500) n`,
    [platform.stack.merchant_id, `${start}-`],
  );
  return `${start}-1`;
}

describe('writers of the catalogue', () => {
  it('of the platform: no merchant waits for it, but whoever makes the same id', async () => {
    const parent_tag = await calls.make({ visibility: 'public', status: 'active' }, admin);
    const existing = await calls.make();
    const id = newId();
    let same: ReturnType<typeof calls.create> | undefined;
    const made = await stoppedAt(
      parent_tag,
      () => calls.create({ id, visibility: 'public', parent_tag }, admin),
      async () => {
        expect((await calls.create({ tags_sub: [parent_tag], parent_tag: existing })).status).toBe(200);
        expect((await calls.update(existing, { tags_sub: ['a'] })).status).toBe(200);
        same = calls.create({ id });
        await waitForWaiting(2);
      },
    );
    expect(made.status).toBe(200);
    if (same) expect(told(await same)).toEqual([409, 'id']);
  });

  it('of a merchant: no other merchant waits for it, nor the platform, not even another merchant’s same id', async () => {
    const parent_tag = await calls.make();
    const id = newId();
    const made = await stoppedAt(
      parent_tag,
      () => calls.create({ id, parent_tag }),
      async () => {
        expect((await calls.create({ id, tags_sub: ['a'] }, other)).status).toBe(200);
        const shared = await calls.make({ visibility: 'public', tags_sub: ['a'] }, admin);
        expect((await calls.update(shared, { tags_sub: [id] }, admin)).status).toBe(200);
      },
    );
    expect(made.status).toBe(200);
    expect((await calls.read(parent_tag)).tags_sub).toEqual([id]);
  });

  it('of the same list: 503 to whoever has waited long, and nothing is stored', async () => {
    const id = await calls.make();
    const first = await stoppedAt(
      id,
      () => calls.update(id, { tags_sub: ['first-one'] }),
      async () => {
        const second = await calls.update(id, { tags_sub: ['second-one'] });
        expect([second.status, second.headers.get('retry-after')]).toEqual([503, '5']);
      },
    );
    // Of the first too the wait for the row has its time.
    expect([200, 503]).toContain(first.status);
    expect((await calls.read(id)).tags_sub).toEqual(first.status === 200 ? ['first-one'] : []);
  });
});

describe('directories that list too many others', () => {
  it('under a new or a changed one: 422, nothing is stored, and what was listed may still be moved', async () => {
    const top = await makeEntangled();
    const second = `${top.slice(0, -1)}2`;
    const entangled = 'tags_sub is too entangled: what it leads to lists over 20000 directories, list fewer';
    const id = newId();
    for (const reply of [
      await calls.create({ id, tags_sub: ['a', top] }),
      await calls.update(await calls.make({ id: newId() }), { tags_sub: [top] }),
    ]) {
      expect(told(reply)).toEqual([422, 'tags_sub']);
      expect(reply.body.error).toBe(entangled);
    }
    expect((await calls.get(id)).status).toBe(404);
    const tags_sub = (await calls.read(top)).tags_sub;
    expect((await calls.update(top, { tags_sub: tags_sub.toReversed() })).status).toBe(200);
    expect((await calls.update(second, { tags_sub: [] })).status).toBe(200);
  });

  it('the parent of one that leads to them: 422 parent_tag', async () => {
    const { merchant_id } = platform.stack;
    const parent_tag = await calls.make();
    const tags_sub = [await makeEntangled()];
    const asked = { visibility: 'public', parent_tag, tags_sub, merchant_id };
    const reply = await calls.create(asked, admin);
    expect(told(reply)).toEqual([422, 'parent_tag']);
    expect(reply.body.error).toContain('too entangled');
    expect((await calls.read(parent_tag)).tags_sub).toEqual([]);
  });
});
