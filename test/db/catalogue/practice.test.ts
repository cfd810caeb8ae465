import { findPortalSession } from '../../../db/catalogue/portal-catalogue';
import type { Practice } from '../../../db/catalogue/practice';
import { startPractice } from '../../../db/catalogue/practice';
import type { Caller } from '../../../db/platform/database';
import { failAttempt } from '../../../db/taking/attempt-work';
import { findLinkedInterview } from '../../../db/taking/linked-interview';
import { recordScores, demoScores } from '../../../local/demo/candidate';
import { platformTemplateIds } from '../../../local/seed/templates';
import { meetAtRow } from '../../harness/platform/row-lock';
import { putRow, uuid } from '../platform/world-rows';
import { createTakingWorld } from '../taking/taking-world';
import type { Link, TakingWorld } from '../taking/taking-world';

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

/** Inserts an active learner whose account belongs to the merchant of `home`. */
async function learner(changes: Record<string, unknown> = {}, home = world.cell) {
  const id = uuid();
  const email = `${id}@learners.example`;
  const own = { role: 'user', name: 'Lea Lee', email, email_key: email, activated_at: '2026-01-01' };
  await putRow(world.database, 'profile', home, { id, ...own, ...changes });
  return { id, email };
}
const visit = (profileId: string | null, merchantId = world.cell.merchantId): Caller => ({
  kind: 'portal_visit',
  domain: null,
  merchantId,
  profileId,
});
/** Creates a session in the merchant's catalogue with one question, and returns the id of the session. */
async function session(changes: Record<string, unknown> = {}): Promise<string> {
  const { interviewId, enrolmentId } = await world.open([{ question: 'One?' }], {
    type: 'coaching',
    visibility: 'merchant_public',
    status: 'active',
    interview_available_till: null,
    result_scoring: null,
    result_view: 'minimal_with_score',
    ...changes,
  });
  await world.change('delete from enrolment where id = $1', enrolmentId);
  return interviewId;
}
const start = (profileId: string | null, id: string, merchantId?: string) =>
  world.api.write(visit(profileId, merchantId), (trx) => trx.maybeOne(startPractice(id)));
/** Starts a session and returns the link to it. */
async function startedLink(profileId: string, interviewId: string): Promise<Link> {
  const started = await start(profileId, interviewId);
  if (started?.outcome !== 'open') throw new Error(`the session is ${started?.outcome}`);
  const { enrolment_id: enrolmentId, link_generation: generation } = started;
  return { kind: 'interview_link', enrolmentId, interviewId, generation, isTest: false };
}
const page = async (profileId: string | null, id: string) =>
  (await world.api.query(visit(profileId), findPortalSession(id)))[0];
const practice = async (profileId: string, id: string) => (await page(profileId, id))?.practice;
const enrolments = (id: string) =>
  world.database.rows<{ id: string; profile_id: string; email: string; name: string; source: string }>(
    'select id, profile_id, email, name, source from enrolment where interview_id = $1',
    [id],
  );
async function takeAndSubmit(link: Link): Promise<{ result_id: string; attempt: number }> {
  const { attempt } = await world.begin(link);
  await world.answerOpen(link);
  await world.answerOpen(link);
  await world.submit(link);
  return { result_id: attempt?.result_id ?? '', attempt: attempt?.attempt ?? 0 };
}
const score = (key: { result_id: string; attempt: number }, points: number) =>
  world.writeAsWorker((trx) => recordScores(trx, key, { ...demoScores, score: points }, []));

