import type { AvatarCaller } from '../../../db/platform/database';
import { listResults } from '../../../db/results/result-list';
import { askNextTurn } from '../../../db/taking/attempt-work';
import { answerTurn, askFallbackTurn, getAttempt } from '../../../db/taking/attempts';
import { withdrawTurn } from '../../../db/taking/live';
import { deleteVisits, findAvatarPage, openVisit, setVisitMode } from '../../../db/taking/visits';
import { typedAnswer } from '../../../local/demo/candidate';
import { insertOf, rowOf, uuid } from '../platform/world-rows';
import { createTakingWorld } from './taking-world';
import type { TakingWorld } from './taking-world';

/* Visits of public avatars (docs/taking.md#public-avatars). */

let world: TakingWorld;
beforeAll(async () => {
  world = await createTakingWorld();
});

type Made = { id: string; slug: string; caller: (visitId?: string) => AvatarCaller };

/** Creates a public avatar. */
async function makeAvatar(changes: Record<string, unknown> = {}): Promise<Made> {
  const id = uuid();
  const slug = `avatar-${id.slice(-12)}`;
  const { text, values } = insertOf('interview', {
    ...rowOf('interview', world.cell, world.cell.taken, id),
    type: 'public_avatar',
    slug,
    max_duration: 1200,
    ...changes,
  });
  await world.database.rows(text, values);
  const caller = (visitId = uuid()): AvatarCaller => ({
    kind: 'avatar_visit',
    avatar: { slug },
    visitId,
    domain: null,
  });
  return { id, slug, caller };
}
const open = (caller: AvatarCaller) => world.api.write(caller, (trx) => trx.one(openVisit('Hello?')));
const read = (caller: AvatarCaller) => world.api.query(caller, findAvatarPage);
const attemptOf = async (caller: AvatarCaller) => (await world.api.query(caller, getAttempt))[0]?.attempt;
const ask = (caller: AvatarCaller, turnId: string, text = 'Why?') =>
  world.api.write(caller, (trx) => trx.one(answerTurn(turnId, typedAnswer(text))));
const reply = (resultId: string, turnId: string, text: string) =>
  world.writeAsWorker((trx) => trx.one(askNextTurn(resultId, 1, turnId, { kind: 'candidate_asks', text })));
/** Begins a visit and asks the first question. */
async function visit(avatar: Made) {
  const visitId = uuid();
  const caller = avatar.caller(visitId);
  const { turn_id } = await open(caller);
  await ask(caller, turn_id ?? '');
  return { caller, visitId, turnId: turn_id ?? '' };
}
const production = async (credits: number) => {
  await world.change(
    `update credit_account set extra = $2, monthly = 0, plan = 'Free' where merchant_id = $1`,
    world.cell.merchantId,
    credits,
  );
  return { environment: 'production' };
};
const balance = async () =>
  Number(
    (
      await world.change('select extra from credit_account where merchant_id = $1', world.cell.merchantId)
    )[0]?.['extra'],
  );

// Which visibilities have a page is in test/db/catalogue/visibility.test.ts.
describe('who gets in', () => {
  it.each([
    [{ status: 'draft' }, false],
    [{ status: 'archived' }, false],
    [{ interview_available_till: '2020-01-01' }, false],
    [{ interview_available_till: '2999-01-01' }, true],
  ])('says of %j that it is open: %s, and begins visits only then', async (changes, isOpen) => {
    const { caller } = await makeAvatar(changes);
    expect(await read(caller())).toMatchObject([{ is_open: isOpen }]);
    expect(await open(caller())).toMatchObject({ outcome: isOpen ? 'open' : 'closed' });
  });

  it.each([{ status: 'deleted' }, { type: 'interview' }, { built_at: null }])(
    'has no page for %j',
    async (changes) => {
      const { caller } = await makeAvatar(changes);
      await expect(read(caller())).rejects.toMatchObject({ code: 'PA401' });
    },
  );

  it.each([
    ['merchant_unlisted', true],
    ['merchant_invite', false],
  ])('has a page as a step of a position of visibility %s: %s', async (visibility, hasPage) => {
    const avatar = await makeAvatar();
    const position = uuid();
    const { cell } = world;
    for (const [table, changes] of [
      ['position', { id: position, visibility }],
      ['position_step', { position_id: position, interview_id: avatar.id }],
    ] as const) {
      const { text, values } = insertOf(table, { ...rowOf(table, cell, cell.taken), ...changes });
      await world.database.rows(text, values);
    }
    const found = await read(avatar.caller()).then(
      ([page]) => page?.is_open,
      () => false,
    );
    expect(found).toBe(hasPage);
  });

  it('has no page at the portal domain of another merchant', async () => {
    const { caller } = await makeAvatar();
    await expect(read({ ...caller(), domain: 'jobs.other.example' })).rejects.toMatchObject({
      code: 'PA401',
    });
  });
});

