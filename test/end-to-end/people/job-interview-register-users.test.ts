import { interviewId } from '../../../local/seed/fixed-id';
import { cloneInterview, enrolmentsOf, openUrl, peopleCalls } from '../../harness/people/people';
import type { Registration } from '../../harness/people/people';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { fetchLink } from '../../harness/taking/open-link';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
/** The id of the interview, which is a new one for each test. */
let interview: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});
beforeEach(async () => {
  interview = await cloneInterview(platform.database);
});

const register = (users: unknown, more: Record<string, unknown> = {}) =>
  calls.register(users, { interview_id: interview, ...more });
const enrolments = () => enrolmentsOf(platform.database, interview);
const registerText = (users: string) =>
  platform.call('job-interview-register-users', {
    rawBody: `{"interview_id":"${interview}","users":${users}}`,
  });
const errorOf = async (row: unknown) => {
  const [answered, good] = await register([row, { email: 'good@example.com' }]);
  expect(good?.result).toBe('ok');
  expect(answered).not.toHaveProperty('interview_url');
  return answered?.result;
};
const enrolmentIdOf = (row: Registration | undefined) => openUrl(row?.interview_url).claims['sub'];

describe('job-interview-register-users, a row', () => {
  it('is returned with its fields, ok and a link when it is valid', async () => {
    const row = { name: ' Ann Lee ', email: ' Ann@Example.com ', external_id: 'crm-1', phone: '+31 20 123' };
    const shown = { ...row, name: 'Ann Lee', email: 'Ann@Example.com' };
    expect(await register([row])).toEqual([
      { ...shown, result: 'ok', code: 'ok', interview_url: expect.stringMatching(/^http/) },
    ]);
    expect(await enrolments()).toEqual([
      expect.objectContaining({
        name: 'Ann Lee',
        email: 'Ann@Example.com',
        external_id: 'crm-1',
        phone: '+31 20 123',
      }),
    ]);
  });

  it('returns null for numbers that are not finite, because JSON has none', async () => {
    const reply = await registerText('[{"email":1e400},{"email":"inf@example.com","score":1e400,"zero":-0}]');
    const [first, second] = reply.body as unknown as Registration[];
    expect(first).toMatchObject({ email: null, result: 'Error: email must not be null.' });
    expect(second).toMatchObject({ score: null, zero: 0, result: 'ok' });
  });
});

describe('job-interview-register-users, unknown keys', () => {
  it('are returned, also nested ones', async () => {
    const more = { source: 'fair', tags: ['a', { b: [null, 1.5, false] }], 'odd key': {}, constructor: 'x' };
    const [row] = await register([{ email: 'echo@example.com', ...more }]);
    expect(row).toMatchObject({ ...more, result: 'ok' });
  });

  it('are returned in a row with an error', async () => {
    const [row] = await register([{ email: 'wrong', ats: { id: 7 }, name: 'Ann' }]);
    expect(row).toMatchObject({ ats: { id: 7 }, name: 'Ann', email: 'wrong', external_id: null });
  });

  it('do not replace result, code and interview_url', async () => {
    const sent = { result: 'ok', code: 'ok', interview_url: 'https://evil.example/' };
    const rows = await register([
      { email: 'own@example.com', ...sent },
      { email: 'wrong', ...sent },
    ]);
    expect(rows[0]?.interview_url).toMatch(new RegExp(`^${platform.stack.portal_url}/interview/take/`));
    expect(rows[1]?.result).toMatch(/^Error: /);
    expect(rows[1]).toMatchObject({ code: 'invalid_format' });
    expect(rows[1]).not.toHaveProperty('interview_url');
  });

  it('named __proto__ are neither returned nor followed', async () => {
    const reply = await registerText('[{"email":"p@example.com","__proto__":{"name":"Polluted","x":1}}]');
    expect(reply.text).not.toContain('Polluted');
    expect(reply.body).toEqual([expect.objectContaining({ name: null, result: 'ok' })]);
  });

  it('of less than 1 KiB as JSON are returned', async () => {
    const note = 'é'.repeat(510);
    expect(await register([{ email: 'k@example.com', note }])).toMatchObject([{ note, result: 'ok' }]);
  });

  it('of 1 KiB as JSON make the row an error and are not returned', async () => {
    const [row] = await register([{ email: 'k@example.com', note: 'é'.repeat(511) }]);
    expect(row).toMatchObject({ email: 'k@example.com', result: 'Error: note must be under 1 KiB.' });
    expect(row).not.toHaveProperty('note');
    expect(await enrolments()).toEqual([]);
  });

  it('of less than 1 KiB each and 10 KiB together are returned', async () => {
    const more = Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`key${key}`, 'x'.repeat(1_000)]));
    expect(await register([{ email: 'm@example.com', ...more }])).toMatchObject([{ ...more, result: 'ok' }]);
  });
});

