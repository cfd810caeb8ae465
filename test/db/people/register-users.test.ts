import { interviewId } from '../../../local/seed/fixed-id';
import { eachRow } from '../../harness/each-row';
import {
  cloneInterview,
  enrolmentsOf,
  openUrl,
  peopleCalls,
  makePosition,
} from '../../harness/people/people';
import type { Registration } from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { CallOptions } from '../../harness/platform/platform';

let platform: Operations;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await openOperations();
  calls = peopleCalls(platform);
});

describe('rows', () => {
  /** The id of the interview, which is a new one for each test. */
  let interview: string;
  beforeEach(async () => {
    interview = await cloneInterview(platform.database);
  });

  const register = (users: unknown, more: Record<string, unknown> = {}) =>
    calls.register(users, { interview_id: interview, ...more });
  const enrolments = () => enrolmentsOf(platform.database, interview);
  const errorOf = async (row: unknown) => {
    const [answered, good] = await register([row, { email: 'good@example.com' }]);
    expect(good?.result).toBe('ok');
    expect(answered).not.toHaveProperty('interview_url');
    return answered?.result;
  };
  const enrolmentIdOf = (row: Registration | undefined) => openUrl(row?.interview_url).claims['sub'];

  describe('job-interview-register-users, a row', () => {
    it('is returned with its fields, ok and a link when it is valid', async () => {
      const row = {
        name: ' Ann Lee ',
        email: ' Ann@Example.com ',
        external_id: 'crm-1',
        phone: '+31 20 123',
      };
      const shown = { ...row, name: 'Ann Lee', email: 'Ann@Example.com' };
      const [registered] = await register([row]);
      expect(registered).toEqual({
        ...shown,
        result: 'ok',
        code: 'ok',
        interview_url: expect.stringMatching(/^http/),
        profile_interview_id: enrolmentIdOf(registered),
      });
      expect(await enrolments()).toEqual([
        expect.objectContaining({
          name: 'Ann Lee',
          email: 'Ann@Example.com',
          external_id: 'crm-1',
          phone: '+31 20 123',
        }),
      ]);
    });
  });

  describe('job-interview-register-users, unknown keys', () => {
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

    it('of 1 KiB as JSON make the row an error and are not returned', async () => {
      const [row] = await register([{ email: 'k@example.com', note: 'é'.repeat(511) }]);
      expect(row).toMatchObject({ email: 'k@example.com', result: 'Error: note must be under 1 KiB.' });
      expect(row).not.toHaveProperty('note');
      expect(await enrolments()).toEqual([]);
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
  });

  describe('job-interview-register-users, a known candidate', () => {
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
      // A link works as long as its generation is that of the candidate (test/end-to-end/people/portal.test.ts).
      const linkOf = async (row: Record<string, unknown>) =>
        openUrl((await register([row]))[0]?.interview_url).claims['generation'];
      const generation = async () => (await enrolments())[0]?.link_generation;
      const old = await linkOf({ email: 'typo@example.com', external_id: 'x1' });
      const same = await linkOf({ email: 'TYPO@example.com', external_id: 'x1', name: 'Ann' });
      expect([old, same]).toEqual([1, await generation()]);
      const fresh = await linkOf({ email: 'right@example.com', external_id: 'x1' });
      expect([fresh, await generation()]).toEqual([2, 2]);
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
  });

  describe('job-interview-register-users, rows about one person', () => {
    it('move a person to another address, and give the old address to a new person', () =>
      eachRow(['new', 'known'], async (kind) => {
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
      }));
  });
});

describe('links', () => {
  const ann = [{ email: 'ann@example.com', name: 'Ann' }];
  const registerAt = async (interview_id: string, more: Record<string, unknown> = {}) => {
    const [row] = await calls.register(ann, { interview_id, ...more });
    return openUrl(row?.interview_url);
  };
  const refusalAt = async (
    interview_id: string,
    more: Record<string, unknown> = {},
    options: CallOptions = {},
  ) => {
    const { status, body } = await calls.tryRegister(ann, { interview_id, ...more }, options);
    return [status, body.name, body.error];
  };
  const clone = (changes: Record<string, unknown> = {}) => cloneInterview(platform.database, changes);
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  describe('job-interview-register-users, the link', () => {
    it('names the interview, the enrolment and its generation, is no test and lasts 30 days', async () => {
      const id = await clone();
      const { origin, path, query, header, claims } = await registerAt(id);
      const [enrolment] = await enrolmentsOf(platform.database, id);
      expect([origin, path, query]).toEqual([platform.stack.portal_url, `/interview/take/${id}/`, {}]);
      expect(header).toEqual({ alg: 'ES256', kid: expect.any(String), typ: 'JWT' });
      expect(claims).toMatchObject({
        iss: platform.stack.portal_url,
        aud: 'interview',
        sub: enrolment?.id,
        interview_id: id,
        generation: 1,
        is_test: false,
      });
      expect(Math.abs(claims.exp - (Date.now() / 1000 + 30 * 86_400))).toBeLessThan(100);
      // The name of the person must not be in the link.
      expect(JSON.stringify(claims)).not.toMatch(/ann/i);
    });

    it('sets a flag for true and "true", clears it for false, "false" and null, and returns 422 for other values', () =>
      eachRow(['hide_menu', 'hide_iframe', 'is_test'], async (flag) => {
        const id = await clone();
        const isOn = async (value: unknown) => {
          const { query, claims } = await registerAt(id, { [flag]: value });
          const shown = {
            hide_menu: query['view_hm'],
            hide_iframe: query['view_hi'],
            is_test: String(claims['is_test']),
          };
          const others = Object.entries(shown).filter(([name, value]) => name !== flag && value === 'true');
          expect(others).toEqual([]);
          return Object.entries(shown).some(([name, value]) => name === flag && value === 'true');
        };
        for (const on of [true, 'true']) expect([on, await isOn(on)]).toEqual([on, true]);
        for (const off of [false, 'false', null, undefined])
          expect([off, await isOn(off)]).toEqual([off, false]);
        for (const wrong of [1, '', 'TRUE', [true]]) {
          const body = { interview_id: id, users: [{ email: 'a@example.com' }], [flag]: wrong };
          const reply = await platform.call('job-interview-register-users', { body });
          expect([wrong, reply.status, reply.body]).toEqual([
            wrong,
            422,
            errorBody('invalid_value', flag, `${flag} must be true or false.`),
          ]);
        }
      }));
  });

  describe('job-interview-register-users, the interview', () => {
    // The other cases are rows of the test of invite-users.
    it('gets a 422 for interview_id when it is closed, also for a test', async () => {
      const ended = { interview_available_till: new Date(Date.now() - 1_000).toISOString() };
      for (const [error, changes, more] of [
        ['is archived', { status: 'archived' }, { is_test: true }],
        ['past its end', ended, {}],
      ] as const)
        expect(await refusalAt(await clone(changes), more)).toEqual([
          422,
          'interview_id',
          expect.stringContaining(error),
        ]);
    });
  });

  describe('job-interview-register-users, a position', () => {
    it('enrolls at its first step, whose page the link opens', async () => {
      const { position } = platform.stack.ids;
      const { path, claims } = await registerAt(position);
      expect([path, claims['interview_id']]).toEqual([
        `/interview/take/${interviewId('screening')}/`,
        interviewId('screening'),
      ]);
      expect(await enrolmentsOf(platform.database, position)).toEqual([
        expect.objectContaining({
          position_id: position,
          interview_id: interviewId('screening'),
          email: 'ann@example.com',
        }),
      ]);
    });

    it('has its own status and end, which override those of the step', async () => {
      const archivedStep = await clone({ status: 'archived', interview_available_till: day(-1) });
      const later = day(2);
      const open = await makePosition(platform.database, [archivedStep], { interview_available_till: later });
      expect((await registerAt(open)).claims.exp).toBe(Date.parse(`${later}T23:59:59Z`) / 1000);
      for (const changes of [
        { status: 'archived' },
        { status: 'completed' },
        { status: 'deleted' },
        { interview_available_till: day(-1) },
      ]) {
        const closed = await makePosition(platform.database, [await clone()], changes);
        expect(await refusalAt(closed)).toEqual([422, 'interview_id', expect.any(String)]);
      }
    });
  });

  describe('job-interview-register-users, is_test', () => {
    const compiled = async (id: string) =>
      JSON.stringify(
        (await platform.database.rows('select calc_definition_json from interview where id = $1', [id]))[0],
      );
    /** Inserts an interview whose steps have changed since its definition was compiled. */
    const staleDefinition = async (status: string) => {
      const id = await clone({ status });
      await platform.database.rows(
        `insert into interview_question select (jsonb_populate_record(q, jsonb_build_object('interview_id', $1::text))).*
       from interview_question q where interview_id = $2`,
        [id, interviewId('german')],
      );
      return { id, before: await compiled(id) };
    };
    const question = async () => {
      const [row] = await platform.database.rows<{ question: string }>(
        `select q.question from question q join interview_question l on l.question_id = q.id
       where l.interview_id = $1 and q.view = 'question' limit 1`,
        [interviewId('german')],
      );
      return row?.question ?? 'none';
    };

    it('compiles the definition of a draft with the current questions', async () => {
      const { id, before } = await staleDefinition('draft');
      await registerAt(id, { is_test: true });
      expect(before).not.toContain(await question());
      expect(await compiled(id)).toContain(await question());
    });

    it('keeps the definition of an active interview, and of a draft without is_test', () =>
      eachRow(
        [
          ['an active one', 'active', { is_test: true }],
          ['a draft without is_test', 'draft', { is_test: 'false' }],
        ],
        async (_what, status, more) => {
          const { id, before } = await staleDefinition(status);
          await registerAt(id, more);
          expect(await compiled(id)).toBe(before);
        },
      ));
  });
});
