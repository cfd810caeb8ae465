import { cloneInterview } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';

it('returns embed_origins with the interview, replaces them, and keeps them in other calls', async () => {
  const platform = await openOperations();
  const site = 'https://careers.example.com';
  const own = await cloneInterview(platform.database);
  const shown = async (position_id: string) =>
    (await platform.call('job-interview-get', { query: { position_id } })).body['embed_origins'];
  expect([await shown(own), await shown(platform.stack.ids.position)]).toEqual([null, null]);
  for (const [fields, origins] of [
    [{ is_embedded: true, embed_origins: [site] }, [site]],
    [{ embed_origins: ['https://a.example', 'https://a.example'] }, ['https://a.example']],
    [{ is_embedded: true }, ['https://a.example']],
    [{ embed_origins: [] }, []],
    [{ is_embedded: false }, null],
  ] as const) {
    const body = { position_id: own, ...fields };
    expect((await platform.call('job-interview-set-state', { body })).status).toBe(200);
    expect(await shown(own)).toEqual(origins);
  }
});
