import { randomUUID } from 'node:crypto';
import { operations } from '../../../api/operations';
import { acceptedFields } from '../../../api/platform/operation/define-operation';
import { newId } from '../../harness/catalogue/catalogue-calls';
import { cloneInterview } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { definitionOf } from '../../harness/reports/report-definition';
import { putDelivery } from '../../harness/webhooks/webhook-rows';

/* Tests the cursors of lists (docs/guide/pagination.md). */

let platform: Operations;
let endpointId: string;
beforeAll(async () => {
  platform = await openOperations();
  endpointId = await addEndpoint();
  await make('catalogue-tag-create', { id: parent, name: 'Parent' });
  // The seed has few or none of these.
  for (const { add } of lists) for (let n = 0; n < 3; n++) await add?.();
});

const make = async (operation: string, body: Record<string, unknown>, token?: string) => {
  const reply = await platform.call(operation, { body, ...(token && { token }) });
  if (reply.status !== 200) throw new Error(`${operation}: ${reply.text}`);
  return reply.body;
};
const admin = () => platform.stack.tokens.admin;
const newEmail = () => `${randomUUID()}@example.com`;
const addEndpoint = async () => {
  const url = `https://hooks.example.com/${randomUUID()}`;
  return String((await make('webhook-endpoint-create', { url, events: ['interview_result'] }))['id']);
};
const addUser = () => make('invite-users', { users: [{ email: newEmail(), type: 'user' }] });
const addCandidate = (interview_id = platform.stack.ids.active_interview) =>
  make('job-interview-register-users', { interview_id, users: [{ name: 'Ann Lee', email: newEmail() }] });
const addCredit = () =>
  make(
    'merchant-credit-add',
    { merchant_id: platform.stack.merchant_id, bucket: 'extra', amount: 1, reason: 'Test' },
    admin(),
  );
const addMerchant = () =>
  make(
    'merchant-create',
    { name: `Bakery ${randomUUID()}`, owner_email: newEmail(), subscription_type: 'Growth' },
    admin(),
  );
const addKnowledge = () => make('knowledge-base-create', { name: 'Rules', text: 'Ask.' });
const parent = newId('parent');
const addDirectory = async () =>
  String((await make('catalogue-tag-create', { id: newId(), name: 'Any' }))['id']);
/** Changes which directories the parent lists. */
const changeChildren = async (change: (ids: string[]) => string[]) => {
  const { body } = await platform.call('catalogue-tag-get', { query: { id: parent } });
  return make('catalogue-tag-update', { id: parent, tags_sub: change(body['tags_sub'] as string[]) });
};
const recordsOf = (dataset: string, measure: string) => ({
  definition: JSON.stringify(
    definitionOf('Records', [{ id: 'a', type: 'kpi', dataset, measures: [measure] }]),
  ),
  block_id: 'a',
});

