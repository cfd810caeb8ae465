import { randomUUID } from 'node:crypto';
import { openPersonSession, withAdminConnection } from '../../../db/platform/credentials';
import { merchants, people } from '../../../local/seed/accounts';
import { eachRow } from '../../harness/each-row';
import { signIn } from '../../harness/identity/accounts';
import { give, makeSide, names } from '../../harness/identity/position-sides';
import type { Side } from '../../harness/identity/position-sides';
import { cloneInterview } from '../../harness/people/people';
import { allOperations } from '../../harness/platform/operation-inputs';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

/*
 * Tests how owners restrict a hiring manager to positions, and what that person can then read with operations and on pages
 * (docs/identity.md#positions-of-hiring-managers). test/db/identity/position-policies.test.ts tests the tables.
 */

let platform: Operations;
let manager: string;
let recruiter: string;
let shown: Side;
let hidden: Side;

beforeAll(async () => {
  platform = await openOperations();
  shown = await makeSide(platform, 'Gardener');
  hidden = await makeSide(platform, 'Locksmith');
  await platform.database.rows('update merchant set reports_enabled = true where id = $1', [
    merchants.main.id,
  ]);
  ({ access_token: manager } = await signIn(platform, 'merchant_selection'));
  ({ access_token: recruiter } = await signIn(platform, 'merchant'));
});

const blockOf = (dataset: string, dimensions: string[], measure: string) => ({
  id: dataset,
  type: 'table',
  dataset,
  dimensions,
  measures: [measure],
  limit: 500,
});
/** Returns a report definition that shows ids and names from every dataset that the caller can use. */
async function definition(token: string) {
  const { body } = await platform.call('report-catalog', { token });
  const datasets = body['datasets'] as {
    id: string;
    fields: { id: string; kind: string }[];
  }[];
  const wanted = [
    'position_id',
    'interview_id',
    'position_name',
    'interview_name',
    'session_name',
    'department',
  ];
  return {
    schema: 'platform.report/v1',
    title: 'Everything',
    filters: { period: { preset: 'all_time' } },
    blocks: datasets.map(({ id, fields }) =>
      blockOf(
        id,
        wanted.filter((name) => fields.some((each) => each.id === name)),
        fields.find(({ kind }) => kind === 'measure')?.id ?? '',
      ),
    ),
  };
}
async function sharedReport(): Promise<string> {
  const { body } = await platform.call('report-create', { body: { definition: await definition(manager) } });
  await platform.call('report-share', { body: { id: body['id'], shared: true } });
  return String(body['id']);
}

const thisMonth = new Date().toISOString().slice(0, 7);

type Input = Record<string, unknown>;
/**
 * How each operation that hiring managers can call is tested. `about`: the input contains the id of something that
 * belongs to one position. `refused`: like `about`, but only the rejection is tested, because a successful call would
 * wait for a worker. `all`: the reply contains data of every position. `account`: the reply does not depend on
 * positions.
 */
const tested: Record<
  string,
  | { about: (side: Side) => Input }
  | { refused: (side: Side) => Input }
  | { all: () => Promise<Input> | Input }
  | 'account'
> = {
  'job-interview-details': { about: ({ result }) => ({ interview_result_id: result }) },
  'job-interview-pdf': { refused: ({ result }) => ({ interview_result_id: result }) },
  'job-interview-get': { about: ({ position }) => ({ position_id: position }) },
  'job-interview-list': { all: () => ({}) },
  'merchant-candidate-list': { all: () => ({}) },
  'merchant-invitation-list': { all: () => ({}) },
  'merchant-result-list': { all: () => ({}) },
  'merchant-scoring-export': { all: () => ({ from: thisMonth, to: thisMonth }) },
  'webhook-delivery-get': { about: ({ delivery }) => ({ delivery_id: delivery }) },
  'webhook-delivery-list': { all: () => ({}) },
  'report-preview': { all: async () => ({ definition: await definition(manager) }) },
  'report-run': { all: async () => ({ id: await sharedReport() }) },
  'report-export': { all: async () => ({ id: await sharedReport(), block_id: 'interview_results' }) },
  'report-records': { all: async () => ({ id: await sharedReport(), block_id: 'interview_results' }) },
  'catalogue-tag-get': 'account',
  'catalogue-tag-list': 'account',
  'interview-template-list': 'account',
  'knowledge-base-get': 'account',
  'knowledge-base-list': 'account',
  'merchant-status': 'account',
  'report-catalog': 'account',
  'report-filters-save': 'account',
  'report-get': 'account',
  'report-list': 'account',
  'webhook-endpoint-get': 'account',
  'webhook-endpoint-list': 'account',
  'webhook-replay-get': 'account',
};
const readable = allOperations.filter(({ roles }) => roles.includes('merchant_selection'));

const call = (name: string, input: Input, token: string) => {
  const isGet = readable.some((each) => each.name === name && each.method === 'GET');
  const options: CallOptions = isGet ? { query: input as Record<string, string> } : { body: input };
  return platform.call(name, { token, ...options });
};

