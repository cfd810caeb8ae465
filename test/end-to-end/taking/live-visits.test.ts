import { languageTexts } from '../../../api/platform/text/language-texts';
import type { Platform } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { startLive } from '../../harness/platform/start-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { livePages } from '../../harness/taking/live-page';
import type { LivePage, Place } from '../../harness/taking/live-page';
import { fact, visitorCalls } from '../../harness/taking/visitor';
import { waitFor } from '../../harness/wait-for';

/* Live conversations with public avatars (docs/live.md#visitors). */

let platform: Platform;
let pages: ReturnType<typeof livePages>;
let visitors: ReturnType<typeof visitorCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true, live: true });
  await startLive(platform);
  pages = livePages(platform);
  visitors = visitorCalls(platform);
});
afterEach(() => platform.clearFaults());

const makeAvatar = (changes: Record<string, unknown> = {}) =>
  visitors.makeAvatar({
    interview_template_id: platform.stack.template_ids.interactive_avatar_1,
    ...changes,
  });
type Browser = ReturnType<ReturnType<typeof visitorCalls>['openBrowser']>;
const placeOf = async (browser: Browser): Promise<{ status: number; place: Place }> => {
  const { status, html } = await browser.post('talk', {});
  return { status, place: (JSON.parse(html) as { live?: Place }).live ?? { url: '', token: '' } };
};
/** Opens the page of a new visitor, who begins to talk. */
async function talk(slug: string) {
  const browser = visitors.openBrowser(`/talk/${slug}/`);
  await browser.show();
  const { place } = await placeOf(browser);
  return { browser, page: await pages.open({ token: '', place }) };
}
// Five seconds wait for the session of the provider; later sound may come no faster than it passes.
const ask = async (page: LivePage, question: string, pauseMs = 2_000) => {
  await page.say(question);
  page.pause(pauseMs);
  await page.next('answered');
  return page.next('say');
};
const texts = languageTexts.en.spoken;

