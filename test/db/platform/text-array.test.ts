import { Client } from 'pg';
import { parseTextArray } from '../../../db/platform/text-array';
import { createDatabase } from '../../harness/platform/database';

describe('parseTextArray', () => {
  it('returns the entries that Postgres wrote', async () => {
    const database = await createDatabase();
    const client = new Client({ connectionString: database.adminUrl });
    await client.connect();
    const arrays = [
      [],
      [''],
      ['a'],
      ['a', 'b-1', 'c'],
      [null, 'NULL', 'null', null],
      ['"', '\\', '\\"', '{}', '{', '}', ',', ' ', ' a ', "'"],
      ['line\nfeed', 'tab\t', '\u0001', '😀', 'x\\ny', '\\\n'],
      ['[1:2]', '=', 'a"b\\c,d{e}'],
    ];
    const read = await client.query({
      text: `select array(select jsonb_array_elements_text(entry))::text as text from unnest($1::jsonb[]) as entry`,
      values: [arrays.map((array) => JSON.stringify(array))],
    });
    expect(read.rows.map(({ text }: { text: string }) => parseTextArray(text))).toEqual(arrays);
    await client.end();
  });

  it.each(['{{a},{b}}', '[2:3]={a,b}', ''])(
    'throws for %s, which is no plain one-dimensional array',
    (text) => {
      expect(() => parseTextArray(text)).toThrow('one-dimensional');
    },
  );
});