describe('a hiring manager with one position', () => {
  beforeAll(async () => {
    expect(await give(platform, [shown.position])).toMatchObject({
      status: 200,
      body: { updated_fields: ['position_ids'] },
    });
  });

  it('is tested with every operation that it can call', () => {
    expect(readable.map(({ name }) => name).toSorted()).toEqual(Object.keys(tested).toSorted());
  });

  it('reads nothing of another position with any operation', () =>
    eachRow(
      readable.map(({ name }) => name),
      async (name) => {
        const how = tested[name];
        if (how === undefined || how === 'account') return;
        if (!('all' in how)) {
          const inputOf = 'about' in how ? how.about : how.refused;
          const unknown = { ...shown, ...hidden };
          for (const key of Object.keys(unknown) as (keyof Side)[]) unknown[key] = randomUUID();
          const refused = await call(name, inputOf(hidden), manager);
          expect([refused.status, refused.text]).toEqual([
            404,
            (await call(name, inputOf(unknown), manager)).text,
          ]);
          if ('refused' in how) return;
          expect((await call(name, how.about(hidden), recruiter)).status).toBe(200);
          expect((await call(name, how.about(shown), manager)).status).toBe(200);
          return;
        }
        const input = await how.all();
        const [limited, whole] = [await call(name, input, manager), await call(name, input, recruiter)];
        expect([limited.status, whole.status]).toEqual([200, 200]);
        expect([names(limited.text, shown), names(limited.text, hidden)]).toEqual([true, false]);
        expect([names(whole.text, shown), names(whole.text, hidden)]).toEqual([true, true]);
      },
    ));

  it('gets the same reply to a filter by another position as to one by an unknown id', async () => {
    for (const [operation, field, id] of [
      ['merchant-result-list', 'interview_id', hidden.position],
      ['merchant-result-list', 'interview_id', hidden.interview],
      ['webhook-delivery-list', 'result_id', hidden.result],
    ] as const) {
      const { status, body } = await call(operation, { [field]: id }, manager);
      const unknown = await call(operation, { [field]: randomUUID() }, manager);
      expect([status, body.error]).toEqual([unknown.status, unknown.body.error]);
      expect((await call(operation, { [field]: id }, recruiter)).status).toBe(200);
    }
  });

  it('sees only the counts of that position', async () => {
    const { body } = await call('merchant-status', {}, manager);
    expect(body).toMatchObject({
      definitions_active: 2,
      candidates: 1,
      interview_results: 1,
      interviews_undecided: 1,
      interviews_ongoing: 0,
    });
    expect([body['candidates_history'], body['interview_result_history']]).toEqual([
      [1, ...Array<number>(13).fill(0)],
      [1, ...Array<number>(13).fill(0)],
    ]);
    const whole = (await call('merchant-status', {}, recruiter)).body;
    expect(Number(whole['candidates'])).toBeGreaterThan(1);
    expect(whole['credits_interview_extra']).toBe(body['credits_interview_extra']);
  });
});

const listed = async () => {
  const { body } = await platform.call('team-member-list', { query: { role: 'merchant_selection' } });
  const rows = body['data'] as { profile_id: string; position_ids: string[] | null }[];
  return rows.find(({ profile_id }) => profile_id === people.merchant_selection.id)?.position_ids;
};

describe('position_ids', () => {
  beforeAll(() => give(platform, null));

  it('are listed, apply with the next request, and show everything again when they are null', async () => {
    const results = async () => (await platform.call('merchant-result-list', { token: manager })).text;
    expect((await give(platform, [hidden.position, shown.position, shown.position])).status).toBe(200);
    expect(await listed()).toEqual([hidden.position, shown.position].toSorted());
    expect(names(await results(), hidden)).toBe(true);
    expect((await give(platform, [shown.position, hidden.position])).body).toMatchObject({
      updated_fields: [],
    });
    await give(platform, []);
    expect(await listed()).toEqual([]);
    expect(JSON.parse(await results())).toMatchObject({ data: [], pagination: { total: 0 } });
    await give(platform, null);
    expect(await listed()).toBeNull();
    expect(names(await results(), hidden)).toBe(true);
    const acts = await platform.database.rows(
      `select details from audit_entry where act = 'team-member-positions' order by id desc limit 2`,
    );
    expect(acts).toEqual([
      { details: { from: [], to: null } },
      { details: { from: expect.any(Array), to: [] } },
    ]);
  });

  it('return 422 with the index of an id that names no open interview or position', () =>
    eachRow(
      [
        ['unknown', () => randomUUID()],
        ['archived', () => cloneInterview(platform.database, { status: 'archived' })],
        ['deleted', () => cloneInterview(platform.database, { status: 'deleted' })],
        ['unbuilt', () => cloneInterview(platform.database, { built_at: null })],
        ['of another merchant', () => cloneInterview(platform.database, { merchant_id: merchants.other.id })],
      ],
      async (_, makeId) => {
        const { status, body } = await give(platform, [shown.position, shown.interview, await makeId()]);
        expect([status, body]).toMatchObject([422, { name: 'position_ids[2]', code: 'unknown_id' }]);
        expect(await listed()).toBeNull();
      },
    ));

  it('return 422 for people with another role, and have no effect while the role is another one', async () => {
    const other = { profile_id: people.merchant.id };
    expect((await give(platform, [shown.position], other)).body).toMatchObject({
      name: 'position_ids',
      code: 'conflicting_fields',
    });
    expect((await give(platform, [shown.position], { role: 'merchant' })).status).toBe(422);
    expect((await give(platform, null, other)).body).toMatchObject({ updated_fields: [] });
    expect((await give(platform, [shown.position], { withdraw: true })).body).toMatchObject({
      code: 'conflicting_fields',
    });

    await give(platform, [shown.position]);
    const update = (role: string) =>
      platform.call('team-member-update', { body: { profile_id: people.merchant_selection.id, role } });
    await update('merchant');
    const { access_token: token } = await withAdminConnection(platform.database.adminUrl, (client) =>
      openPersonSession(client, { ...people.merchant_selection, role: 'merchant' }, 'production', {
        signingKeys: platform.signingKeysFile,
        issuer: platform.stack.origin,
      }),
    );
    expect(names((await platform.call('merchant-result-list', { token })).text, hidden)).toBe(true);
    await update('merchant_selection');
    expect(await listed()).toEqual([shown.position]);
  });
});
