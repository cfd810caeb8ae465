import { operations } from '../../../api/operations';
import { cloneInterview } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import { definitionOf } from '../../harness/reports/report-definition';

/* Tests `ETag`, `If-None-Match` and `If-Match` (docs/guide/requests.md#versions). */

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

const get = (position_id: string, headers = {}) =>
  platform.call('job-interview-get', { query: { position_id }, headers });
const update = (body: Record<string, unknown>, tag: string, operation = 'job-interview-update') =>
  platform.call(operation, { body, headers: { 'if-match': tag } });
const tagOf = async (id: string) => (await get(id)).headers.get('etag') ?? '';

describe('a version', () => {
  it('lets one of several changes through that were made from the same reading', async () => {
    const position_id = await cloneInterview(platform.database);
    const etag = await tagOf(position_id);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const replies = await Promise.all(names.map((name) => update({ position_id, name }, etag)));
    expect(replies.map(({ status }) => String(status)).toSorted()).toEqual([
      '200',
      ...Array.from({ length: 5 }, () => '412'),
    ]);
    const winner = names[replies.findIndex(({ status }) => status === 200)];
    expect((await get(position_id)).body['name']).toBe(winner);
    expect((await update({ position_id, name: 'g' }, await tagOf(position_id))).status).toBe(200);
    // A proxy that compresses replies makes their tags weak.
    expect((await update({ position_id, name: 'h' }, `W/${await tagOf(position_id)}`)).status).toBe(200);
    expect((await update({ position_id, name: 'i' }, '*')).status).toBe(200);
    expect((await get(position_id, { 'if-match': etag })).status).toBe(200);
  });

  it('of something else changes nothing, in every operation that takes one', async () => {
    const [position_id, step] = [
      await cloneInterview(platform.database),
      await cloneInterview(platform.database),
    ];
    const post = async (operation: string, body: Record<string, unknown>) =>
      (await platform.call(operation, { body })).body;
    const position = await post('position-create', {
      name: 'Chef',
      location: 'Ghent',
      status: 'active',
      visibility: 'merchant_invite',
      steps: [step],
    });
    const base = await post('knowledge-base-create', { name: 'Rules', text: 'Ask.' });
    const report = await post('report-create', { definition: definitionOf('Counts') });
    const directory = await post('catalogue-tag-create', {
      id: 'versions-sales',
      name: 'Sales',
      platform_language_code: 'en',
    });
    const [result] = await platform.database.rows<{ id: string }>('select id from interview_result limit 1');
    const bodies: Record<string, Record<string, unknown>> = {
      'job-interview-update': { position_id, name: 'Other' },
      'position-update-steps': { position_id: position['position_id'], steps: [position_id] },
      'knowledge-base-update': { knowledge_base_id: base['id'], name: 'Other' },
      'report-update': { id: report['id'], version: 1, definition: definitionOf('Counts'), target: 'draft' },
      'catalogue-tag-update': { id: directory['id'], name: 'Other' },
      'job-interview-result-update': { interview_result_id: result?.id, recruiter_shortlist: true },
    };
    const takers = operations.filter((one) => 'reads' in one).map(({ name }) => name);
    expect(Object.keys(bodies).toSorted()).toEqual(takers.toSorted());
    for (const name of takers) {
      const { status, body } = await update(bodies[name] ?? {}, '"of-another-reading"', name);
      expect([name, status, body]).toEqual([name, 412, errorBody('precondition_failed', 'If-Match')]);
    }
  });

  it.each([['bare'], [`"${'a'.repeat(10_000)}"`], ['"é"']])('must be an ETag: %.20s', async (tag) => {
    const position_id = await cloneInterview(platform.database);
    const { status, body } = await update({ position_id, name: 'Other' }, tag);
    expect([status, body]).toEqual([422, errorBody('invalid_format', 'If-Match')]);
  });

  it('is refused by operations that do not compare it', async () => {
    const { status, body } = await update({ name: 'Rules', text: 'Ask.' }, '"a"', 'knowledge-base-create');
    expect([status, body]).toEqual([412, errorBody('precondition_failed')]);
  });
});
