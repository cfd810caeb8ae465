import type { Client } from 'pg';
import { lockCatalogue } from '../../../db/catalogue/catalogue';
import type { CatalogueWrite } from '../../../db/catalogue/catalogue';
import { withAdmin } from '../../../db/platform/credentials';
import { toStatement } from '../../../db/platform/database';
import { catalogueCalls, newId, told } from '../../harness/catalogue/catalogue-calls';
import { insist } from '../../harness/platform/insist';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof catalogueCalls>;
let admin: { token: string };
let other: { token: string };
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = catalogueCalls(platform);
  admin = { token: platform.stack.tokens.admin };
  other = { token: platform.stack.tokens.other_merchant_owner };
});

const waitForWaiting = (count: number) =>
  waitFor(`${count} to wait`, async () => {
    const waiting = await platform.database.rows(
      `select from pg_stat_activity
       where datname = current_database() and usename <> 'postgres' and wait_event_type = 'Lock'`,
    );
    return waiting.length === count;
  });

/**
 * Runs `meanwhile` while a transaction holds the lock that a change of the merchant's or the platform's catalogue
 * needs.
 */
const whileWriting = (write: CatalogueWrite, meanwhile: (writer: Client) => Promise<void>): Promise<void> =>
  withAdmin(platform.database.adminUrl, async (writer) => {
    await writer.query('begin');
    await writer.query(`select set_config('app.merchant_id', $1, true)`, [platform.stack.merchant_id]);
    await writer.query(toStatement(lockCatalogue(write)));
    await meanwhile(writer);
    await writer.query('commit');
  });
const ofPlatform = { isPlatforms: true, isMerchants: false, newId: null };
const ofMerchant = { isPlatforms: false, isMerchants: true, newId: null };

/**
 * Inserts 500 directories with long ids. Each directory lists all directories that follow it. Returns the id of the
 * first one.
 */
async function makeEntangled(): Promise<string> {
  const start = newId('a-long-id'.repeat(15));
  await platform.database.rows(
    `insert into catalogue_directory (merchant_id, id, name, tags_sub)
     select $1, $2 || n, 'Any', array(select $2 || f from generate_series(n + 1, 500) f) from generate_series(1, 500) n`,
    [platform.stack.merchant_id, `${start}-`],
  );
  return `${start}-1`;
}

describe('a writer of the catalogue', () => {
  it('for the platform blocks only a call that creates the same id', async () => {
    const shared = await calls.make({ visibility: 'public', status: 'active' }, admin);
    const existing = await calls.make();
    const id = newId();
    let same: Promise<Reply> | undefined;
    await whileWriting({ ...ofPlatform, newId: id }, async (writer) => {
      await writer.query(
        `insert into catalogue_directory (merchant_id, id, name, visibility) values (null, $1, 'Any', 'public')`,
        [id],
      );
      expect((await calls.create({ tags_sub: [shared], parent_tag: existing })).status).toBe(200);
      expect((await calls.update(existing, { tags_sub: ['a'] })).status).toBe(200);
      same = insist(() => calls.create({ id }));
      await waitForWaiting(1);
    });
    expect(same && told(await same)).toEqual([409, 'id']);
  });

  it('for a merchant blocks only calls of the same merchant', async () => {
    const id = newId();
    let same: Promise<Reply> | undefined;
    await whileWriting({ ...ofMerchant, newId: id }, async () => {
      expect((await calls.create({ id, tags_sub: ['a'] }, other)).status).toBe(200);
      const shared = await calls.make({ visibility: 'public', tags_sub: ['a'] }, admin);
      expect((await calls.update(shared, { tags_sub: [id] }, admin)).status).toBe(200);
      same = insist(() => calls.create({}));
      await waitForWaiting(1);
    });
    expect((await same)?.status).toBe(200);
  });

  it('that takes long makes blocked calls return 503 and store nothing', async () => {
    const id = await calls.make();
    const change = () => calls.update(id, { tags_sub: ['one-more'] });
    await whileWriting(ofMerchant, async (writer) => {
      // A call that waits too long for the lock fails because of `lock_timeout`, which is shorter than the statement
      // timeout.
      expect((await writer.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '5s' }]);
      const reply = await change();
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    });
    expect((await calls.read(id)).tags_sub).toEqual([]);
    expect((await change()).status).toBe(200);
  });
});

describe('directories that list too many others', () => {
  it('are a 422 in tags_sub of a new or changed directory, but stay there and can be reordered', async () => {
    const top = await makeEntangled();
    const second = `${top.slice(0, -1)}2`;
    const entangled =
      'The directories in tags_sub and all directories below them list more than 20000 entries in total. Send fewer directories in tags_sub.';
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

  it('are a 422 for parent_tag when a platform-wide directory that lists them is created under a merchant’s', async () => {
    const { merchant_id } = platform.stack;
    const parent_tag = await calls.make();
    const tags_sub = [await makeEntangled()];
    const asked = { visibility: 'public', parent_tag, tags_sub, merchant_id };
    const reply = await calls.create(asked, admin);
    expect(told(reply)).toEqual([422, 'parent_tag']);
    expect(reply.body.code).toBe('too_many_matches');
    expect((await calls.read(parent_tag)).tags_sub).toEqual([]);
  });
});
