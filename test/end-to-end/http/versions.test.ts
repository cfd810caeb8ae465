import { cloneInterview } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

/* Tests `ETag`, `If-None-Match` and `If-Match` (docs/guide/requests.md#versions). */

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
});

const get = (position_id: string, headers = {}) =>
  platform.call('job-interview-get', { query: { position_id }, headers });
const tagOf = async (id: string) => (await get(id)).headers.get('etag') ?? '';

describe('a version', () => {
  it('saves the body of a reply that has not changed', async () => {
    const id = await cloneInterview(platform.database, { name: 'Baker' });
    const etag = await tagOf(id);
    const same = await get(id, { 'if-none-match': etag });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    await platform.call('job-interview-update', { body: { position_id: id, name: 'Cook' } });
    const changed = await get(id, { 'if-none-match': etag });
    expect([changed.status, changed.body['name']]).toEqual([200, 'Cook']);
  });

  it('of a list is that of its entries, because each cursor is sealed into another text', async () => {
    const list = (headers = {}) => platform.call('merchant-result-list', { query: { limit: '1' }, headers });
    const { headers, body } = await list();
    expect(body['pagination']).toMatchObject({ next_cursor: expect.any(String) });
    expect((await list({ 'if-none-match': headers.get('etag') })).status).toBe(304);
  });
});