type List = {
  name: string;
  query?: Record<string, string>;
  isAdmins?: true;
  /** Adds an entry to the list. */
  add?: () => Promise<unknown>;
  /** Removes the entry with the id from the list. */
  remove?: (id: string) => Promise<unknown>;
};
const lists: List[] = [
  { name: 'job-interview-list', add: () => cloneInterview(platform.database, { created_at: '2999-01-01' }) },
  { name: 'interview-template-list' },
  { name: 'knowledge-base-list', add: addKnowledge },
  { name: 'merchant-candidate-list', add: () => addCandidate() },
  { name: 'merchant-invitation-list', add: addUser },
  { name: 'team-member-list', add: addUser },
  ...['created_at_newest', 'created_at_oldest', 'updated_at_newest', 'score'].map((order_by) => ({
    name: 'merchant-result-list',
    query: { order_by },
  })),
  { name: 'merchant-credit-list', add: addCredit },
  { name: 'merchant-audit-list', add: addKnowledge },
  { name: 'merchant-list', isAdmins: true, add: addMerchant },
  {
    name: 'catalogue-tag-list',
    query: { parent_tag: parent },
    add: async () => {
      const id = await addDirectory();
      return changeChildren((ids) => [...ids, id]);
    },
    remove: (id) => changeChildren((ids) => ids.filter((one) => one !== id)),
  },
  // It removes directories that the list before has.
  {
    name: 'catalogue-tag-list',
    add: addDirectory,
    remove: (id) => platform.database.rows('delete from catalogue_directory where id = $1', [id]),
  },
  { name: 'report-records', query: recordsOf('interview_results', 'started') },
  { name: 'report-records', query: recordsOf('credits', 'granted'), add: addCredit },
  { name: 'report-records', query: recordsOf('invitations', 'sent'), add: addUser },
  { name: 'report-records', query: recordsOf('ats_pipeline', 'candidates') },
  {
    name: 'report-records',
    query: recordsOf('position_pipeline', 'candidates'),
    add: () => addCandidate(platform.stack.ids.position),
  },
  {
    name: 'report-list',
    add: () => make('report-create', { definition: definitionOf('Counts') }),
    remove: (id) => make('report-archive', { id }),
  },
  { name: 'report-list', query: { scope: 'templates' } },
  {
    name: 'webhook-endpoint-list',
    add: addEndpoint,
    remove: (endpoint_id) => make('webhook-endpoint-delete', { endpoint_id }),
  },
  { name: 'webhook-delivery-list', add: () => putDelivery(platform.database, endpointId) },
];

type Row = Record<string, unknown>;
type Page = { data: Row[]; pagination: { next_cursor: string | null; total: number } };
const read = async (operation: string, query: Record<string, string>, token?: string): Promise<Page> => {
  const { status, body, text } = await platform.call(operation, { query, ...(token && { token }) });
  if (status !== 200) throw new Error(text);
  return body as unknown as Page;
};
const ids = [
  'id',
  'profile_id',
  'interview_result_id',
  'attempt',
  'profile_interview_id',
  'interview_id',
  'position_id',
  'occurred_at',
];
const keyOf = (row: Row) => ids.map((name) => row[name]).join();

describe('a cursor', () => {
  it('is taken by every list', () => {
    // `event-list` and `sync` are feeds: their cursors go on for ever.
    const offered = operations
      .filter((one) => acceptedFields(one).includes('offset'))
      .map(({ name }) => name);
    expect([...new Set(lists.map(({ name }) => name))].toSorted()).toEqual(offered.toSorted());
  });

  it.each(lists)(
    'reads each entry of $name once, list $#, while entries are added and removed',
    async ({ name, query = {}, isAdmins, add, remove }) => {
      const pageOf = (more: Record<string, string>) => read(name, { ...query, ...more }, isAdmins && admin());
      const whole = await pageOf({ limit: '500' });
      const expected = whole.data.slice(0, 60);
      const walked: Row[] = [];
      const limit = String(Math.max(1, Math.ceil(expected.length / 4)));
      const known = new Set(whole.data.map(keyOf));
      const seen = () => walked.filter((row) => known.has(keyOf(row)));
      for (let cursor: string | null = ''; cursor !== null && seen().length < expected.length;) {
        const page: Page = await pageOf({ limit, ...(cursor && { cursor }) });
        walked.push(...page.data);
        cursor = page.pagination.next_cursor;
        await add?.();
        await remove?.(String(page.data.at(-1)?.['id']));
      }
      expect(expected.length).toBeGreaterThan(1);
      expect(seen().slice(0, expected.length).map(keyOf)).toEqual(expected.map(keyOf));
      const after = (await pageOf({ limit: '500' })).data.map(keyOf);
      expect(after.some((key) => !known.has(key))).toBe(add !== undefined);
    },
  );

  it('is a 422 if it is edited, too long, of another list or order, or comes with an offset', async () => {
    const { pagination } = await read('merchant-result-list', { limit: '1' });
    const cursor = pagination.next_cursor ?? '';
    const refused: [string, Record<string, string>][] = [
      ['merchant-result-list', { cursor: `${cursor.slice(0, -2)}AA` }],
      ['merchant-result-list', { cursor: `${cursor}==` }],
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
