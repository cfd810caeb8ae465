import { interviewId } from '../../../local/seed/fixed-id';
import { signIn } from '../../harness/identity/accounts';
import { interviewsNamed, modelAsked } from '../../harness/interviews/interview-rows';
import { startInterviewWorker } from '../../harness/interviews/interview-worker';
import { cloneInterview } from '../../harness/people/people';
import { openOperationsWith } from '../../harness/platform/operations-with-worker';
import type { OperationsWithWorker } from '../../harness/platform/operations-with-worker';
import { held, newInterview } from '../../harness/platform/platform';
import type { Reply } from '../../harness/platform/platform';

let platform: OperationsWithWorker;
beforeAll(async () => {
  platform = await openOperationsWith(await startInterviewWorker());
});
afterEach(() => platform.clearFaults());

let count = 0;
const newKey = () => `key ${++count} of this file`;
type Options = { token?: string; more?: Record<string, unknown> };
const create = (key: string, name: string, { token, more }: Options = {}) =>
  platform.call('job-interview-create', {
    body: newInterview(platform.stack, { name, interview_length: 1, ...more }),
    headers: { 'idempotency-key': key },
    ...(token ? { token } : {}),
  });
const setState = (key: string, body: Record<string, unknown>, token?: string) =>
  platform.call('job-interview-set-state', {
    body,
    headers: { 'idempotency-key': key },
    ...(token ? { token } : {}),
  });
/** Makes a call that changes nothing, for tests to which only the key matters. A creation costs 270 ms of CPU. */
const callWith = (key: string) =>
  setState(key, { position_id: platform.stack.ids.draft_interview, is_embedded: false });
const idOf = (reply: Reply) => String(reply.body['interview_def_set_id']);
const named = (name: string) => interviewsNamed(platform.database, name);
const endLeaseAt = (key: string, interval: string) =>
  platform.database.rows(`update idempotency_key set lease_until = now() + $2::interval where key = $1`, [
    key,
    interval,
  ]);
const loseLease = (key: string) => endLeaseAt(key, '-1 second');
const keyRows = (key: string) =>
  platform.database.rows<{ id: string; reply_sealed: Buffer | null }>(
    'select id, reply_sealed from idempotency_key where key = $1',
    [key],
  );

