import { randomUUID } from 'node:crypto';
import { openDatabases, takeInterview } from '../../../local/demo/candidate';
import { definitionCalls } from '../../harness/interviews/definitions';
import {
  cloneInterview,
  cloneWithSteps,
  enrolmentsOf,
  openUrl,
  peopleCalls,
} from '../../harness/people/people';
import { insist } from '../../harness/platform/insist';
import { openOperations } from '../../harness/platform/operations';
import type { Operations } from '../../harness/platform/operations';
import type { Reply } from '../../harness/platform/platform';

/* Tests positions and their steps, and the list of interviews and positions (docs/interviews.md#positions). */

let platform: Operations;
let definitions: ReturnType<typeof definitionCalls>;
let databases: ReturnType<typeof openDatabases>;
beforeAll(async () => {
  platform = await openOperations();
  definitions = definitionCalls(platform);
  databases = openDatabases(platform.database);
});
afterAll(() => databases.close());

type Step = { interview_id: string; name: string; number: number; status: string };
const create = (steps: string[], more: Record<string, unknown> = {}) =>
  platform.call('position-create', {
    body: {
      name: 'Nurse',
      location: 'Ghent',
      status: 'active',
      visibility: 'merchant_invite',
      steps,
      ...more,
    },
  });
const makeOf = async (steps: string[], more: Record<string, unknown> = {}) => {
  const { status, body, text } = await create(steps, more);
  if (status !== 200) throw new Error(text);
  return String(body['position_id']);
};
const setSteps = (position_id: string, steps: string[]) =>
  platform.call('position-update-steps', { body: { position_id, steps } });
const idsOf = ({ body }: { body: Record<string, unknown> }) =>
  (body['steps'] as Step[]).map(({ interview_id }) => interview_id);
const interviews = (count: number, changes: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, () => cloneInterview(platform.database, changes)));
const error = ({ status, body }: Reply) => ({
  status,
  name: body['name'],
  code: body['code'],
  error: body['error'],
});

describe('position-create', () => {
  it('stores every field, the steps in order, and a slug for a public page', async () => {
    const [one = '', two = ''] = await interviews(2);
    const fields = {
      visibility: 'merchant_unlisted',
      code: 'REQ-9',
      description: 'Short',
      interview_department: 'Care',
      interview_available_till: '2999-01-01',
      candidate_notification_channel: 'last_reminder',
      hiring_for_company: { name: 'Acme', undisclosed: true },
    };
    const { status, body } = await create([two, one], { ...fields, description_long: ' ' });
    const id = String(body['position_id']);
    expect([status, body]).toMatchObject([200, { slug: `nurse-${id.slice(-12)}` }]);
    expect(body['steps']).toEqual([
      { interview_id: two, name: expect.any(String), number: 1, status: 'active' },
      { interview_id: one, name: expect.any(String), number: 2, status: 'active' },
    ]);
    expect(await definitions.read(id)).toMatchObject({
      ...fields,
      is_multistage: true,
      interview_location: 'Ghent',
      interview_description_long: null,
      steps: body['steps'],
      position_id: null,
    });
    expect(await definitions.read(two)).toMatchObject({ position_id: id, steps: null });
  });

  it('returns 422 for a step that is unknown, named twice, or of another position, also a moment ago', async () => {
    const [one = '', two = ''] = await interviews(2);
    const unknown = platform.stack.ids.position;
    expect(error(await create([one, unknown]))).toMatchObject({
      status: 422,
      name: 'steps[1]',
      code: 'unknown_id',
    });
    expect(error(await create([one, one.toUpperCase()]))).toMatchObject({
      name: 'steps[1]',
      code: 'duplicate_value',
    });
    expect(error(await create([]))).toMatchObject({ status: 422, name: 'steps', code: 'too_short' });
    expect(error(await create(Array.from({ length: 11 }, () => one)))).toMatchObject({
      status: 422,
      name: 'steps',
      code: 'too_long',
    });
    const [coaching = ''] = await interviews(1, { type: 'coaching' });
    expect(error(await create([one, coaching]))).toMatchObject({
      status: 422,
      name: 'steps[1]',
      code: 'not_applicable',
    });
    const replies = await Promise.all(['A', 'B'].map((name) => insist(() => create([one, two], { name }))));
    const lost = replies.filter(({ status }) => status !== 200);
    expect(lost).toHaveLength(1);
    expect(error(lost[0] as Reply)).toEqual({
      status: 422,
      name: 'steps[0]',
      code: 'conflicting_fields',
      error: expect.stringMatching(
        /^steps\[0\] is already a step of the position “[AB]”\. Remove it there first\.$/,
      ),
    });
    // The interviews of a deleted position are free again.
    const won = String(replies.find(({ status }) => status === 200)?.body['position_id']);
    await platform.call('job-interview-set-state', { body: { position_id: won, status: 'deleted' } });
    expect((await definitions.read(one))['position_id']).toBeNull();
    expect((await create([one, two])).status).toBe(200);
  });
});

