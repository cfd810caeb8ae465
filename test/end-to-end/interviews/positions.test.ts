import { definitionCalls } from '../../harness/interviews/definitions';
import { cloneInterview, enrolmentsOf, openUrl, peopleCalls } from '../../harness/people/people';
import type { Platform, Reply } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { embedCalls, signToken } from '../../harness/taking/embed';

/* Tests positions and their steps, and the list of interviews and positions (docs/interviews.md#positions). */

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let definitions: ReturnType<typeof definitionCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  calls = candidateCalls(platform);
  definitions = definitionCalls(platform);
});

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
const interviews = (count: number, changes: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, () => cloneInterview(platform.database, changes)));
const error = ({ status, body }: Reply) => ({
  status,
  name: body['name'],
  code: body['code'],
  error: body['error'],
});

describe('position-update-steps', () => {
  it('moves candidates who have not begun a removed step to the first step that they have not taken', async () => {
    const make = (question: string) => calls.makeInterview([{ question }], { result_view: 'none' });
    const [a = '', b = '', c = ''] = await Promise.all(['A?', 'B?', 'C?'].map(make));
    const position = await makeOf([a, b, c]);
    const advanced = await calls.register(position);
    await calls.takeAll(advanced.token);
    const { attempt } = await calls.get(advanced.token);
    await decide(attempt.result_id, true);
    const abandoned = await calls.register(position);
    await calls.begin(abandoned.token);
    await platform.database.rows(
      `update interview_result set interview_status = 'abandoned' where enrolment_id = $1`,
      [abandoned.enrolmentId],
    );
    const { token, email } = await calls.register(position);
    expect(await placesAt(position)).toEqual([b, a, a]);
    expect((await setSteps(position, [c, b])).status).toBe(200);
    expect(await placesAt(position)).toEqual([b, c, c]);
    expect((await calls.begin(token)).status).toBe(401);
    const [row] = await peopleCalls(platform).register([{ email }], { interview_id: position });
    const next = new URL(row?.interview_url ?? '').searchParams.get('interview_token') ?? '';
    expect(await calls.takeAll(next)).toEqual(['Welcome', 'C?']);
    // There is no further step for the candidate who has taken the only one that is left.
    await decide((await calls.get(next)).attempt.result_id, false);
    expect((await setSteps(position, [a])).status).toBe(200);
    expect(await placesAt(position)).toEqual([a, a, c]);
  });
});

/** Returns the steps at which the candidates of a position are, those of the first candidate first. */
const placesAt = async (position: string) =>
  (await enrolmentsOf(platform.database, position)).map(({ interview_id }) => interview_id);
const decide = (interview_result_id: string, recruiter_go_next_round: boolean | null) =>
  platform.call('job-interview-result-update', { body: { interview_result_id, recruiter_go_next_round } });

describe('a candidate of a position whose steps change', () => {
  it('goes on at the same link, and takes every step once in the new order', async () => {
    const make = (question: string) => calls.makeInterview([{ question }], { result_view: 'none' });
    const [a, b, c, front] = (await Promise.all(['A?', 'B?', 'C?', 'Front?'].map(make))) as [
      string,
      string,
      string,
      string,
    ];
    const position = await makeOf([a, b]);
    const link = await calls.register(position);
    const began = await calls.begin(link.token);
    expect(began.status).toBe(200);
    expect((await setSteps(position, [front, b, a, c])).status).toBe(200);

    const taken: string[] = [];
    let { token, interviewId } = link;
    for (let previous = ''; previous !== interviewId;) {
      previous = interviewId;
      taken.push((await calls.takeAll(token)).at(-1) ?? '');
      const { attempt } = await calls.get(token);
      expect((await decide(attempt.result_id, true)).status).toBe(200);
      const [row] = await peopleCalls(platform).register([{ email: link.email }], { interview_id: position });
      token = new URL(row?.interview_url ?? '').searchParams.get('interview_token') ?? '';
      interviewId = String(openUrl(row?.interview_url).claims['interview_id']);
    }
    expect(taken).toEqual(['A?', 'Front?', 'B?', 'C?']);
  });
});

describe('an interview that is a step', () => {
  it('takes no candidates by itself while its position is archived', async () => {
    const step = await calls.makeInterview([{ question: 'One?' }]);
    const embeds = embedCalls(platform);
    const key = await embeds.makeKey(step);
    const position = await makeOf([step]);
    const link = await calls.register(step);
    await platform.call('job-interview-set-state', { body: { position_id: position, status: 'archived' } });
    const { tryRegister, invite } = peopleCalls(platform);
    expect(error(await tryRegister([{ email: 'a@step.example' }], { interview_id: step }))).toMatchObject({
      status: 422,
      name: 'interview_id',
      code: 'not_permitted_state',
    });
    const [invited] = await invite([{ email: 'b@step.example', type: 'candidate', interview_id: step }]);
    expect(invited?.code).toBe('interview_closed');
    expect((await calls.begin(link.token)).status).toBe(410);
    expect((await embeds.enter(key.embed_id, signToken(key))).status).toBe(410);
  });
});

describe('an interview of visibility sub_item', () => {
  it('is reached only through its position, whose status decides', async () => {
    const [step = ''] = await interviews(1, { visibility: 'sub_item', status: 'draft' });
    const { tryRegister, invite } = peopleCalls(platform);
    const users = [{ email: 'sub@item.example' }];
    expect(error(await tryRegister(users, { interview_id: step }))).toMatchObject({
      status: 422,
      name: 'interview_id',
      code: 'not_permitted_state',
    });
    const [invited] = await invite([{ ...users[0], type: 'candidate', interview_id: step }]);
    expect(invited?.code).toBe('interview_closed');
    const embed = await platform.call('job-interview-set-state', {
      body: { position_id: step, is_embedded: true },
    });
    expect(error(embed)).toMatchObject({ status: 422, name: 'is_embedded', code: 'not_permitted_state' });
    const position = await makeOf([step]);
    const { token } = await calls.register(position);
    expect((await calls.begin(token)).status).toBe(200);
    await platform.call('job-interview-set-state', { body: { position_id: position, status: 'archived' } });
    expect(error(await tryRegister(users, { interview_id: position }))).toMatchObject({
      status: 422,
      name: 'interview_id',
    });
  });

  it('opens by no embed key that it had before', async () => {
    const [id = ''] = await interviews(1);
    const embeds = embedCalls(platform);
    const key = await embeds.makeKey(id);
    const enter = async () => (await embeds.enter(key.embed_id, signToken(key))).status;
    expect(await enter()).toBe(303);
    expect((await definitions.update(id, { visibility: 'sub_item' })).status).toBe(200);
    expect(await enter()).toBe(401);
  });
});
