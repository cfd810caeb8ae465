import { signIn } from '../../harness/identity/accounts';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let token: string;
let id: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  ({ access_token: token } = await signIn(platform, 'merchant_owner'));
  const { body } = await platform.call('report-create', { token, body: { definition } });
  id = String(body['id']);
});

const definition = {
  schema: 'platform.report/v1',
  title: 'Records',
  filters: { period: { preset: 'all_time' } },
  blocks: [
    {
      id: 'months',
      type: 'table',
      dataset: 'interview_results',
      dimensions: [{ field: 'completed_at', grain: 'month' }, 'department', 'attempt'],
      measures: ['completed', 'started', 'shortlist_rate'],
      limit: 500,
    },
    { id: 'sent', type: 'kpi', dataset: 'invitations', measures: ['sent'] },
    { id: 'credits', type: 'kpi', dataset: 'credits', measures: ['consumed'] },
    { id: 'note', type: 'text', content_md: 'Note' },
  ],
};
type Record = { interview_result_id: string; profile_interview_id: string | null; attempt: number };
const list = async (query: { [name: string]: string }, as = token) => {
  const { status, body } = await platform.call('report-records', {
    token: as,
    query: { ...('definition' in query ? {} : { id }), block_id: 'months', ...query },
  });
  return {
    status,
    body,
    data: body['data'] as Record[],
    total: (body['pagination'] as { total: number })?.total,
  };
};

describe('report-records', () => {
  it('lists what each number of each row counts', async () => {
    const run = await platform.call('report-run', { token, query: { id, block_id: 'months' } });
    const [block] = run.body['blocks'] as { rows: { [name: string]: unknown }[] }[];
    expect(block?.rows.length).toBeGreaterThan(0);
    for (const row of block?.rows ?? [])
      for (const measure of ['completed', 'started'])
        expect([measure, (await list({ row: JSON.stringify(row), measure, limit: '1' })).total]).toEqual([
          measure,
          row[measure],
        ]);
  });

  it('takes a definition that is not stored, and filters', async () => {
    const sent = { definition: JSON.stringify(definition) };
    expect((await list(sent)).total).toBe((await list({})).total);
    const filters = JSON.stringify({ period: { preset: 'custom', from: '2001-01-01', to: '2001-01-02' } });
    expect((await list({ ...sent, filters })).body).toEqual({
      data: [],
      pagination: { total: 0, limit: 50, offset: 0, has_more: false },
    });
    expect((await list({ block_id: 'sent' })).status).toBe(200);
  });

  it('returns a 422 with the name of the wrong field', async () => {
    const wrong: [{ [name: string]: string }, string][] = [
      [{ block_id: 'none' }, 'block_id'],
      [{ block_id: 'note' }, 'block_id'],
      [{ measure: 'rejected' }, 'measure'],
      [{ row: 'department' }, 'row'],
      [{ row: '[]' }, 'row'],
      [{ row: '{"language":"en"}' }, 'row'],
      [{ row: '{"__proto__":1}' }, 'row'],
      [{ row: '{"completed_at":"2026-02-30"}' }, 'row'],
      [{ row: '{"attempt":"1"}' }, 'row'],
      [{ row: '{"department":"\\u0000"}' }, 'block_id'],
      [{ filters: '{"period":1}' }, 'filters.period'],
      [{ definition: JSON.stringify(definition), id }, 'id'],
    ];
    for (const [query, name] of wrong) {
      const { status, body } = await list(query);
      expect([query, status, body.name]).toEqual([query, 422, name]);
    }
  });
});