describe('job-interview-register-users, users', () => {
  it('returns 422 for 1,001 users and stores nothing, and one result each in order for 1,000', async () => {
    const users = Array.from({ length: 1_001 }, (_, index) => ({
      email: `n${index}@example.com`,
      external_id: `n${index}`,
    }));
    const refused = await calls.tryRegister(users, { interview_id: interview });
    expect([refused.status, refused.body.name]).toEqual([422, 'users']);
    expect(await enrolments()).toEqual([]);
    const rows = await register(users.slice(1));
    expect(rows.map(({ email, result }) => [email, result])).toEqual(
      users.slice(1).map(({ email }) => [email, 'ok']),
    );
    expect(new Set(rows.map(enrolmentIdOf)).size).toBe(1_000);
    expect(await enrolments()).toHaveLength(1_000);
  });

  it('returns results in order and registers the valid rows of a mixed list', async () => {
    const rows = await register([
      null,
      { email: 'a@example.com' },
      { email: 'wrong' },
      { email: 'b@example.com' },
      7,
    ]);
    expect(rows.map(({ result }) => result === 'ok')).toEqual([false, true, false, true, false]);
    expect((await enrolments()).map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
  });
});

describe('job-interview-register-users, a known candidate', () => {
  it('is updated by the email address in another case or as IDN, and keeps fields that are left out', async () => {
    const [first] = await register([
      { email: 'Ann@Bücher.example', name: 'Ann', external_id: 'x1', phone: '1' },
    ]);
    const [second] = await register([{ email: 'ann@XN--bcher-kva.example', phone: '2' }]);
    expect(second).toMatchObject({ name: null, external_id: null, phone: '2' });
    expect(enrolmentIdOf(second)).toBe(enrolmentIdOf(first));
    expect(await enrolments()).toEqual([
      expect.objectContaining({
        name: 'Ann',
        email: 'ann@XN--bcher-kva.example',
        external_id: 'x1',
        phone: '2',
      }),
    ]);
  });

  it('gets another email address by external_id', async () => {
    const [first] = await register([{ email: 'old@example.com', external_id: 'x1', name: 'Ann' }]);
    const [second] = await register([{ email: 'new@example.com', external_id: 'x1', name: '  ' }]);
    expect(enrolmentIdOf(second)).toBe(enrolmentIdOf(first));
    expect(await enrolments()).toEqual([
      expect.objectContaining({ name: 'Ann', email: 'new@example.com', external_id: 'x1' }),
    ]);
    const [third] = await register([{ email: 'old@example.com' }]);
    expect(enrolmentIdOf(third)).not.toBe(enrolmentIdOf(first));
  });

  it('loses the links with another email address, but not with another name or the same address in capitals', async () => {
    const linkOf = async (row: Record<string, unknown>) => (await register([row]))[0]?.interview_url ?? '';
    const old = await linkOf({ email: 'typo@example.com', external_id: 'x1' });
    const same = await linkOf({ email: 'TYPO@example.com', external_id: 'x1', name: 'Ann' });
    expect([(await fetchLink(old)).status, (await fetchLink(same)).status]).toEqual([200, 200]);
    const fresh = await linkOf({ email: 'right@example.com', external_id: 'x1' });
    expect((await fetchLink(fresh)).status).toBe(200);
    expect([(await fetchLink(old)).status, (await fetchLink(same)).status]).toEqual([410, 410]);
  });

  it('is another person when the external_id differs in case', async () => {
    await register([{ email: 'a@example.com', external_id: 'X1' }]);
    expect(await register([{ email: 'b@example.com', external_id: 'x1' }])).toMatchObject([{ result: 'ok' }]);
    expect(await enrolments()).toHaveLength(2);
  });

  it('is unchanged, and the row an error, when the external_id is that of another candidate', async () => {
    await register([
      { email: 'a@example.com', external_id: 'xa' },
      { email: 'b@example.com', external_id: 'xb' },
    ]);
    const before = await enrolments();
    expect(await errorOf({ email: 'B@example.com', external_id: 'xa', name: 'Torn' })).toBe(
      'Error: external_id belongs to another candidate',
    );
    expect((await enrolments()).slice(0, 2)).toEqual(before);
  });

  it('of another interview is another person there', async () => {
    const [here] = await register([{ email: 'both@example.com', external_id: 'same' }]);
    const [there] = await calls.register([{ email: 'both@example.com', external_id: 'same' }], {
      interview_id: interviewId('assessment'),
    });
    expect(enrolmentIdOf(there)).not.toBe(enrolmentIdOf(here));
    const [one] = await enrolments();
    const [other] = await enrolmentsOf(platform.database, interviewId('assessment'));
    expect(other?.profile_id).toBe(one?.profile_id);
  });
});

describe('job-interview-register-users, rows about one person', () => {
  it('with one address in two cases update the same person, and both links are that person’s', async () => {
    const rows = await register([
      { email: 'twice@example.com', name: 'One', phone: '1' },
      { email: 'TWICE@example.com', name: 'Two', external_id: 'x' },
    ]);
    expect(rows.map(({ name, result }) => [name, result])).toEqual([
      ['One', 'ok'],
      ['Two', 'ok'],
    ]);
    expect(new Set(rows.map(enrolmentIdOf)).size).toBe(1);
    expect(await enrolments()).toEqual([
      expect.objectContaining({ name: 'Two', email: 'TWICE@example.com', external_id: 'x', phone: '1' }),
    ]);
  });

  it('with one external_id use the address of the later row', async () => {
    const rows = await register([
      { email: 'first@example.com', external_id: 'x' },
      { email: 'later@example.com', external_id: 'x' },
    ]);
    expect(new Set(rows.map(enrolmentIdOf)).size).toBe(1);
    expect((await enrolments()).map(({ email }) => email)).toEqual(['later@example.com']);
  });

  it.each(['new', 'known'])(
    'move a %s one to another address, and give the old address to a new person',
    async (kind) => {
      if (kind === 'known') await register([{ email: 'old@example.com', external_id: 'x' }]);
      const rows = await register([
        ...(kind === 'new' ? [{ email: 'old@example.com', external_id: 'x' }] : []),
        { email: 'new@example.com', external_id: 'x', name: 'Mover' },
        { email: 'old@example.com', name: 'Heir' },
      ]);
      expect(rows.map(({ result }) => result)).toEqual(rows.map(() => 'ok'));
      const stored = await enrolments();
      expect(new Map(stored.map(({ email, name, external_id }) => [email, [name, external_id]]))).toEqual(
        new Map([
          ['new@example.com', ['Mover', 'x']],
          ['old@example.com', ['Heir', null]],
        ]),
      );
      for (const { id, email } of stored)
        expect(enrolmentIdOf(rows.findLast((row) => row.email === email))).toBe(id);
      expect(new Set(stored.map(({ profile_id }) => profile_id)).size).toBe(2);
    },
  );

  it('swap the addresses of two known people', async () => {
    await register([
      { email: 'a@example.com', external_id: 'xa' },
      { email: 'b@example.com', external_id: 'xb' },
    ]);
    const before = await enrolments();
    const rows = await register([
      { email: 'meanwhile@example.com', external_id: 'xa' },
      { email: 'a@example.com', external_id: 'xb' },
      { email: 'b@example.com', external_id: 'xa' },
    ]);
    expect(rows.map(({ result }) => result)).toEqual(['ok', 'ok', 'ok']);
    const after = await enrolments();
    const byId = (stored: typeof after) =>
      Object.fromEntries(stored.map(({ id, email, external_id }) => [id, [email, external_id]]));
    const swapped = before.map((row) => ({
      ...row,
      email: row.email === 'a@example.com' ? 'b@example.com' : 'a@example.com',
    }));
    expect(byId(after)).toEqual(byId(swapped));
  });
});
