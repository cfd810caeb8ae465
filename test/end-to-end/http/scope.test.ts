import { people } from '../../../local/seed/accounts';
import { interviewId, positionIds } from '../../../local/seed/fixed-id';
import { makeKey, signIn } from '../../harness/identity/accounts';
import { errorBody } from '../../harness/platform/error-body';
import { allOperations } from '../../harness/platform/operation-inputs';
import type { CallOptions, Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
const outsiders = ['user', 'mentor', 'candidate'] as const;
const tokenOf = new Map<string, string>();
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  for (const role of outsiders) tokenOf.set(role, (await signIn(platform, role)).access_token);
});

const names = allOperations.map(({ name, method, serviceKeys }) => [name, method, serviceKeys] as const);
/** The operations that hiring managers can call. */
const readable = new Set(
  allOperations.filter(({ roles }) => roles.includes('merchant_selection')).map(({ name }) => name),
);
const unknownId = '0198ffff-0000-7000-8000-000000000000';
const exampleOf = (name: string) =>
  allOperations.find((each) => each.name === name)?.example as Record<string, unknown>;

/** Calls an operation with the input of its example. `more` replaces fields of the input. */
function call(name: string, token: string, more: Record<string, unknown> = {}, options: CallOptions = {}) {
  const isGet = allOperations.some((each) => each.name === name && each.method === 'GET');
  const input = { ...exampleOf(name), ...more };
  return platform.call(name, {
    token,
    ...(isGet ? { query: input as Record<string, string> } : { body: input }),
    ...options,
  });
}
const read = (token: string, key: string, merchantId?: string, name = 'job-interview-get') =>
  call(name, token, {
    position_id: interviewId(key),
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
  });
const rename = (token: string, key: string, merchantId?: string) =>
  call('job-interview-update', token, {
    position_id: interviewId(key),
    code: 'scope-test',
    name: undefined,
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
  });
const seen = ({ status, body }: Reply) => [status, body.name];
const access = (person: { id: string }, merchantId: string, role: string) =>
  platform.database.rows(
    `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, $3)
     on conflict (merchant_id, profile_id) do update set role = excluded.role`,
    [merchantId, person.id, role],
  );

const keys = () => [platform.stack.service_key, platform.stack.merchant_service_key];

/** The operations that an admin can call without a merchant, for example to change something platform-wide. */
const needsNone = new Set(
  allOperations.filter(({ needsMerchant }) => needsMerchant === false).map(({ name }) => name),
);