describe('a visitor who talks with a public avatar', () => {
  it('hears the replies to spoken questions, of which nothing is recorded, and can type on', async () => {
    const { id, slug } = await makeAvatar();
    const { page, browser } = await talk(slug);
    expect((await page.listen()).text).toBe(texts.avatar_prompt);
    const reply = await ask(page, 'Does the canteen serve vegetarian dishes?');
    expect(reply).toMatchObject({ text: fact, has_speech: true });
    const speech = (turnId: string) => browser.get(`speech?turn_id=${turnId}`);
    await waitFor('the speech', async () => (await speech(reply.turn_id)).status === 200);
    expect((await speech(reply.turn_id)).headers.get('content-type')).toBe('audio/mpeg');
    expect((await visitors.openBrowser(`/talk/${slug}/`).get(`speech?turn_id=${reply.turn_id}`)).status).toBe(
      404,
    );
    page.send({ type: 'lower', step: 'type', why: 'wish' });
    expect(await page.closed()).toBe(1000);
    const typed = await browser.ask('Who is the boss?');
    expect(typed.page.html).toContain(texts.avatar_unknown);
    const [visit] = await visitors.visitsOf(id);
    expect(
      await platform.database.rows(
        `select question_asked, answer, answer_kind, mode from result_question where result_id = $1 order by step_order`,
        [visit?.id],
      ),
    ).toEqual([
      {
        question_asked: texts.avatar_prompt,
        answer: 'Does the canteen serve vegetarian dishes?',
        answer_kind: 'text',
        mode: 'voice',
      },
      { question_asked: fact, answer: 'Who is the boss?', answer_kind: 'text', mode: 'text' },
      { question_asked: texts.avatar_unknown, answer: null, answer_kind: null, mode: 'text' },
    ]);
    expect(await platform.database.rows('select 1 from recording where result_id = $1', [visit?.id])).toEqual(
      [],
    );
  });

  it('can go on with a question, and gets one reply to all of it', async () => {
    const { id, slug } = await makeAvatar();
    const { page } = await talk(slug);
    const greeting = await page.listen();
    const early = await ask(page, 'Does the canteen', 4_000);
    page.send({ type: 'played', turn_id: early.turn_id, ms: 0, is_end: false });
    page.speak('serve vegetarian dishes?');
    page.send({ type: 'barge', turn_id: early.turn_id, heard_ms: 600 });
    expect((await page.next('withdrawn')).turn_id).toBe(greeting.turn_id);
    page.pause(600);
    await page.next('caption');
    page.pause(2_000);
    expect((await page.next('say')).text).toBe(fact);
    const [visit] = await visitors.visitsOf(id);
    const [asked] = await platform.database.rows(
      'select answer, count(*) over ()::int as turns from result_question where result_id = $1 order by step_order',
      [visit?.id],
    );
    expect(asked).toEqual({ answer: 'Does the canteen serve vegetarian dishes?', turns: 2 });
  });

  it('is asked again if not all of the question was understood', async () => {
    const { page } = await talk((await makeAvatar()).slug);
    await page.listen();
    await platform.fault({ provider: 'openai', call: 'listening', listening: 'fail' });
    expect(await page.say('Does the canteen')).toBe('');
    page.pause(4_000);
    for (const state of ['thinks', 'listens']) expect((await page.next('state')).state).toBe(state);
    expect((await ask(page, 'Does the canteen serve vegetarian dishes?')).text).toBe(fact);
  });

  it('hears the reply to the last question, and the conversation ends', async () => {
    const { id, slug } = await makeAvatar();
    const browser = visitors.openBrowser(`/talk/${slug}/`);
    await browser.ask('Is there a canteen for dishes?');
    // 18 more, each of which would take half a second.
    const [visit] = await visitors.visitsOf(id);
    await platform.database.rows(
      `insert into result_question
       select copy.* from result_question q, generate_series(1, 18) n,
         jsonb_populate_record(q, jsonb_build_object('id', gen_random_uuid(), 'after_turn', gen_random_uuid(), 'step_order', -n)) copy
       where q.result_id = $1 and q.answered_at is not null`,
      [visit?.id],
    );
    const { place } = await placeOf(browser);
    const page = await pages.open({ token: '', place });
    await page.listen();
    await ask(page, 'Does the canteen serve vegetarian dishes?');
    const last = await platform.database.rows<{ id: string }>(
      `select id from result_question where mode = 'none' and kind = 'candidate_asks'`,
    );
    page.send({ type: 'played', turn_id: last[0]?.id ?? '', ms: 2_000, is_end: true });
    expect(await page.closed()).toBe(1000);
    expect((await browser.show()).html).toContain(languageTexts.en.candidate_pages.avatar_ended);
    expect((await placeOf(browser)).status).toBe(409);
  });
});

describe('the limits of visitors who talk', () => {
  it('let no other site begin a visit, and none begin where the avatar does not speak or is closed', async () => {
    const [{ slug }, silent, closed] = [
      await makeAvatar(),
      await makeAvatar({ interview_template_id: platform.stack.template_ids.offline_avatar_3 }),
      await makeAvatar({ status: 'archived' }),
    ];
    const statusOf = async (avatar: string, headers?: Record<string, string>) => {
      const browser = visitors.openBrowser(`/talk/${avatar}/`);
      await browser.show();
      return (await browser.post('talk', {}, headers)).status;
    };
    expect(await statusOf(slug, { origin: 'https://evil.example' })).toBe(403);
    expect([await statusOf(silent.slug), await statusOf(closed.slug)]).toEqual([409, 409]);
  });

  it('leave half of the conversations of a merchant to candidates, who have a limit, too', async () => {
    const port = await takePort();
    await startLive(platform, port, { LIVE_SESSIONS_PER_MERCHANT: '2' });
    const url = `ws://127.0.0.1:${port}`;
    const { slug } = await makeAvatar();
    const place = async () => {
      const browser = visitors.openBrowser(`/talk/${slug}/`);
      await browser.show();
      return { ...(await placeOf(browser)).place, url };
    };
    await pages.open({ token: '', place: await place() });
    expect((await pages.refusal(await place())).status).toBe(503);
    const calls = candidateCalls(platform);
    const interviewId = await calls.makeInterview([{ question: 'First?' }], {
      interview_template_id: platform.stack.template_ids.interactive_avatar_1,
    });
    const placeOfCandidate = async () => ({
      ...(await pages.place((await calls.beginAt(interviewId)).token)),
      url,
    });
    await pages.open({ token: '', place: await placeOfCandidate() });
    const refused = await pages.refusal(await placeOfCandidate());
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.body)).toEqual({ step: 'record', why: 'busy' });
  });
});