describe('a position', () => {
  it('cannot be created as deleted, or be reached only through a position', async () => {
    const [one = ''] = await interviews(1);
    for (const [name, value, code] of [
      ['status', 'deleted', 'invalid_value'],
      ['visibility', 'sub_item', 'not_applicable'],
    ] as const)
      expect(error(await create([one], { [name]: value }))).toMatchObject({ status: 422, name, code });
    const position = await makeOf([one]);
    expect(error(await definitions.update(position, { visibility: 'sub_item' }))).toMatchObject({
      status: 422,
      name: 'visibility',
      code: 'not_applicable',
    });
  });

  it('shows neither a deleted step nor its template', async () => {
    const [one = ''] = await interviews(1);
    const position = await makeOf([one]);
    await platform.database.rows(`update interview set status = 'deleted' where id = $1`, [one]);
    expect(await definitions.read(position)).toMatchObject({ steps: [], interview_template_id: null });
  });
});

describe('position-update-steps', () => {
  it('adds, removes and reorders, and says what it did', async () => {
    const [one = '', two = '', three = ''] = await interviews(3);
    const position = await makeOf([one, two]);
    const { status, body } = await setSteps(position, [three, one]);
    expect([status, idsOf({ body }), body['added'], body['removed']]).toEqual([
      200,
      [three, one],
      [three],
      [two],
    ]);
    const before = await definitions.read(position);
    expect((await setSteps(position, [three, one])).body).toMatchObject({ added: [], removed: [] });
    expect(await definitions.read(position)).toEqual(before);
    expect(error(await setSteps(one, [one]))).toMatchObject({
      status: 404,
      name: 'position_id',
      code: 'not_found',
    });
  });
});

describe('an interview that is a step', () => {
  it('cannot be deleted before it is removed from the position', async () => {
    const [one = '', two = ''] = await interviews(2);
    const position = await makeOf([one, two], { name: 'Baker' });
    for (const operation of ['job-interview-set-state', 'job-interview-update'])
      expect(
        error(await platform.call(operation, { body: { position_id: one, status: 'deleted' } })),
      ).toMatchObject({ status: 422, name: 'status', error: expect.stringContaining('“Baker”') });
    expect((await setSteps(position, [two])).status).toBe(200);
    expect((await definitions.update(one, { status: 'deleted' })).status).toBe(200);
  });
});

describe('job-interview-update', () => {
  it('accepts the position of an interview and the steps of a position as get returns them, and no others', async () => {
    const one = await cloneWithSteps(platform.database);
    const [two = ''] = await interviews(1);
    const position = await makeOf([one, two], { hiring_for_company: { name: 'Acme' } });
    const update = (body: Record<string, unknown>) => platform.call('job-interview-update', { body });
    for (const interview_id of [one, position]) {
      const { status, body } = await update({ interview_id, ...(await definitions.read(interview_id)) });
      expect([status, body]).toMatchObject([200, { position_id: interview_id, updated_fields: [] }]);
    }
    const { steps } = await definitions.read(position);
    expect(error(await update({ interview_id: one, position_id: two, name: 'New' }))).toMatchObject({
      status: 422,
      name: 'position_id',
      code: 'conflicting_fields',
    });
    for (const [interview_id, sent] of [
      [position, (steps as Step[]).toReversed()],
      [position, []],
      [one, steps],
    ])
      expect(error(await update({ interview_id, steps: sent }))).toMatchObject({
        status: 422,
        name: 'steps',
        code: 'immutable_field',
      });
    expect(error(await update({ name: 'New' }))).toMatchObject({
      status: 422,
      name: 'position_id',
      code: 'required',
    });
  });

  it('makes a slug when the visibility becomes one with a page, and keeps it', async () => {
    const [id = ''] = await interviews(1, { visibility: 'merchant_invite', name: 'Baker' });
    for (const visibility of ['merchant_unlisted', 'merchant_invite', 'public'])
      await definitions.update(id, { visibility, name: visibility });
    expect((await definitions.read(id))['slug']).toBe(`merchant-unlisted-${id.slice(-12)}`);
  });
});

