import { interviewId } from '../../../local/seed/interviews';
import { cloneInterview, enrolmentsOf, openUrl, peopleCalls } from '../../harness/people/people';
import type { Registration } from '../../harness/people/people';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import type { Platform } from '../../harness/platform/platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
/** Each test has its own interview. */
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
  it('good: the row, its keys in place, ok and a link', async () => {
    const row = { name: ' Ann Lee ', email: 'Ann@Example.com', external_id: 'crm-1', phone: '+31 20 123' };
    expect(await register([row])).toEqual([
      { ...row, name: 'Ann Lee', result: 'ok', code: 'ok', interview_url: expect.stringMatching(/^http/) },
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

  it('with an e-mail alone: the other fields null', async () => {
    const [row] = await register([{ email: 'least@example.com' }]);
    expect(row).toMatchObject({ name: null, external_id: null, phone: null, result: 'ok' });
  });

  it.each([null, 'ann@example.com', ['ann@example.com']])(
    'that is %j: an error of its own, its fields null',
    async (sent) => {
      const [row, good] = await register([sent, { email: 'next@example.com' }]);
      expect(row).toEqual({
        name: null,
        email: null,
        external_id: null,
        phone: null,
        result: expect.stringMatching(/^Error: [^\n]{5,200}$/),
        code: 'invalid_type',
      });
      expect(good?.result).toBe('ok');
    },
  );

  it.each([
    [{ email: null }, 'email must not be null'],
    [{ email: 'a@b.example', name: 'x'.repeat(201) }, 'name must have at most 200 characters'],
    [{ email: 'a@b.example', note: 'x'.repeat(10_240) }, 'note must be under 1 KiB'],
    [{ email: 'a\0@b.example' }, 'email must not contain a NUL character'],
    [{ email: 'ann@127.0.0.1' }, 'email must be an email address, such as ann@example.com'],
  ])('%j: an error that says what to change', async (row, error) => {
    expect(await errorOf(row)).toBe(`Error: ${error}`);
    expect((await enrolments()).map(({ email }) => email)).toEqual(['good@example.com']);
  });

  it.each(['ann@bücher.example', '  ann@spaces.example  '])(
    'with the e-mail %s: registered',
    async (email) => {
      const [row] = await register([{ email }]);
      expect(row).toMatchObject({ email: email.trim(), result: 'ok' });
    },
  );

  it('not finite numbers: null, as JSON has none', async () => {
    const reply = await registerText('[{"email":1e400},{"email":"inf@example.com","score":1e400,"zero":-0}]');
    const [first, second] = reply.body as unknown as Registration[];
    expect(first).toMatchObject({ email: null, result: 'Error: email must not be null' });
    expect(second).toMatchObject({ score: null, zero: 0, result: 'ok' });
  });
});

describe('job-interview-register-users, unknown keys', () => {
  it('are echoed, nested ones too', async () => {
    const more = { source: 'fair', tags: ['a', { b: [null, 1.5, false] }], 'odd key': {}, constructor: 'x' };
    const [row] = await register([{ email: 'echo@example.com', ...more }]);
    expect(row).toMatchObject({ ...more, result: 'ok' });
  });

  it('are echoed in a row with an error', async () => {
    const [row] = await register([{ email: 'wrong', ats: { id: 7 }, name: 'Ann' }]);
    expect(row).toMatchObject({ ats: { id: 7 }, name: 'Ann', email: 'wrong', external_id: null });
  });

  it('named as ours: result, code and interview_url are never the caller’s', async () => {
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

  it('named __proto__: neither echoed nor followed', async () => {
    const reply = await registerText('[{"email":"p@example.com","__proto__":{"name":"Polluted","x":1}}]');
    expect(reply.text).not.toContain('Polluted');
    expect(reply.body).toEqual([expect.objectContaining({ name: null, result: 'ok' })]);
  });

  it('under 1 KiB as JSON are echoed', async () => {
    const note = 'é'.repeat(510);
    expect(await register([{ email: 'k@example.com', note }])).toMatchObject([{ note, result: 'ok' }]);
  });

  it('of 1 KiB as JSON are an error of the row and not echoed', async () => {
    const [row] = await register([{ email: 'k@example.com', note: 'é'.repeat(511) }]);
    expect(row).toMatchObject({ email: 'k@example.com', result: 'Error: note must be under 1 KiB' });
    expect(row).not.toHaveProperty('note');
    expect(await enrolments()).toEqual([]);
  });

  it('many under 1 KiB each, 10 KiB together: echoed', async () => {
    const more = Object.fromEntries(Array.from({ length: 10 }, (_, key) => [`key${key}`, 'x'.repeat(1_000)]));
    expect(await register([{ email: 'm@example.com', ...more }])).toMatchObject([{ ...more, result: 'ok' }]);
  });
});

describe('job-interview-register-users, users', () => {
  it.each([[[]], [null], [{}], ['ann@example.com'], [undefined]])('that are %j: 422 users', async (users) => {
    const { status, body } = await calls.tryRegister(users, { interview_id: interview });
    expect([status, body.name]).toEqual([422, 'users']);
  });

  it('1,001: 422 users, nothing stored; 1,000: one result each, in order', async () => {
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

  it('good and bad mixed: answered in order, the good ones registered', async () => {
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
  it('by e-mail in another case, also as IDN: updated, what is left out stays', async () => {
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

  it('by external_id: the e-mail changes, the person stays', async () => {
    const [first] = await register([{ email: 'old@example.com', external_id: 'x1', name: 'Ann' }]);
    const [second] = await register([{ email: 'new@example.com', external_id: 'x1', name: '  ' }]);
    expect(enrolmentIdOf(second)).toBe(enrolmentIdOf(first));
    expect(await enrolments()).toEqual([
      expect.objectContaining({ name: 'Ann', email: 'new@example.com', external_id: 'x1' }),
    ]);
    const [third] = await register([{ email: 'old@example.com' }]);
    expect(enrolmentIdOf(third)).not.toBe(enrolmentIdOf(first));
  });

  it('another e-mail revokes the links of the old one; another name or the same e-mail in capitals does not', async () => {
    const linkOf = async (row: Record<string, unknown>) => (await register([row]))[0]?.interview_url ?? '';
    const old = await linkOf({ email: 'typo@example.com', external_id: 'x1' });
    const same = await linkOf({ email: 'TYPO@example.com', external_id: 'x1', name: 'Ann' });
    expect([(await fetch(old)).status, (await fetch(same)).status]).toEqual([200, 200]);
    const fresh = await linkOf({ email: 'right@example.com', external_id: 'x1' });
    expect((await fetch(fresh)).status).toBe(200);
    expect([(await fetch(old)).status, (await fetch(same)).status]).toEqual([410, 410]);
  });

  it('an external_id differs by case: another person', async () => {
    await register([{ email: 'a@example.com', external_id: 'X1' }]);
    expect(await register([{ email: 'b@example.com', external_id: 'x1' }])).toMatchObject([{ result: 'ok' }]);
    expect(await enrolments()).toHaveLength(2);
  });

  it('external_id of one, e-mail of another: that row’s error, nobody changed', async () => {
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

  it('of another interview: somebody else there', async () => {
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
  it('with one e-mail in two cases: the second updates the first, both links are the same person’s', async () => {
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

  it('with one external_id: the e-mail of the later one', async () => {
    const rows = await register([
      { email: 'first@example.com', external_id: 'x' },
      { email: 'later@example.com', external_id: 'x' },
    ]);
    expect(new Set(rows.map(enrolmentIdOf)).size).toBe(1);
    expect((await enrolments()).map(({ email }) => email)).toEqual(['later@example.com']);
  });

  it.each(['new', 'known'])(
    'a %s one moves to another e-mail, the old one goes to a new person',
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

  it('two known ones swap their e-mails in one call', async () => {
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
