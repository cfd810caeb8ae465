import { readOnlyFields } from '../../../api/interviews/interview-definition';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import { errorBody } from '../../harness/platform/error-body';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { ours } from '../../harness/webhooks/webhook-rows';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
});

const ignoredBy = (headers: Headers) => headers.get('x-ignored-fields')?.split(', ') ?? [];

describe('what job-interview-get returns', () => {
  it('changes nothing when it is sent back, for every interview and position', async () => {
    const rows = await platform.database.rows<{ id: string }>(
      `select id from interview where merchant_id = $1 and environment = $2 and status <> 'deleted'
       union all select id from position where merchant_id = $1 and environment = $2 and status <> 'deleted'`,
      [ours.merchant_id, ours.environment],
    );
    expect(rows.length).toBeGreaterThan(3);
    for (const { id } of rows) {
      const before = await calls.read(id);
      const { status, body, headers } = await calls.update(id, before);
      expect([id, status, body]).toMatchObject([id, 200, { updated_fields: [] }]);
      expect(new Set(ignoredBy(headers))).toEqual(new Set(readOnlyFields));
      expect(await calls.read(id)).toEqual(before);
    }
  });

  it('changes one field when one is changed, with the name that get returns', async () => {
    const { id, definition } = await calls.build([given('Why us?')]);
    const change = async (fields: Record<string, unknown>) =>
      (await calls.update(id, { ...definition, ...fields })).body['updated_fields'];
    expect(await change({ interview_location: 'Berlin' })).toEqual(['location']);
    expect(await change({ interview_location: 'Berlin', interview_description_long: 'New' })).toEqual([
      'description_long',
    ]);
    const result_scoring = { max_score: 7 };
    expect(await change({ result_scoring })).toEqual(expect.arrayContaining(['custom_scoring']));
    expect(await calls.read(id)).toMatchObject({ result_scoring: expect.objectContaining(result_scoring) });
  });

  it('gets a 422 with another value under the other name of a field, and changes nothing', async () => {
    const { id, definition } = await calls.build([given('Why us?')]);
    const reply = await calls.update(id, { ...definition, location: 'Berlin' });
    expect([reply.status, reply.body]).toEqual([422, errorBody('conflicting_fields', 'interview_location')]);
    expect(await calls.read(id)).toEqual(definition);
  });
});

describe('interview_id', () => {
  it('is accepted by get, update and set-state', async () => {
    const { id, definition } = await calls.build([given('Why us?')]);
    const body = { interview_id: id };
    expect((await platform.call('job-interview-get', { query: body })).body).toEqual(definition);
    const updated = await platform.call('job-interview-update', { body: { ...body, name: 'Another' } });
    expect(updated.body).toMatchObject({ position_id: id, updated_fields: ['name'] });
    const set = await platform.call('job-interview-set-state', { body: { ...body, status: 'draft' } });
    expect(set.body).toEqual({ success: true });
    expect(await calls.read(id)).toMatchObject({ name: 'Another', status: 'draft' });
  });
});

describe('x-ignored-fields', () => {
  it('names unknown fields of a body on success and on errors', async () => {
    const { id } = await calls.build([given('Why us?')]);
    const company = { name: 'Acme', town: 'Ghent' };
    const fields = { name: 'B', visibilty: 'public', hiring_for_company: company, merchant_id: 'any' };
    const done = await calls.update(id, fields);
    expect([done.status, ignoredBy(done.headers)]).toEqual([200, ['visibilty', 'hiring_for_company.town']]);
    const refused = await calls.update(id, { ...fields, name: 5 });
    expect([refused.status, ignoredBy(refused.headers)]).toEqual([422, ignoredBy(done.headers)]);
  });

  it('names unknown parameters of a query, and is missing when all are known', async () => {
    const { headers } = await platform.call('interview-template-list', { query: { limit: '1', 'a b': '1' } });
    expect(ignoredBy(headers)).toEqual(['a%20b']);
    const known = await platform.call('interview-template-list', { query: { limit: '1' } });
    expect(known.headers.get('x-ignored-fields')).toBeNull();
  });

  it('names unknown fields of rows', async () => {
    const { id } = await calls.build([given('Why us?')]);
    const users = [{ email: 'ann@example.com', ats: 1 }];
    const { headers } = await platform.call('job-interview-register-users', {
      body: { interview_id: id, users, is_tset: true },
    });
    expect(ignoredBy(headers)).toEqual(['is_tset', 'users[].ats']);
  });
});