describe('a visit', () => {
  it('takes 20 questions, and no more', async () => {
    const { caller, visitId, turnId } = await visit(await makeAvatar());
    let asked = turnId;
    for (let number = 1; number <= 20; number += 1) {
      const { outcome, turn_id } = await reply(visitId, asked, `Reply ${number}.`);
      expect(outcome).toBe('asked');
      asked = turn_id ?? '';
      const { outcome: stored } = await ask(caller, asked);
      expect(stored).toBe(number < 20 ? 'stored' : 'invalid');
    }
    const [page] = await read(caller);
    expect(page?.turns).toHaveLength(21);
    expect(page?.turns.at(-1)).toEqual({ text: 'Reply 20.', question: null });
  });

  it('begins once, whatever windows send the first question at the same time', async () => {
    const avatar = await makeAvatar(await production(10));
    const caller = avatar.caller();
    const opened = await Promise.all([1, 2, 3].map(() => open(caller)));
    expect(new Set(opened.map(({ turn_id }) => turn_id)).size).toBe(1);
    expect(await balance()).toBe(9);
    const { turn_id } = await open(caller);
    const outcomes = await Promise.all(['One?', 'Two?'].map((text) => ask(caller, turn_id ?? '', text)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'stored']);
  });

  it('takes back a spoken question whose visitor goes on, until that has cost 40 replies, and no typed one', async () => {
    const avatar = await makeAvatar();
    const caller = avatar.caller();
    const resultId = caller.visitId ?? '';
    const { turn_id: turnId } = await open(caller);
    const setMode = (mode: 'voice' | 'text') =>
      world.api.write(caller, (trx) => trx.rows(setVisitMode(mode)));
    const outcomeOf = async () => {
      await ask(caller, turnId ?? '');
      await reply(resultId, turnId ?? '', 'Because.');
      const { outcome } = await world.api.write(caller, (trx) => trx.one(withdrawTurn(turnId ?? '')));
      return outcome;
    };
    await setMode('voice');
    expect(await outcomeOf()).toBe('withdrawn');
    expect(await read(caller)).toMatchObject([{ turns: [{ question: null }] }]);
    await world.change(
      `insert into model_call (merchant_id, interview_id, purpose, result_id, attempt, prompt_version, model, duration_ms, outcome)
       select $1, $2, 'avatar_reply', $3, 1, 'test', 'test', 1, 'accepted' from generate_series(1, 40)`,
      world.cell.merchantId,
      avatar.id,
      resultId,
    );
    expect(await outcomeOf()).toBe('final');
    const other = avatar.caller();
    const { turn_id: typedTurn } = await open(other);
    await ask(other, typedTurn ?? '');
    await reply(other.visitId ?? '', typedTurn ?? '', 'Because.');
    expect(await world.api.write(other, (trx) => trx.one(withdrawTurn(typedTurn ?? '')))).toMatchObject({
      outcome: 'final',
    });
  });

  it('gets a reply without the model, and goes on', async () => {
    const { caller, turnId } = await visit(await makeAvatar());
    const { attempt } = await world.api.write(caller, (trx) =>
      trx.one(askFallbackTurn(turnId, 'Ask again.')),
    );
    expect(attempt).toMatchObject({
      state: 'running',
      turn: { text: 'Ask again.', answer: { mode: 'text' } },
    });
  });

  it('shows nothing of other visits, avatars and candidates', async () => {
    const [avatar, other] = [await makeAvatar(), await makeAvatar()];
    const { visitId, turnId } = await visit(avatar);
    const { result_id } = await world.taking(1);
    for (const caller of [other.caller(visitId), avatar.caller(), avatar.caller(result_id)]) {
      expect(await attemptOf(caller)).toBeNull();
      expect(await read(caller)).toMatchObject([{ turns: [] }]);
      expect((await ask(caller, turnId)).outcome).toBe('not_running');
    }
  });

  it('ends without a submit, a scoring or an event, and is in no count, report or list of candidates’ results', async () => {
    await world.insertEndpoint();
    const avatar = await makeAvatar({ result_view: 'none' });
    const { visitId } = await visit(avatar);
    await world.shift(visitId, 120);
    await world.change('select app.close_due_attempts(100)');
    expect(await world.show(visitId)).toMatchObject({
      status: 'draft',
      interview_status: 'completed',
      processing_status: null,
      is_visit: true,
      score: null,
    });
    expect(await world.events(visitId)).toEqual([]);
    const count = async (text: string) => (await world.change(text, avatar.id)).length;
    expect(await count('select 1 from account_count where scope_id = $1')).toBe(0);
    expect(await count('select 1 from report_attempt where interview_id = $1')).toBe(0);
    const list = async (filter: object) => {
      const rows = await world.api.query(
        world.cell.user,
        listResults({ order_by: 'created_at_newest', limit: 100, offset: 0, ...filter }),
      );
      return rows.some(({ interview_result_id }) => interview_result_id === visitId);
    };
    expect([await list({}), await list({ tab: 'incomplete' })]).toEqual([false, false]);
    expect([await list({ interview_id: avatar.id }), await list({ type: 'public_avatar' })]).toEqual([
      true,
      true,
    ]);
  });

  it('is deleted after 30 days, also if credits paid for it', async () => {
    const avatar = await makeAvatar(await production(3));
    const [old, running, young] = [await visit(avatar), await visit(avatar), await visit(avatar)];
    for (const [{ visitId }, days] of [
      [old, 31],
      [running, 31],
      [young, 29],
    ] as const)
      await world.change(
        `update interview_result set created_at = now() - make_interval(days => $2) where id = $1`,
        visitId,
        days,
      );
    await world.shift(old.visitId, 120);
    await world.shift(young.visitId, 120);
    await world.change('select app.close_due_attempts(100)');
    expect(await world.writeAsWorker((trx) => trx.rows(deleteVisits(100)))).toMatchObject([
      { result_id: old.visitId },
    ]);
    const left = async (table: string, column: string, id: string) =>
      (await world.change(`select 1 from ${table} where ${column} = $1`, id)).length;
    expect([
      await left('interview_result', 'id', old.visitId),
      await left('result_question', 'result_id', old.visitId),
    ]).toEqual([0, 0]);
    expect([
      await left('interview_result', 'id', running.visitId),
      await left('interview_result', 'id', young.visitId),
    ]).toEqual([1, 1]);
  });
});

