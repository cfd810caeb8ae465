import { runInThisContext } from 'node:vm';
import { guideCode } from '../../harness/platform/guide-code';

type Query = { limit: number; cursor?: string };
type Call = (operation: string, query: Query) => Promise<unknown>;
type ListAll = (call: Call, operation: string, query?: object) => AsyncIterable<number>;

it('reads every entry with the loop of the guide, also when pages end early', async () => {
  const code = guideCode('pagination', 'Read all pages');
  const listAll = runInThisContext(`(() => { ${code}; return listAll; })()`) as ListAll;
  const entries = Array.from({ length: 20 }, (_, index) => index);
  const asked: Query[] = [];
  const call: Call = async (_operation, query) => {
    asked.push(query);
    const start = Number(query.cursor ?? 0);
    // This fake server ends pages early, at multiples of 7 entries.
    const end = Math.min(start + query.limit, start + 7 - (start % 7));
    const next_cursor = end < entries.length ? String(end) : null;
    return { data: entries.slice(start, end), pagination: { next_cursor } };
  };
  const seen: number[] = [];
  for await (const entry of listAll(call, 'catalogue-tag-list', { limit: 5 })) seen.push(entry);
  expect(seen).toEqual(entries);
  expect(asked).toEqual([
    { limit: 5 },
    ...['5', '7', '12', '14', '19'].map((cursor) => ({ limit: 5, cursor })),
  ]);
});