describe('startPractice', () => {
  it('enrols a learner of the merchant with the own profile, once', async () => {
    const { id, email } = await learner();
    const own = await session();
    const first = await startedLink(id, own);
    expect(await startedLink(id, own)).toEqual(first);
    expect(await enrolments(own)).toEqual([
      { id: first.enrolmentId, profile_id: id, email, name: 'Lea Lee', source: 'public' },
    ]);
  });

  it('enrols a learner of another merchant with a candidate profile of this one', async () => {
    const { id, email } = await learner({}, world.cells[2]);
    await world.change(
      `insert into merchant_access (merchant_id, profile_id, role) values ($1, $2, 'user')`,
      world.cell.merchantId,
      id,
    );
    const [one, two] = [await session(), await session()];
    await startedLink(id, one);
    await startedLink(id, two);
    const profiles = await world.database.rows<{ id: string; role: string; email: string }>(
      'select id, role, email from profile where merchant_id = $1 and email_key = $2',
      [world.cell.merchantId, email],
    );
    expect(profiles).toEqual([{ id: expect.any(String) as string, role: 'candidate', email }]);
    for (const each of [one, two])
      expect(await enrolments(each)).toMatchObject([{ profile_id: profiles[0]?.id, email }]);
  });

  it('finds the enrolment of a registered candidate with the same address', async () => {
    const { id, email } = await learner();
    const own = await session();
    const enrolment = uuid();
    await putRow(world.database, 'enrolment', world.cell, {
      id: enrolment,
      interview_id: own,
      position_id: null,
      email,
      email_key: email,
    });
    expect((await startedLink(id, own)).enrolmentId).toBe(enrolment);
    expect(await enrolments(own)).toHaveLength(1);
  });

  it('makes one enrolment of simultaneous calls', async () => {
    const { id } = await learner();
    const own = await session();
    const links = await Promise.all(Array.from({ length: 4 }, () => startedLink(id, own)));
    expect(new Set(links.map(({ enrolmentId }) => enrolmentId)).size).toBe(1);
    expect(await enrolments(own)).toHaveLength(1);
  });

  it.each([
    ['is archived', { status: 'archived' }, 'closed'],
    ['is completed', { status: 'completed' }, 'closed'],
    ['has passed its end', { interview_available_till: '2020-01-01' }, 'over'],
    ['is a draft', { status: 'draft' }, undefined],
    ['is deleted', { status: 'deleted' }, undefined],
    ['is an interview', { type: 'interview' }, undefined],
    ['belongs to another environment', { environment: 'demo' }, undefined],
    ['is being built', { built_at: null }, undefined],
  ])('enrols nobody when the session %s', async (_what, changes, outcome) => {
    const { id } = await learner();
    const own = await session();
    const columns = Object.keys(changes).map((name, index) => `${name} = $${index + 2}`);
    await world.change(
      `update interview set ${columns.join()} where id = $1`,
      own,
      ...Object.values(changes),
    );
    expect((await start(id, own))?.outcome).toBe(outcome);
    expect(await enrolments(own)).toEqual([]);
  });

  it('enrols nobody but learners of this portal', async () => {
    const own = await session();
    const stranger = await learner({}, world.cells[2]);
    const disabled = await learner({ disabled_at: '2026-01-02' });
    const invited = await learner({ activated_at: null });
    for (const id of [null, stranger.id, disabled.id, invited.id])
      expect(await start(id, own)).toBeUndefined();
    const { id } = await learner();
    expect(await start(id, own, world.cells[2].merchantId)).toBeUndefined();
    expect(await enrolments(own)).toEqual([]);
  });
});

describe('findPortalSession', () => {
  const fresh = { state: 'new', finished: 0, score: null, max_score: 10 } satisfies Practice;

  it('shows the practice of the learner only', async () => {
    const own = await session();
    const [lea, max] = [await learner(), await learner()];
    await world.begin(await startedLink(lea.id, own));
    expect(await practice(lea.id, own)).toEqual({ ...fresh, state: 'running' });
    expect(await practice(max.id, own)).toEqual(fresh);
    expect(await page(null, own)).toMatchObject({ practice: null });
  });

  it('counts every submitted attempt, and shows the last score while the next attempt runs', async () => {
    const own = await session();
    const { id } = await learner();
    const link = await startedLink(id, own);
    expect(await practice(id, own)).toEqual(fresh);
    await world.begin(link);
    await world.answerOpen(link);
    await world.answerOpen(link);
    expect(await practice(id, own)).toEqual({ ...fresh, state: 'running' });
    await world.submit(link);
    expect(await practice(id, own)).toEqual({ ...fresh, state: 'scoring', finished: 1 });
    const { attempt } = await world.get(link);
    await score({ result_id: attempt?.result_id ?? '', attempt: 1 }, 6.5);
    const scored = { ...fresh, state: 'again', finished: 1, score: 6.5 };
    expect([await practice(id, own), (await page(id, own))?.is_completed]).toEqual([scored, true]);

    const again = await startedLink(id, own);
    expect(again).toEqual(link);
    await world.begin(again);
    expect(await practice(id, own)).toEqual({ ...scored, state: 'running' });
    expect((await page(id, own))?.is_completed).toBe(true);
    await world.answerOpen(again);
    await world.answerOpen(again);
    await world.submit(again);
    expect(await practice(id, own)).toEqual({ ...scored, state: 'scoring', finished: 2 });
    await score({ result_id: attempt?.result_id ?? '', attempt: 2 }, 8);
    expect(await practice(id, own)).toEqual({ ...scored, finished: 2, score: 8 });
  });

  it.each(['none', 'minimal'])('shows no score with the result view %s', async (result_view) => {
    const own = await session({ result_view });
    const { id } = await learner();
    await score(await takeAndSubmit(await startedLink(id, own)), 6.5);
    expect(await practice(id, own)).toEqual({ ...fresh, state: 'again', finished: 1 });
  });

  it('lets a learner start again after an attempt without a result', async () => {
    const own = await session();
    const { id } = await learner();
    const link = await startedLink(id, own);
    const { attempt } = await world.begin(link);
    await world.shift(attempt?.result_id ?? '', 600);
    await world.writeAsWorker((trx) => trx.rows({ text: 'select app.close_due_attempts(10)' }));
    expect(await practice(id, own)).toEqual({ ...fresh, state: 'again' });
    expect((await page(id, own))?.is_completed).toBe(false);
  });
});