describe('job-interview-list', () => {
  type Listed = Record<string, unknown> & { id: string };
  const list = async (query: Record<string, string>) => {
    const { status, body, text } = await platform.call('job-interview-list', { query });
    if (status !== 200) throw new Error(text);
    return { data: body['data'] as Listed[], pagination: body['pagination'] };
  };

  it('lists interviews and positions, newest first, by every filter', async () => {
    const [step, free] = [
      await cloneInterview(platform.database, {
        name: 'Ünique 100% step',
        tags: ['b'],
        created_at: '2999-01-01',
      }),
      await cloneInterview(platform.database, {
        name: 'Free',
        code: 'UNI-7',
        status: 'draft',
        type: 'coaching',
        tags: ['a', 'b'],
        created_at: '2999-01-02',
      }),
    ];
    const position = await makeOf([step], { name: 'Uniform' });
    await platform.database.rows(`update position set created_at = '2999-01-03' where id = $1`, [position]);
    await take(position, 'started');
    const { data, pagination } = await list({ limit: '3' });
    expect(data.map(({ id }) => id)).toEqual([position, free, step]);
    expect(pagination).toMatchObject({ limit: 3, offset: 0, has_more: true });
    expect(data).toMatchObject([
      { name: 'Uniform', is_multistage: true, type: null, result_count: 1, question_count: null, tags: null },
      { is_multistage: false, position_id: null, code: 'UNI-7', question_count: 0, result_count: 0 },
      { position_id: position, result_count: 1, status: 'active' },
    ]);
    const found = async (query: Record<string, string>) =>
      (await list({ limit: '3', ...query })).data.map(({ id }) => id);
    expect(await found({ status: 'draft', type: 'coaching' })).toContain(free);
    expect(await found({ is_multistage: 'true', limit: '1' })).toEqual([position]);
    expect(await found({ is_multistage: 'false' })).not.toContain(position);
    expect(await found({ tag: 'b' })).toEqual([free, step]);
    expect(await found({ position_id: position })).toEqual([step]);
    expect(await found({ filter_text: 'uni' })).toEqual(expect.arrayContaining([position, free]));
    expect(await found({ filter_text: 'ÜNIQUE 100%' })).toEqual([step]);
    expect(await found({ filter_text: 'ünique_100' })).toEqual([]);
    expect(await found({ tag: 'b', offset: '1' })).toEqual([step]);
  });
});

/** Registers a candidate of a position, and takes the interview until the state `until`. Returns the id of the result. */
async function take(position: string, until: 'started' | 'submitted', is_test = false) {
  const email = `${randomUUID()}@example.com`;
  await peopleCalls(platform).register([{ email }], { interview_id: position, is_test });
  const enrolment = (await enrolmentsOf(platform.database, position)).find((each) => each.email === email);
  return (await takeInterview(databases, { enrolment: enrolment?.id ?? '', until, is_test })).result_id;
}

describe('position-update-steps, the candidates', () => {
  it('returns 422 with the number of candidates for a step at which they are without a decision', async () => {
    const one = await cloneWithSteps(platform.database);
    const [two = ''] = await interviews(1);
    const position = await makeOf([one, two]);
    await peopleCalls(platform).register([{ email: 'not@begun.example' }], { interview_id: position });
    await take(position, 'started');
    await take(position, 'submitted');
    const reply = await setSteps(position, [two]);
    expect(error(reply)).toEqual({
      status: 422,
      name: 'steps',
      code: 'not_permitted_state',
      error: expect.stringContaining('2 candidates have begun'),
    });
    expect((await definitions.read(position))['steps']).toHaveLength(2);
    const places = await enrolmentsOf(platform.database, position);
    expect(places.map(({ interview_id }) => interview_id)).toEqual([one, one, one]);
  });

  it('lets a step go that only test links have opened, or whose candidates are decided', async () => {
    const one = await cloneWithSteps(platform.database);
    const [two = ''] = await interviews(1);
    const position = await makeOf([one, two]);
    await take(position, 'started', true);
    const interview_result_id = await take(position, 'submitted');
    await platform.call('job-interview-result-update', {
      body: { interview_result_id, recruiter_go_next_round: false },
    });
    expect((await setSteps(position, [two])).status).toBe(200);
  });

  it('begins at the first step that exists when the candidate is enrolled', async () => {
    const [one = '', two = ''] = await interviews(2);
    const position = await makeOf([one]);
    const replies = await Promise.all([
      insist(() => setSteps(position, [two])),
      ...['a', 'b', 'c'].map((name) =>
        insist(() =>
          peopleCalls(platform).tryRegister([{ email: `${name}@race.example` }], { interview_id: position }),
        ),
      ),
    ]);
    const rows = replies.slice(1).flatMap(({ body }) => body as unknown as { interview_url?: string }[]);
    const places = rows.map(({ interview_url }) => openUrl(interview_url).claims['interview_id']);
    const steps = (await definitions.read(position))['steps'] as Step[];
    for (const place of places) expect(steps.map(({ interview_id }) => interview_id)).toContain(place);
  });
});
