import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createSeal } from '../../../db/platform/sealed';
import { merchants } from '../../../local/seed/accounts';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { cloneInterview } from '../../harness/people/people';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';
import { waitFor } from '../../harness/wait-for';
import { putResult } from '../../harness/webhooks/webhook-rows';

type Entry = { object: string; id: string; version: number; body: unknown };
type SyncReply = {
  data: Entry[];
  deleted: (Omit<Entry, 'body'> & { reason: string })[];
  cursor: string;
  has_more: boolean;
  lag_ms: number;
};

/** A copy of an account, by object and id. `read` brings it up to date. */
function createMirror(
  platform: Pick<Operations, 'call'>,
  query: Record<string, string> = {},
  options: CallOptions = {},
) {
  const entries = new Map<string, Entry>();
  const mirror = {
    cursor: undefined as string | undefined,
    entries,
    bodies: (object: string): Map<string, unknown> =>
      new Map(
        [...entries.values()].filter((each) => each.object === object).map(({ id, body }) => [id, body]),
      ),
    keys: () => [...entries.keys()],
    /** Reads one page. Throws if the status is not 200. */
    async page(): Promise<SyncReply> {
      const { status, body, text } = await platform.call('sync', {
        query: { ...query, ...(mirror.cursor === undefined ? {} : { cursor: mirror.cursor }) },
        ...options,
      });
      if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`);
      const reply = body as unknown as SyncReply;
      for (const each of reply.data) entries.set(`${each.object} ${each.id}`, each);
      for (const { object, id } of reply.deleted) entries.delete(`${object} ${id}`);
      mirror.cursor = reply.cursor;
      return reply;
    },
    /**
     * Reads until all of these have come, each as `object id` or `object id reason`. Transactions of other tests, in
     * other databases of the same Postgres, can make them wait. Returns what came.
     */
    async until(...expected: string[]): Promise<string[]> {
      const came: string[] = [];
      await waitFor(`changes of ${expected.join(', ')}`, async () => {
        came.push(...(await mirror.read()));
        return expected.every((each) => came.includes(each));
      });
      return came;
    },
    /** Reads until there is no more. Returns what came, as `object id`. */
    async read(): Promise<string[]> {
      const came: string[] = [];
      for (;;) {
        const { data, deleted, has_more } = await mirror.page();
        came.push(
          ...data.map(({ object, id }) => `${object} ${id}`),
          ...deleted.map(({ object, id, reason }) => `${object} ${id} ${reason}`),
        );
        if (!has_more) return came;
      }
    },
  };
  return mirror;
}

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

type Row = Record<string, unknown>;

/** Reads all pages of a list, by the ids of the rows. */
async function listAll(operation: string, key = 'id'): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>();
  for (let offset = 0; ; offset += 100) {
    const { body } = await platform.call(operation, { query: { limit: '100', offset: String(offset) } });
    const data = body['data'] as Row[];
    for (const row of data) all.set(String(row[key]), row);
    if (data.length < 100) return all;
  }
}
/** Reads objects one by one. */
async function getAll(operation: string, parameter: string, ids: Iterable<string>) {
  const all = new Map<string, unknown>();
  for (const id of ids) {
    const { status, body } = await platform.call(operation, { query: { [parameter]: id } });
    expect([operation, id, status]).toEqual([operation, id, 200]);
    all.set(id, body);
  }
  return all;
}

describe('GET /sync', () => {
  it('returns every object as the operation that reads it', async () => {
    const mirror = createMirror(platform, { limit: '50' });
    await mirror.read();
    const ids = async (operation: string) => [...(await listAll(operation)).keys()];
    const definitions = await getAll('job-interview-get', 'position_id', await ids('job-interview-list'));
    const [positions, interviews] = [true, false].map(
      (wanted) => new Map([...definitions].filter(([, body]) => (body as Row)['is_multistage'] === wanted)),
    );
    expect(mirror.bodies('interview')).toEqual(interviews);
    expect(mirror.bodies('position')).toEqual(positions);
    expect(mirror.bodies('candidate')).toEqual(
      await listAll('merchant-candidate-list', 'profile_interview_id'),
    );
    expect(mirror.bodies('invitation')).toEqual(await listAll('merchant-invitation-list'));
    expect(mirror.bodies('credit_entry')).toEqual(await listAll('merchant-credit-list'));
    expect(mirror.bodies('audit_entry')).toEqual(await listAll('merchant-audit-list'));
    expect(mirror.bodies('team_member')).toEqual(await listAll('team-member-list', 'profile_id'));
    expect(mirror.bodies('knowledge_base')).toEqual(
      await getAll('knowledge-base-get', 'knowledge_base_id', await ids('knowledge-base-list')),
    );
    expect(mirror.bodies('directory')).toEqual(
      await getAll('catalogue-tag-get', 'id', mirror.bodies('directory').keys()),
    );
    const results = await getAll(
      'job-interview-details',
      'interview_result_id',
      mirror.bodies('result').keys(),
    );
    expect(mirror.bodies('result')).toEqual(results);
    expect([...results.keys()]).toEqual(
      expect.arrayContaining([...(await listAll('merchant-result-list', 'interview_result_id')).keys()]),
    );
    for (const [id, body] of await getAll('report-get', 'id', mirror.bodies('report').keys())) {
      const { schedules: _, saved_filters: __, ...report } = body as Row;
      expect(mirror.bodies('report').get(id)).toEqual(report);
    }
    for (const object of [
      'interview',
      'position',
      'candidate',
      'result',
      'team_member',
      'knowledge_base',
      'directory',
    ])
      expect([object, mirror.bodies(object).size > 0]).toEqual([object, true]);
  });

  it('returns changes, deletions and decisions after the cursor, and nothing else', async () => {
    const interview = await cloneInterview(platform.database, { name: 'Baker' });
    const mirror = createMirror(platform);
    await mirror.until(`interview ${interview}`);
    await platform.call('job-interview-update', { body: { position_id: interview, name: 'Cook' } });
    const came = await mirror.until(`interview ${interview}`);
    expect(came.filter((each) => !/^(?:interview|audit_entry|position) /.test(each))).toEqual([]);
    expect(mirror.bodies('interview').get(interview)).toMatchObject({ name: 'Cook' });
    await platform.call('job-interview-set-state', { body: { position_id: interview, status: 'deleted' } });
    await mirror.until(`interview ${interview} deleted`);
    expect(mirror.bodies('interview').has(interview)).toBe(false);
    const result = platform.stack.ids.submitted_result;
    const decide = (recruiter_go_next_round: boolean | null) =>
      platform.call('job-interview-result-update', {
        body: { interview_result_id: result, recruiter_go_next_round, send_next_step: false },
      });
    expect((await decide(false)).status).toBe(200);
    await mirror.until(`decision ${result}`);
    expect(mirror.bodies('decision').get(result)).toMatchObject({
      recruiter_go_next_round: false,
      decided_by: expect.any(String),
      decided_at: expect.any(String),
    });
    await decide(null);
    await mirror.until(`decision ${result} deleted`);
  });

  it('returns only the objects that were asked for, and no more than the limit', async () => {
    const objects = ' result,interview';
    const { data, has_more } = await createMirror(platform, { objects, limit: '1' }).page();
    expect([data.length, has_more]).toEqual([1, true]);
    const came = await createMirror(platform, { objects }).read();
    expect(new Set(came.map((each) => each.split(' ')[0]))).toEqual(new Set(['interview', 'result']));
  });

  it('ends a reply early when it is large', async () => {
    const mirror = createMirror(platform, { objects: 'result', limit: '500' });
    await mirror.read();
    const ai_analysis = 'All went well. '.repeat(3000);
    // In one transaction, so that a page has either none of them or more than fit.
    await platform.database.rows('begin');
    const large = await Promise.all(
      Array.from({ length: 60 }, () => putResult(platform.database, { ai_analysis })),
    );
    await platform.database.rows('commit');
    await waitFor('a page of large results', async () => {
      const { data, has_more } = await mirror.page();
      return has_more && data.length < large.length;
    });
    await waitFor('all of them', async () => {
      await mirror.read();
      return large.every((id) => mirror.bodies('result').has(id));
    });
  });

  it('returns nothing of the team to a service key', async () => {
    const key = await makeKey(platform, merchants.main.id);
    const options = { token: key };
    const mirror = createMirror(platform, { merchant_id: merchants.main.id }, options);
    await mirror.read();
    expect([mirror.bodies('team_member').size, mirror.bodies('interview').size > 0]).toEqual([0, true]);
    const query = { merchant_id: merchants.main.id, objects: 'team_member' };
    const { status, body } = await platform.call('sync', { query, ...options });
    expect([status, body['name']]).toEqual([422, 'objects']);
  });

  it('rejects cursors that are edited, of another account, environment, list or generation, or too old', async () => {
    const { body } = await platform.call('sync', { query: { limit: '1' } });
    const cursor = String(body['cursor']);
    const answer = async (query: Record<string, string>, token?: string) => {
      const reply = await platform.call('sync', { query, ...(token === undefined ? {} : { token }) });
      return [reply.status, reply.body['code'] ?? null, reply.body['name'] ?? null];
    };
    const expired = [410, 'sync_cursor_expired', 'cursor'];
    expect(await answer({ cursor })).toEqual([200, null, null]);
    const flipped = `${cursor.slice(0, 60)}${cursor[60] === 'A' ? 'B' : 'A'}${cursor.slice(61)}`;
    for (const edited of [flipped, cursor.slice(0, -4), `${cursor}AAAA`, 'any', '', '%00'])
      expect([edited, await answer({ cursor: edited })]).toEqual([edited, [422, 'invalid_value', 'cursor']]);
    expect(await answer({ cursor: 'A'.repeat(10_000) })).toEqual([422, 'too_long', 'cursor']);
    expect(await answer({ cursor, objects: 'result' })).toEqual(expired);
    expect(await answer({ cursor }, (await signIn(platform, 'merchant_owner', 'demo')).access_token)).toEqual(
      expired,
    );
    const admin = (await signIn(platform, 'admin')).access_token;
    expect(await answer({ cursor, merchant_id: merchants.other.id }, admin)).toEqual(expired);
    expect(await answer({ cursor, merchant_id: merchants.main.id }, admin)).toEqual([200, null, null]);
    const seal = createSeal(platform.sealingKeys);
    const aged = (days: number) => {
      const opened = JSON.parse(seal.open(Buffer.from(cursor, 'base64url'), 'sync cursor')) as {
        since: number;
      };
      const since = opened.since - days * 86_400_000;
      return seal.seal(JSON.stringify({ ...opened, since }), 'sync cursor').toString('base64url');
    };
    expect(await answer({ cursor: aged(89) })).toEqual([200, null, null]);
    expect(await answer({ cursor: aged(90.1) })).toEqual(expired);
    await platform.database.rows(`update sync_generation set generation = gen_random_uuid()`);
    expect(await answer({ cursor })).toEqual(expired);
  });

  it('begins again after a restore, with changes of another cluster, too', async () => {
    const mirror = createMirror(platform, { objects: 'interview' });
    await mirror.read();
    // In the cluster of the backup, more transactions have run than in this one.
    await platform.database.rows(`update change set tx = '9000000000' where object = 'interview'`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--enable-source-maps', 'dist/api/commands/renew-sync-generation.js'],
      { env: { ADMIN_DATABASE_URL: platform.database.adminUrl } },
    );
    expect(stdout).toMatch(/expired/);
    await expect(mirror.page()).rejects.toThrow('410');
    const again = createMirror(platform, { objects: 'interview' });
    await again.until(...mirror.keys());
    expect(again.bodies('interview')).toEqual(mirror.bodies('interview'));
  });

  it('waits for a transaction that is still running, says how long, and loses nothing', async () => {
    const interview = await cloneInterview(platform.database, { name: 'Slow' });
    const mirror = createMirror(platform, { objects: 'interview' });
    await mirror.until(`interview ${interview}`);
    await platform.database.rows('begin');
    await platform.database.rows(`update interview set name = 'Slower' where id = $1`, [interview]);
    const quick = await platform.call('job-interview-update', {
      body: { position_id: platform.stack.ids.active_interview, code: 'quick' },
    });
    expect(quick.status).toBe(200);
    const before = await mirror.page();
    const later = await mirror.page();
    expect([before.data, later.data, before.has_more]).toEqual([[], [], false]);
    expect(later.lag_ms).toBeGreaterThan(before.lag_ms);
    await platform.database.rows('commit');
    const came = await mirror.until(
      `interview ${interview}`,
      `interview ${platform.stack.ids.active_interview}`,
    );
    expect(came.length).toBe(2);
    await waitFor('no lag', async () => (await mirror.page()).lag_ms === 0);
  });
});
