import { runInThisContext } from 'node:vm';
import { cloneInterview } from '../../harness/people/people';
import { guideCode } from '../../harness/platform/guide-code';
import { openOperations } from '../../harness/platform/operations';
import { waitFor } from '../../harness/wait-for';

type Call = (operation: string, query: Record<string, unknown>) => Promise<unknown>;
/** In an address, every value is text. */
const asSent = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
type Copy = {
  cursor?: string;
  put: (object: string, id: string, version: number, body: Record<string, unknown>) => void;
  remove: (object: string, id: string) => void;
};

it('holds a copy with the loop of the guide', async () => {
  const platform = await openOperations();
  const code = guideCode('mirroring', 'Follow the changes');
  const follow = runInThisContext(`(() => { ${code}; return follow; })()`) as (
    call: Call,
    copy: Copy,
  ) => Promise<number>;
  const call: Call = async (operation, query) =>
    (await platform.call(operation, { query: asSent(query) })).body;
  const rows = new Map<string, Record<string, unknown>>();
  const copy: Copy = {
    put: (object, id, _version, body) => void rows.set(`${object} ${id}`, body),
    remove: (object, id) => void rows.delete(`${object} ${id}`),
  };
  const interview = await cloneInterview(platform.database, { name: 'Baker' });
  const until = (what: string, isSo: () => boolean) =>
    waitFor(what, async () => {
      expect(await follow(call, copy)).toBeGreaterThanOrEqual(0);
      return isSo();
    });
  await until('a copy', () => rows.get(`interview ${interview}`)?.['name'] === 'Baker');
  await platform.call('job-interview-set-state', { body: { position_id: interview, status: 'deleted' } });
  await until('the deletion', () => !rows.has(`interview ${interview}`));
});
