import { runInThisContext } from 'node:vm';
import { guideCode } from '../../harness/platform/guide-code';

type Query = { limit: number; offset: number };
type Call = (operation: string, query: Query) => Promise<unknown>;
type ListAll = (call: Call, operation: string, query?: object) => AsyncIterable<number>;

it('reads every entry with the loop of the guide, also when pages end early', async () => {
  const code = guideCode('pagination', 'Read all pages');
  const listAll = runInThisContext(`(() => { ${code}; return listAll; })()`) as ListAll;
  const entries = Array.from({ length: 20 }, (_, index) => index);
  const asked: [string, number, number][] = [];
  const call: Call = async (operation, { limit, offset }) => {
    asked.push([operation, limit, offset]);
    // This fake server ends pages early, at multiples of 7 entries.
    const end = Math.min(offset + limit, offset + 7 - (offset % 7));
    const has_more = end < entries.length;
    return {
      data: entries.slice(offset, end),
      pagination: { total: entries.length, limit: has_more ? end - offset : limit, offset, has_more },
    };
  };
  const seen: number[] = [];
  for await (const entry of listAll(call, 'catalogue-tag-list', { limit: 5 })) seen.push(entry);
  expect(seen).toEqual(entries);
  expect(asked.map(([, limit, offset]) => [limit, offset])).toEqual([
    [5, 0],
    [5, 5],
    [5, 7],
    [5, 12],
    [5, 14],
    [5, 19],
  ]);
});