describe('coaching credits', () => {
  /** Gives the account these coaching credits, and ends the attempts of other tests. */
  async function leave(credits: number): Promise<void> {
    await world.change(
      `update interview_result set interview_status = 'abandoned' where interview_status = 'started'`,
    );
    await world.change('update interview_result_attempt set is_open = false where is_open');
    await world.change(
      `select app.post_credits(merchant_id, 'coaching', 'expiry', $2 - coaching, null, null) from credit_account
       where merchant_id = $1`,
      world.cell.merchantId,
      credits,
    );
  }

  it('let one of two learners begin at once with the last session, and the other one after that attempt has failed', async () => {
    await leave(0.35);
    const own = await session({
      interview_template_id: platformTemplateIds.offline_avatar_3,
      recording: null,
    });
    const learners = [await learner(), await learner()];
    const links: Link[] = [];
    for (const { id } of learners) links.push(await startedLink(id, own));
    const begun = await meetAtRow(
      world.database,
      'credit_account',
      { key: 'merchant_id', id: world.cell.merchantId },
      links.map((link) => () => world.begin(link)),
    );
    expect(begun.map(({ outcome }) => outcome).toSorted()).toEqual(['begun', 'no_practice_left']);
    const late = begun[0]?.outcome === 'begun' ? 1 : 0;
    const [lateLink, lateLearner] = [links[late], learners[late]];
    if (!lateLink || !lateLearner) throw new Error('there are two learners');
    const left = async () => [
      (await world.api.query(lateLink, findLinkedInterview))[0]?.has_practice_left,
      (await practice(lateLearner.id, own))?.state,
    ];
    expect(begun[late]?.attempt).toBeNull();
    expect(await left()).toEqual([false, 'used_up']);
    const test = { ...lateLink, isTest: true };
    expect(await world.begin(test)).toMatchObject({ outcome: 'begun' });
    await world.writeAsWorker((trx) =>
      trx.one(failAttempt(begun[1 - late]?.attempt?.result_id ?? '', 1, 'failed', 'technical_error')),
    );
    expect(await left()).toEqual([true, 'new']);
    expect(await world.begin(lateLink)).toMatchObject({ outcome: 'begun' });
  });

  it('are kept for a further attempt, too', async () => {
    await leave(0.7);
    const own = await session({
      interview_template_id: platformTemplateIds.offline_avatar_3,
      recording: null,
    });
    const [one, other] = [
      await startedLink((await learner()).id, own),
      await startedLink((await learner()).id, own),
    ];
    await score(await takeAndSubmit(one), 5);
    expect(await world.begin(one)).toMatchObject({ outcome: 'begun', attempt: { attempt: 2 } });
    expect(await world.begin(other)).toMatchObject({ outcome: 'no_practice_left' });
  });

  it('pay what the session cost when the attempt began, whatever it costs when others begin and when it ends', async () => {
    await leave(5);
    const template = { interview_template_id: platformTemplateIds.interactive_avatar_1, recording: null };
    const [own, other] = [await session(template), await session(template)];
    const { attempt } = await world.begin(await startedLink((await learner()).id, own));
    await world.change('update interview set max_duration = 7200 where id = $1', own);
    // Of the 5 credits, 2.5 are kept for the attempt that runs. It would cost 12.5 now.
    expect(await world.begin(await startedLink((await learner()).id, other))).toMatchObject({
      outcome: 'begun',
    });
    const result = attempt?.result_id ?? '';
    await world.change(
      `update interview_result set interview_status = 'completed, stopped early', duration = 6000 where id = $1`,
      result,
    );
    await world.change('select app.charge_result($1)', result);
    expect(
      await world.change('select bucket, amount::float8 from credit_entry where result_id = $1', result),
    ).toEqual([{ bucket: 'coaching', amount: -1.5 }]);
  });
});

describe('the role of visitors', () => {
  it.each([
    `insert into enrolment (interview_id, profile_id, email, email_key) values (gen_random_uuid(), gen_random_uuid(), '', '')`,
    'select id from enrolment',
    'select id from interview_result',
    'select app.find_practice(gen_random_uuid())',
    'select app.begin_attempt(null, null)',
  ])('may not %s', async (text) => {
    const { id } = await learner();
    await expect(world.api.write(visit(id), (trx) => trx.rows({ text }))).rejects.toMatchObject({
      code: '42501',
    });
  });
});
