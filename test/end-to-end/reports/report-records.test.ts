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

  it('names results that job-interview-details returns, with the candidate', async () => {
    const { data, total } = await list({ measure: 'completed', limit: '500' });
    expect(data).toHaveLength(total);
    for (const { interview_result_id, profile_interview_id, attempt } of data.slice(0, 3)) {
      const { status, body } = await platform.call('job-interview-details', {
        token,
        query: { interview_result_id, attempt: String(attempt) },
      });
      expect(status).toBe(200);
      const [row] = await platform.database.rows<{ enrolment_id: string | null }>(
        'select enrolment_id from interview_result where id = $1',
        [interview_result_id],
      );
      expect([JSON.stringify(body).includes(interview_result_id), row?.enrolment_id]).toEqual([
        true,
        profile_interview_id,
      ]);
    }
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

  it.each([
    ['an unknown block', { block_id: 'none' }, 'block_id'],
    ['a text', { block_id: 'note' }, 'block_id'],
    ['an unknown measure', { measure: 'rejected' }, 'measure'],
    ['a row that is no JSON', { row: 'department' }, 'row'],
    ['a row that is a list', { row: '[]' }, 'row'],
    ['a row with another dimension', { row: '{"language":"en"}' }, 'row'],
    ['a row with __proto__', { row: '{"__proto__":1}' }, 'row'],
    ['a date that is none', { row: '{"completed_at":"2026-02-30"}' }, 'row'],
    ['a value of another type', { row: '{"attempt":"1"}' }, 'row'],
    ['NUL in a value', { row: '{"department":"\\u0000"}' }, 'block_id'],
    ['wrong filters', { filters: '{"period":1}' }, 'filters.period'],
    ['too many entries', { limit: '501' }, 'limit'],
    ['both a report and a definition', { definition: JSON.stringify(definition), id: '' }, 'id'],
  ])('returns a 422 for %s', async (_, query: { [name: string]: string }, name) => {
    const sent = 'id' in query ? { ...query, id } : query;
    const { status, body } = await list(sent);
    expect([status, body.name]).toEqual([422, name]);
  });

  it('has no records of credits for hiring managers', async () => {
    await platform.call('report-share', { token, body: { id, shared: true } });
    const { access_token } = await signIn(platform, 'merchant_selection');
    expect((await list({ block_id: 'credits' })).status).toBe(200);
    expect((await list({ block_id: 'credits' }, access_token)).status).toBe(422);
    expect((await list({}, access_token)).total).toBe((await list({})).total);
  });
});