describe('Idempotency-Key on a create', () => {
  const [key, name] = [newKey(), 'Repeated'];
  const options = { more: { is_embedded: true } };
  let first: Reply;
  beforeAll(async () => {
    first = await create(key, name, options);
  });

  it('returns the same body with its secret for the same call, and creates one interview', async () => {
    const again = await create(key, name, options);
    expect(first.body['embed_signing_key']).toEqual(expect.any(String));
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await named(name)).toEqual([expect.objectContaining({ id: idOf(first), embed_keys: 1 })]);
  });

  it('stores the reply encrypted, without secret or id in plain text', async () => {
    const [row] = await keyRows(key);
    const sealed = row?.reply_sealed ?? Buffer.alloc(0);
    expect(sealed.length).toBeGreaterThan(first.text.length);
    for (const plain of [String(first.body['embed_signing_key']), idOf(first), 'embed_signing_key'])
      expect(sealed.includes(plain)).toBe(false);
    const [whole] = await platform.database.rows<{ row: string }>(
      'select k::text as row from idempotency_key k where key = $1',
      [key],
    );
    expect(whole?.row).not.toContain(String(first.body['embed_signing_key']));
  });

  it('returns 422 with the header for another body or operation, and does nothing', async () => {
    const otherBody = await create(key, 'Second body');
    expect([otherBody.status, otherBody.body.name]).toEqual([422, 'Idempotency-Key']);
    expect(await named('Second body')).toEqual([]);
    const otherOperation = await setState(key, { position_id: idOf(first), status: 'archived' });
    expect([otherOperation.status, otherOperation.body.name]).toEqual([422, 'Idempotency-Key']);
    const read = await platform.call('job-interview-get', { query: { position_id: idOf(first) } });
    expect(read.body['status']).toBe('active');
  });

  it('returns 409 while the first call runs, and its reply after that', async () => {
    const [key, name] = [newKey(), 'Running'];
    await platform.fault({ provider: 'openai', ...held });
    const first = create(key, name);
    await modelAsked(platform, name);
    expect((await create(key, name)).status).toBe(409);
    expect((await create(key, 'Another body')).status).toBe(422);
    await platform.clearFaults();
    const { status, text } = await first;
    expect(status).toBe(200);
    expect((await create(key, name)).text).toBe(text);
    expect(await named(name)).toHaveLength(1);
  });

  it('does not share keys between profiles, service keys, merchants or environments', async () => {
    const { ids, tokens, service_key, merchant_service_key, merchant_id, sub_merchant_id } = platform.stack;
    const { access_token: uat } = await signIn(platform, 'merchant_owner', 'uat');
    const own = { merchant_id, position_id: ids.active_interview, is_embedded: false };
    const callers: [token: string, body: Record<string, unknown>][] = [
      [tokens.merchant_owner, own],
      [tokens.merchant, own],
      [tokens.admin, own],
      [tokens.admin, { ...own, merchant_id: sub_merchant_id, position_id: interviewId('sub') }],
      [tokens.other_merchant_owner, { ...own, position_id: interviewId('other') }],
      [service_key, own],
      [merchant_service_key, own],
      [uat, { ...own, position_id: interviewId('uat') }],
    ];
    const shared = newKey();
    for (const replayed of [null, 'true'])
      for (const [token, body] of callers) {
        const { status, headers } = await setState(shared, body, token);
        expect([status, headers.get('idempotency-replayed')]).toEqual([200, replayed]);
      }
    expect(await keyRows(shared)).toHaveLength(callers.length);
  });

  it('releases the key after a 503 or a 422, also for another body', async () => {
    const key = newKey();
    await platform.fault({ provider: 'openai', refuse: true });
    expect((await create(key, 'Refused')).status).toBe(503);
    expect(await keyRows(key)).toEqual([]);
    expect((await create(key, 'Wrong', { more: { interview_length: 0 } })).status).toBe(422);
    const unknown = '0198ffff-0000-7000-8000-000000000000';
    expect((await create(key, 'Unknown', { more: { recruiter_profile_id: unknown } })).status).toBe(422);
    const made = await create(key, 'Accepted');
    expect(made.status).toBe(200);
    expect((await create(key, 'Accepted')).text).toBe(made.text);
  });

  it('releases the key after 24 hours, for the same and for another call', async () => {
    const key = newKey();
    const age = () =>
      platform.database.rows(
        `update idempotency_key set created_at = now() - interval '24 hours 1 second' where key = $1`,
        [key],
      );
    const first = await create(key, 'Aged');
    await age();
    const second = await create(key, 'Aged');
    expect(second.status).toBe(200);
    expect(idOf(second)).not.toBe(idOf(first));
    await age();
    const third = await callWith(key);
    expect([third.status, third.headers.get('idempotency-replayed')]).toEqual([200, null]);
    expect(await named('Aged')).toHaveLength(2);
  });
});

describe('Idempotency-Key on a write of one transaction', () => {
  it('does the work once for simultaneous calls', async () => {
    const key = newKey();
    const position_id = await cloneInterview(platform.database, { name: 'State raced' });
    const body = { position_id, is_embedded: true };
    const replies = await Promise.all(Array.from({ length: 6 }, () => setState(key, body)));
    const done = replies.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done[0]?.body).toHaveProperty('embed_signing_key');
    expect(replies.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(await named('State raced')).toEqual([expect.objectContaining({ embed_keys: 1 })]);
  });

  it('rolls the work back when the reply cannot be stored', async () => {
    const position_id = await cloneInterview(platform.database, { name: 'Undone' });
    const key = newKey();
    await platform.database.rows(
      `alter table idempotency_key add constraint no_reply check (reply_sealed is null or key <> '${key}')`,
    );
    const body = { position_id, is_embedded: true, status: 'archived' };
    const failed = await setState(key, body);
    expect(failed.status).toBe(500);
    const read = await platform.call('job-interview-get', { query: { position_id } });
    expect(read.body['status']).toBe('active');
    expect(await named('Undone')).toEqual([expect.objectContaining({ embed_keys: 0 })]);
    await platform.database.rows('alter table idempotency_key drop constraint no_reply');
    expect((await setState(key, body)).body).toHaveProperty('embed_signing_key');
  });

  it('keeps the key of a create whose reply cannot be stored, and finds its interview when it is repeated', async () => {
    const [key, name] = [newKey(), 'Kept late'];
    await platform.database.rows(
      `alter table idempotency_key add constraint no_reply check (reply_sealed is null or key <> '${key}')`,
    );
    expect((await create(key, name)).status).toBe(500);
    await platform.database.rows('alter table idempotency_key drop constraint no_reply');
    await loseLease(key);
    const found = await create(key, name);
    expect(found.status).toBe(200);
    expect(await named(name)).toEqual([expect.objectContaining({ id: idOf(found) })]);
  });
});
