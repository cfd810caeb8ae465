import { operations } from '../../../api/operations';
import { callFields } from '../../../api/platform/operation/define-operation';
import { cloneInterview } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { definitionOf } from '../../harness/reports/report-definition';
import { putDelivery } from '../../harness/webhooks/webhook-rows';

/* Tests the cursors of lists (docs/guide/pagination.md#cursors). */

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  const make = (operation: string, body: Record<string, unknown>) => platform.call(operation, { body });
  // The seed has few or none of these.
  for (const n of [1, 2, 3]) {
    await make('knowledge-base-create', { name: `Rules ${n}`, text: 'Ask.' });
    await make('report-create', { definition: definitionOf(`Counts ${n}`) });
    await make('invite-users', { users: [{ email: `invited${n}@example.com`, type: 'user' }] });
    const endpoint = await make('webhook-endpoint-create', {
      url: `https://hooks.example.com/${n}`,
      events: ['interview_result'],
    });
    await putDelivery(platform.database, String(endpoint.body['id']));
  }
});

type Page = { data: Record<string, unknown>[]; pagination: { next_cursor: string | null; total: number } };
const read = async (operation: string, query: Record<string, string>): Promise<Page> => {
  const { status, body, text } = await platform.call(operation, { query });
  if (status !== 200) throw new Error(text);
  return body as unknown as Page;
};

// `event-list` is a feed: its cursor goes on for ever.
const lists = operations.filter((one) =>
  ['cursor', 'offset'].every((field) => callFields(one).includes(field)),
);
const orders = ['created_at_newest', 'created_at_oldest', 'updated_at_newest', 'score'];
const queries: [string, Record<string, string>][] = [
  ...lists.map(({ name }): [string, Record<string, string>] => [name, {}]),
  ...orders.map((order_by): [string, Record<string, string>] => ['merchant-result-list', { order_by }]),
  ['report-list', { scope: 'templates' }],
];

describe('a cursor', () => {
  it.each(queries)('continues %s where the page before ended: %j', async (operation, query) => {
    const whole = await read(operation, { ...query, limit: '200' });
    const expected = whole.data.slice(0, 60);
    const walked: unknown[] = [];
    let cursor: string | null = '';
    const limit = String(Math.max(1, Math.ceil(expected.length / 4)));
    while (cursor !== null && walked.length < expected.length) {
      const page: Page = await read(operation, { ...query, limit, ...(cursor && { cursor }) });
      walked.push(...page.data);
      cursor = page.pagination.next_cursor;
    }
    expect(expected.length).toBeGreaterThan(1);
    expect(walked.slice(0, expected.length)).toEqual(expected);
    if (whole.data.length < 60) expect(cursor).toBeNull();
  });

  it('is not moved by entries that are added', async () => {
    const query = { limit: '1', is_multistage: 'false' };
    const first = await read('job-interview-list', query);
    const second = await read('job-interview-list', { ...query, offset: '1' });
    await cloneInterview(platform.database, { created_at: '2999-01-01' });
    const next = await read('job-interview-list', { ...query, cursor: first.pagination.next_cursor ?? '' });
    expect(next.data).toEqual(second.data);
  });

  it('is a 422 if it is edited, too long, of another list or order, or comes with an offset', async () => {
    const { pagination } = await read('merchant-result-list', { limit: '1' });
    const cursor = pagination.next_cursor ?? '';
    const refused: [string, Record<string, string>][] = [
      ['merchant-result-list', { cursor: `${cursor.slice(0, -2)}AA` }],
      ['merchant-result-list', { cursor: '' }],
      ['merchant-result-list', { cursor: 'x'.repeat(10_000) }],
      ['merchant-result-list', { cursor, order_by: 'score' }],
      ['merchant-result-list', { cursor, offset: '1' }],
      ['merchant-candidate-list', { cursor }],
    ];
    for (const [operation, query] of refused) {
      const { status, body } = await platform.call(operation, { query });
      expect([query, status, body['name']]).toEqual([query, 422, 'cursor']);
    }
    const { body } = await platform.call('merchant-candidate-list', { query: { cursor } });
    expect(body).toEqual(errorBody('invalid_value', 'cursor'));
  });

  it('lists with updated_since what was changed since then', async () => {
    const position_id = await cloneInterview(platform.database);
    await platform.call('job-interview-update', { body: { position_id, name: 'Changed just now' } });
    const { data } = await read('job-interview-list', { limit: '1', filter_text: 'Changed just now' });
    const since = String(data[0]?.['updated_at']);
    const ids = async (updated_since: string) =>
      (await read('job-interview-list', { limit: '200', updated_since })).data.map(({ id }) => id);
    expect(await ids(since)).toContain(position_id);
    expect(await ids(new Date(Date.parse(since) + 1_000).toISOString())).toEqual([]);
  });
});
