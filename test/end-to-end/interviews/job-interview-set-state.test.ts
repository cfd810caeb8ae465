import { interviewStatuses } from '../../../db/platform/vocabulary';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import type { Platform } from '../../harness/platform/platform';
import { meetAtInterview } from '../../harness/platform/row-lock';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof definitionCalls>;
let id: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  calls = definitionCalls(platform);
});
beforeEach(async () => {
  ({ id } = await calls.build([given('Why us?')]));
});

const setState = (position_id: string, fields: Record<string, unknown>) =>
  platform.call('job-interview-set-state', { body: { position_id, ...fields } });
const setRow = (table: string, row: string, status: string) =>
  platform.database.rows(`update ${table} set status = $2 where id = $1`, [row, status]);
const statusOf = async (table: string, row: string) =>
  (await platform.database.rows<{ status: string }>(`select status from ${table} where id = $1`, [row]))[0]
    ?.status;
const keys = () =>
  platform.database.rows<{ id: string; revoked: boolean; sealed: string }>(
    `select id, revoked_at is not null as revoked, encode(signing_key_sealed, 'escape') as sealed from embed_key
     where interview_id = $1 order by created_at`,
    [id],
  );
const living = interviewStatuses.filter((status) => status !== 'deleted');

describe('job-interview-set-state', () => {
  it.each(interviewStatuses)('changes any status to %s, for an interview and a position', async (to) => {
    for (const [table, row, before] of [
      ['interview', id, living],
      ['position', platform.stack.ids.position, living.slice(0, 2)],
    ] as const)
      for (const from of before) {
        await setRow(table, row, from);
        const reply = await setState(row, { status: to });
        expect([from, reply.status, reply.body]).toEqual([from, 200, { success: true }]);
        expect([from, await statusOf(table, row)]).toEqual([from, to]);
      }
  });

  it('changes nothing when the interview has the status already', async () => {
    const before = await calls.read(id);
    expect((await setState(id, { status: 'active' })).body).toEqual({ success: true });
    expect(await calls.read(id)).toEqual(before);
  });

  it('creates a key for is_embedded once, revokes it and creates another one', async () => {
    const first = await setState(id, { is_embedded: true });
    expect(first.body).toEqual({
      embed_id: expect.any(String),
      embed_signing_key: expect.stringMatching(/^esk_[\w-]{43}$/),
    });
    expect((await setState(id, { is_embedded: true })).body).toEqual({ success: true });
    expect((await setState(id, { is_embedded: false })).body).toEqual({ success: true });
    expect((await setState(id, { is_embedded: false })).body).toEqual({ success: true });
    const second = await setState(id, { is_embedded: true, status: 'archived' });
    expect(second.body['embed_id']).not.toBe(first.body['embed_id']);
    expect((await calls.read(id))['status']).toBe('archived');
    const stored = await keys();
    expect(stored.map((row) => [row.id, row.revoked])).toEqual([
      [first.body['embed_id'], true],
      [second.body['embed_id'], false],
    ]);
    for (const reply of [first, second])
      for (const { sealed } of stored) {
        expect(sealed).not.toContain(reply.body['embed_signing_key']);
        expect(sealed).not.toContain(String(reply.body['embed_signing_key']).slice(4));
      }
  });

  it('creates one key for simultaneous calls with is_embedded, and returns it to one of them', async () => {
    const replies = await meetAtInterview(
      platform.database,
      id,
      Array.from({ length: 4 }, () => () => setState(id, { is_embedded: true })),
    );
    const told = replies.filter(({ body }) => 'embed_signing_key' in body);
    expect(told).toHaveLength(1);
    expect((await keys()).map((row) => row.id)).toEqual([told[0]?.body['embed_id']]);
  });

  it.each([true, false])(
    'returns 422 for is_embedded %s of a position, and keeps the status',
    async (is_embedded) => {
      const position = platform.stack.ids.position;
      await setRow('position', position, 'active');
      const reply = await setState(position, { is_embedded, status: 'archived' });
      expect([reply.status, reply.body.name]).toEqual([422, 'is_embedded']);
      expect(await statusOf('position', position)).toBe('active');
    },
  );
});
