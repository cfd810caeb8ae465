import { interviewId } from '../../../local/seed/fixed-id';
import {
  cloneInterview,
  enrolmentsOf,
  makePosition,
  openUrl,
  peopleCalls,
} from '../../harness/people/people';
import { errorBody } from '../../harness/platform/error-body';
import type { CallOptions, Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

let platform: Platform;
let calls: ReturnType<typeof peopleCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = peopleCalls(platform);
});

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

  it.each([
    ['a day', 3, '', 'T23:59:59Z'],
    ['a time', 60, 'T10:00:00.000Z', 'T10:00:00Z'],
  ])('ends with an interview that is available till %s', async (_what, days, time, end) => {
    const later = day(days);
    const { claims } = await registerAt(await clone({ interview_available_till: `${later}${time}` }));
    expect(claims.exp).toBe(Date.parse(`${later}${end}`) / 1000);
  });

  it('names the current generation of the enrolment', async () => {
    const id = await clone();
    await registerAt(id);
    await platform.database.rows('update enrolment set link_generation = 3 where scope_id = $1', [id]);
    expect((await registerAt(id)).claims['generation']).toBe(3);
  });

  it.each(['hide_menu', 'hide_iframe', 'is_test'])(
    'sets %s for true and "true", clears it for false, "false" and null, and returns 422 for other values',
    async (flag) => {
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
      for (const wrong of [1, 0, '', 'TRUE', 'True', 'yes', '1', [], [true], {}, 'true ']) {
        const body = { interview_id: id, users: [{ email: 'a@example.com' }], [flag]: wrong };
        const reply = await platform.call('job-interview-register-users', { body });
        expect([wrong, reply.status, reply.body]).toEqual([
          wrong,
          422,
          errorBody('invalid_value', flag, `${flag} must be true or false.`),
        ]);
      }
    },
  );
});

describe('job-interview-register-users, the interview', () => {
  it.each(['active', 'draft', 'preparing'])('accepts candidates when it is %s', async (status) => {
    expect((await registerAt(await clone({ status }))).claims['is_test']).toBe(false);
  });

  it.each([
    ['archived', 'is archived', { status: 'archived' }],
    ['completed', 'is completed', { status: 'completed' }],
    ['archived, with is_test', 'is archived', { status: 'archived' }],
    ['past its day', 'past its end', { interview_available_till: day(-1) }],
    [
      'past its time',
      'past its end',
      { interview_available_till: new Date(Date.now() - 1_000).toISOString() },
    ],
  ])('gets a 422 for interview_id when it is %s', async (what, error, changes) => {
    const more = what.includes('is_test') ? { is_test: true } : {};
    expect(await refusalAt(await clone(changes), more)).toEqual([
      422,
      'interview_id',
      expect.stringContaining(error),
    ]);
  });

  it('accepts candidates on its last day', async () => {
    let today: string;
    let reply: unknown;
    do {
      today = day(0);
      reply = await refusalAt(await clone({ interview_available_till: today }));
      // If midnight has passed during the call, the last day was yesterday, so the test repeats the call.
    } while (today !== day(0));
    expect(reply).toEqual([200, undefined, undefined]);
  });

  it('is found by an id in capitals', async () => {
    const id = await clone();
    expect((await registerAt(id.toUpperCase())).path).toBe(`/interview/take/${id}/`);
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

  it('has its own candidates, apart from those of its first step', async () => {
    const step = await clone();
    const position = await makePosition(platform.database, [step]);
    const [atStep, atPosition] = [await registerAt(step), await registerAt(position)];
    expect(atPosition.claims['sub']).not.toBe(atStep.claims['sub']);
    expect((await registerAt(position)).claims['sub']).toBe(atPosition.claims['sub']);
  });

  it('gets a 422 without steps', async () => {
    expect(await refusalAt(await makePosition(platform.database, []))).toEqual([
      422,
      'interview_id',
      'interview_id accepts no candidates: the position has no interviews.',
    ]);
  });

  it('skips a first step that is deleted', async () => {
    const [gone, there] = [await clone({ status: 'deleted' }), await clone()];
    const { path } = await registerAt(await makePosition(platform.database, [gone, there]));
    expect(path).toContain(there);
    const none = await makePosition(platform.database, [gone]);
    expect(await refusalAt(none)).toEqual([
      422,
      'interview_id',
      'interview_id accepts no candidates: the position has no interviews.',
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

  it.each([
    ['an active one', 'active', { is_test: true }],
    ['a draft without is_test', 'draft', { is_test: 'false' }],
  ])('keeps the definition of %s', async (_what, status, more) => {
    const { id, before } = await staleDefinition(status);
    await registerAt(id, more);
    expect(await compiled(id)).toBe(before);
  });

  it('compiles a first step that is a draft, on an active position', async () => {
    const { id } = await staleDefinition('draft');
    await registerAt(await makePosition(platform.database, [id], { status: 'active' }), { is_test: true });
    expect(await compiled(id)).toContain(await question());
  });
});
