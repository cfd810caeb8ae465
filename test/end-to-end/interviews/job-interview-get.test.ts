import { readOnlyFields } from '../../../api/interviews/interview-definition';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
});

let calls: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  calls = definitionCalls(platform);
});

const ignoredBy = (headers: Headers) =>
  (headers.get('x-ignored-fields')?.split(', ') ?? []).filter((name) => name !== 'questions[].avatar_video');

describe('x-ignored-fields', () => {
  it('names the read-only fields of what job-interview-get returns', async () => {
    const { id, definition } = await calls.build([given('Why us?')]);
    const { headers } = await calls.update(id, definition);
    expect(new Set(ignoredBy(headers))).toEqual(new Set(readOnlyFields));
  });

  it('names unknown fields of a body on success and on errors', async () => {
    const { id } = await calls.build([given('Why us?')]);
    const company = { name: 'Acme', town: 'Ghent' };
    const fields = { name: 'B', visibilty: 'public', hiring_for_company: company, merchant_id: 'any' };
    const done = await calls.update(id, fields);
    expect([done.status, ignoredBy(done.headers)]).toEqual([200, ['visibilty', 'hiring_for_company.town']]);
    const refused = await calls.update(id, { ...fields, name: 5 });
    expect([refused.status, ignoredBy(refused.headers)]).toEqual([422, ignoredBy(done.headers)]);
  });
});
