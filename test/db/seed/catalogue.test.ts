import { seed } from '../../../local/seed';
import { merchants } from '../../../local/seed/accounts';
import { publicDirectory, startDirectory } from '../../../local/seed/catalogue';
import { createDatabase } from '../../harness/platform/database';
import type { TestDatabase } from '../../harness/platform/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});

type Row = Record<string, unknown> & {
  id: string;
  merchant_id: string | null;
  tags_sub: string[];
  content_md: string | null;
};
const catalogue = () => database.rows<Row>('select * from catalogue_directory order by row_id');
const pages = async () => (await catalogue()).map(({ content_md }) => content_md ?? '').join('\n');

describe('the seeded catalogue', () => {
  it('has every status and visibility, and the start directory of the portal', async () => {
    const rows = await catalogue();
    const main = rows.filter(({ merchant_id }) => merchant_id === merchants.main.id);
    const values = (column: string) => [...new Set(main.map((row) => String(row[column])))].toSorted();
    expect(values('status')).toEqual(['active', 'archived', 'draft']);
    expect(values('visibility')).toEqual(['merchant_invite', 'merchant_public', 'merchant_unlisted']);
    expect(values('platform_language_code')).toEqual(['de', 'en']);
    expect(main.length).toBeGreaterThan(10);
    expect(rows.filter(({ merchant_id }) => merchant_id === null).map(({ id }) => id)).toContain(
      publicDirectory,
    );
    const [merchant] = await database.rows<{ start_directory: string }>(
      'select start_directory from merchant where id = $1',
      [merchants.main.id],
    );
    expect(merchant?.start_directory).toBe(startDirectory);
    expect(main.map(({ id }) => id)).toContain(startDirectory);
  });

  it('contains every directory and session that its pages name, and sessions for every filter', async () => {
    const named = [...(await pages()).matchAll(/^\[(directory|session):([^\]]+)\]$/gm)];
    expect(named.length).toBeGreaterThan(5);
    const known = await database.rows<{ id: string }>(
      `select id from catalogue_directory where merchant_id = $1 or merchant_id is null
       union all select id::text from interview where merchant_id = $1 and type in ('coaching', 'persona')`,
      [merchants.main.id],
    );
    const ids = new Set(known.map(({ id }) => id));
    expect(named.map(([, , id]) => id).filter((id) => !ids.has(id ?? ''))).toEqual([]);
    const empty = await database.rows(
      `select d.id from catalogue_directory d
       where cardinality(tags_interview_set_filter) > 0 and not exists (
         select from interview i
         where i.merchant_id = d.merchant_id and i.status = 'active' and i.tags @> d.tags_interview_set_filter
       )`,
    );
    expect(empty).toEqual([]);
  });

  it('nests the directories of a page on that page', async () => {
    const missing = (await catalogue()).flatMap(({ id, content_md, tags_sub }) =>
      content_md === null
        ? []
        : tags_sub
            .filter((tag) => !content_md.includes(`[directory:${tag}]`))
            .map((tag) => `${tag} on ${id}`),
    );
    expect(missing).toEqual([]);
  });

  it('does not change when it is seeded again, also if a merchant has edited it', async () => {
    await database.rows(`update catalogue_directory set name = 'Ours now' where id = $1`, [startDirectory]);
    await database.rows('update merchant set start_directory = null');
    const before = await catalogue();
    await seed(database.adminUrl);
    expect(await catalogue()).toEqual(before);
    expect(await database.rows('select id from merchant where start_directory is not null')).toEqual([]);
  });
});
