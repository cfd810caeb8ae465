import { people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { Reply } from '../../harness/platform/platform';

/* test/end-to-end/http/scope.test.ts tests the rules of every operation. */

let platform: Operations;
beforeAll(async () => {
  platform = await openOperations();
});

const merchant = (id?: string): Record<string, string> => (id === undefined ? {} : { merchant_id: id });
const read = (token: string, key: string, merchantId?: string) =>
  platform.call('job-interview-get', {
    token,
    query: { position_id: interviewId(key), ...merchant(merchantId) },
  });
const rename = (token: string, key: string, merchantId?: string) =>
  platform.call('job-interview-update', {
    token,
    body: { position_id: interviewId(key), code: 'scope-test', ...merchant(merchantId) },
  });
const seen = ({ status, body }: Reply) => [status, body.name];
const access = (person: { id: string }, merchantId: string, role: string) =>
  platform.database.rows(
    `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, $3)
     on conflict (merchant_id, profile_id) do update set role = excluded.role`,
    [merchantId, person.id, role],
  );

describe('the merchant of a call', () => {
  it('is any merchant that an admin names, and only that one', async () => {
    const { tokens, merchant_id: main, other_merchant_id: other, sub_merchant_id: sub } = platform.stack;
    expect((await read(tokens.admin, 'active', main)).status).toBe(200);
    expect((await read(tokens.admin, 'other', other)).status).toBe(200);
    expect((await read(tokens.admin, 'sub', sub.toUpperCase())).status).toBe(200);
    expect((await read(tokens.admin, 'active', other)).status).toBe(404);
    expect((await rename(tokens.admin, 'other', other)).status).toBe(200);
  });

  it('is the operator’s own or one with access, and a malformed id gets a 422', async () => {
    const { tokens, merchant_id: main, sub_merchant_id: sub, other_merchant_id: other } = platform.stack;
    expect((await read(tokens.operator, 'active')).status).toBe(200);
    expect((await read(tokens.operator, 'active', main)).status).toBe(200);
    expect((await read(tokens.operator, 'sub', sub)).status).toBe(200);
    expect((await rename(tokens.operator, 'sub', sub)).status).toBe(200);
    expect((await read(tokens.operator, 'sub')).status).toBe(404);
    expect((await read(tokens.operator, 'active', sub)).status).toBe(404);
    expect((await read(tokens.operator, 'other', other)).status).toBe(403);
    expect(seen(await read(tokens.operator, 'active', 'garbage'))).toEqual([422, 'merchant_id']);
  });

  it('is the key’s own or a sub-merchant, and any merchant for a key of the platform', async () => {
    const { service_key, merchant_id: main, sub_merchant_id: sub, other_merchant_id: other } = platform.stack;
    const own = platform.stack.merchant_service_key;
    expect((await read(own, 'active', main)).status).toBe(200);
    expect((await read(own, 'sub', sub)).status).toBe(200);
    expect((await rename(own, 'sub', sub)).status).toBe(200);
    expect(seen(await read(own, 'other', other))).toEqual([422, 'merchant_id']);
    expect(seen(await read(own, 'active', 'garbage'))).toEqual([422, 'merchant_id']);
    expect((await read(service_key, 'other', other)).status).toBe(200);
    expect((await read(service_key, 'active', other)).status).toBe(404);
    const subKey = await makeKey(platform, sub);
    expect((await read(subKey, 'sub', sub)).status).toBe(200);
    expect(seen(await read(subKey, 'active', main))).toEqual([422, 'merchant_id']);
  });

  it('does not give access to another environment', async () => {
    const { merchant_id: main, tokens } = platform.stack;
    const uatKey = await makeKey(platform, null, 'uat');
    const uat = (await signIn(platform, 'merchant', 'uat')).access_token;
    expect((await read(uatKey, 'uat', main)).status).toBe(200);
    expect((await read(uat, 'uat')).body['environment']).toBe('uat');
    expect((await read(uatKey, 'active', main)).status).toBe(404);
    expect((await read(uat, 'active')).status).toBe(404);
    expect((await read(tokens.merchant_owner, 'uat')).status).toBe(404);
    expect((await rename(uatKey, 'active', main)).status).toBe(404);
    const query = { position_id: positionIds.main, merchant_id: main };
    expect((await platform.call('job-interview-get', { token: uatKey, query })).status).toBe(404);
  });
});

describe('access to another merchant', () => {
  it('has its own role: a person who writes at home only reads there', async () => {
    const { merchant_id: main, sub_merchant_id: sub } = platform.stack;
    await access(people.merchant, sub, 'merchant_selection');
    const { access_token: token } = await signIn(platform, 'merchant');
    expect((await read(token, 'sub', sub)).status).toBe(200);
    expect((await rename(token, 'sub', sub)).status).toBe(403);
    expect((await rename(token, 'active')).status).toBe(200);
    expect((await rename(token, 'active', main)).status).toBe(200);
  });

  it('ends at once when it is revoked', async () => {
    const { sub_merchant_id: sub } = platform.stack;
    await access(people.merchant, sub, 'merchant');
    const { access_token: token } = await signIn(platform, 'merchant');
    expect((await read(token, 'sub', sub)).status).toBe(200);
    await platform.database.rows('delete from merchant_access where profile_id = $1', [people.merchant.id]);
    // The caller has no access to the other merchant, so the API ignores merchant_id. The caller's own merchant has
    // no interview with this id.
    expect((await read(token, 'sub', sub)).status).toBe(404);
  });
});