describe.each(names)('%s', (name, method, takesKeys) => {
  it('returns 403 for people without a role at a merchant, whatever the body', async () => {
    for (const role of outsiders) {
      const token = tokenOf.get(role) ?? '';
      const replies = [await call(name, token)];
      if (method === 'POST') replies.push(await platform.call(name, { token, rawBody: '{' }));
      for (const reply of replies) {
        expect(reply.status).toBe(403);
        expect(reply.body).toEqual(errorBody('role_not_allowed', undefined, expect.stringContaining(role)));
        expect(reply.headers.get('www-authenticate')).toBeNull();
      }
    }
  });

  it(`${readable.has(name) ? 'is available to' : 'returns 403 for'} merchant_selection`, async () => {
    const token = platform.stack.tokens.merchant_selection;
    const reply = await call(name, token);
    if (readable.has(name)) return expect([200, 404]).toContain(reply.status);
    expect(reply.status).toBe(403);
    if (method === 'POST') expect((await platform.call(name, { token, rawBody: '{' })).status).toBe(403);
  });

  it('requires merchant_id from a service key and from an admin without a merchant', async () => {
    for (const token of [...(takesKeys ? keys() : []), platform.stack.tokens.admin]) {
      const reply = await call(name, token);
      expect(seen(reply)).toEqual([422, 'merchant_id']);
      // For these operations, an admin needs no merchant, so the next call would get an error about another field.
      if (token === platform.stack.tokens.admin && needsNone.has(name)) continue;
      // The scope is checked first, so the missing merchant_id is reported although other fields are wrong, too.
      const wrong = await call(name, token, { position_id: 'wrong', name: 5, limit: 'x' });
      expect(seen(wrong)).toEqual([422, 'merchant_id']);
    }
  });

  it('returns the same reply for an unreachable merchant as for an unknown one', async () => {
    const ask = async (token: string, merchantId: string) => {
      const { status, text } = await call(name, token, { merchant_id: merchantId });
      return [status, text];
    };
    if (takesKeys) {
      const key = platform.stack.merchant_service_key;
      const unknown = await ask(key, unknownId);
      expect(unknown).toEqual([422, expect.stringContaining('"name":"merchant_id"')]);
      expect(await ask(key, platform.stack.other_merchant_id)).toEqual(unknown);
    }
    for (const strange of [unknownId, 'not-a-uuid'])
      expect(await ask(platform.stack.tokens.admin, strange)).toEqual([
        422,
        expect.stringContaining('"name":"merchant_id"'),
      ]);
    const operator = await ask(platform.stack.tokens.operator, unknownId);
    expect(operator[0]).toBe(403);
    expect(await ask(platform.stack.tokens.operator, platform.stack.other_merchant_id)).toEqual(operator);
  });

  it('ignores merchant_id of all other callers', async () => {
    const { tokens, other_merchant_id: other } = platform.stack;
    // All fields of a POST are invalid here, so the call stores nothing. The API checks the scope before it rejects
    // the fields.
    const wrong = Object.fromEntries(Object.keys(exampleOf(name)).map((field) => [field, {}]));
    const input = method === 'POST' ? wrong : {};
    const token = tokens.merchant;
    const plain = await call(name, token, input);
    expect(plain.body.name).not.toBe('merchant_id');
    for (const merchantId of [other, 'garbage', ...(method === 'POST' ? [{}, null] : [])]) {
      const { status, body } = await call(name, token, { ...input, merchant_id: merchantId });
      expect([merchantId, status, body]).toEqual([merchantId, plain.status, plain.body]);
    }
  });
});

describe.each(names.filter(([, , takesKeys]) => !takesKeys))('%s', (name, method) => {
  it('returns 403 for a service key, whatever the body', async () => {
    for (const key of keys()) {
      const bodies = [{}, { merchant_id: platform.stack.merchant_id }];
      for (const body of bodies) expect((await call(name, key, body)).status).toBe(403);
      if (method === 'POST')
        expect((await platform.call(name, { token: key, rawBody: '{' })).status).toBe(403);
    }
  });
});

describe('the merchant of a call', () => {
  it('is the home merchant of a user', async () => {
    const { merchant_owner: own, other_merchant_owner: other } = platform.stack.tokens;
    expect((await read(own, 'active')).body['merchant_id']).toBe(platform.stack.merchant_id);
    expect((await read(own, 'other')).status).toBe(404);
    expect((await read(other, 'other')).status).toBe(200);
    expect((await read(other, 'active', platform.stack.merchant_id)).status).toBe(404);
    expect((await read(own, 'sub', platform.stack.sub_merchant_id)).status).toBe(404);
  });

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
    const position = { position_id: positionIds.main, merchant_id: main };
    expect((await call('job-interview-get', uatKey, position)).status).toBe(404);
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

  it('has its own role: a hiring manager at home writes there', async () => {
    const { sub_merchant_id: sub } = platform.stack;
    await access(people.merchant_selection, sub, 'merchant');
    const { access_token: token } = await signIn(platform, 'merchant_selection');
    expect((await rename(token, 'sub', sub)).status).toBe(200);
    expect((await read(token, 'sub', sub)).status).toBe(200);
    expect((await read(token, 'active')).status).toBe(200);
    expect((await rename(token, 'active')).status).toBe(403);
  });

  it('as a learner allows no operation', async () => {
    const { sub_merchant_id: sub } = platform.stack;
    await access(people.merchant_owner, sub, 'mentor');
    const { access_token: token } = await signIn(platform, 'merchant_owner');
    expect((await read(token, 'sub', sub)).status).toBe(403);
    expect((await read(token, 'active')).status).toBe(200);
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