describe('the credits of visits', () => {
  it('charges the price in production only, and begins no visit that cannot be paid', async () => {
    // Recordings and a long duration, which a visit does not have, cost nothing.
    const paid = await makeAvatar({ ...(await production(2)), max_duration: 7200, recording: 'video_all' });
    const opened = await Promise.all([1, 2, 3, 4, 5].map(() => open(paid.caller())));
    expect(opened.map(({ outcome }) => outcome).sort()).toEqual([
      'no_credits',
      'no_credits',
      'no_credits',
      'open',
      'open',
    ]);
    expect(await balance()).toBe(0);
    expect(await read(paid.caller())).toMatchObject([{ is_open: true, is_available: false }]);
    const free = await makeAvatar({ environment: 'development' });
    expect(await open(free.caller())).toMatchObject({ outcome: 'open' });
    expect(await balance()).toBe(0);
  });

  it('spends single credits of the avatar only', async () => {
    const [avatar, other] = [await makeAvatar(await production(0)), await makeAvatar(await production(0))];
    await world.change('update credit_account set single = 1 where merchant_id = $1', world.cell.merchantId);
    await world.change('insert into single_credit values ($1, $2, 1)', world.cell.merchantId, avatar.id);
    expect(await open(other.caller())).toMatchObject({ outcome: 'no_credits' });
    expect(await open(avatar.caller())).toMatchObject({ outcome: 'open' });
  });
});
