import { createHmac } from 'node:crypto';
import { findSpokenText } from '../../../local/fakes/speech-file';
import { platformTemplateIds } from '../../../local/seed/templates';
import { definitionCalls, given } from '../../harness/interviews/definitions';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { candidateCalls, turnOf } from '../../harness/taking/candidate';
import { waitFor } from '../../harness/wait-for';

let platform: Platform;
let interviews: ReturnType<typeof definitionCalls>;
let candidates: ReturnType<typeof candidateCalls>;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true });
  interviews = definitionCalls(platform);
  candidates = candidateCalls(platform);
});
afterEach(() => platform.clearFaults());

/** Creates an active interview with the API, because copies of rows start no workflow. */
async function create(questions: string[]): Promise<string> {
  const { status, body, text } = await interviews.fromArray({
    interview_template_id: platformTemplateIds.offline_avatar_3,
    questions: questions.map((question) => given(question)),
  });
  if (status !== 200) throw new Error(text);
  return String(body['interview_def_set_id']);
}
const settled = (id: string) =>
  waitFor('the end of all renderings', async () => {
    const definition = await interviews.read(id);
    const videos = definition['question_videos'] as {
      ready: number;
      rendering: number;
      failed: number;
    } | null;
    const isPlanned = definition.questions.every(({ avatar_video }) => avatar_video !== null);
    return isPlanned && videos?.rendering === 0 ? { videos, questions: definition.questions } : undefined;
  });
const ordersOf = async (text: string) =>
  ((await platform.fake('/videos')) as { text: string }[]).filter((video) => video.text === text);

/** Opens the page of a candidate like a browser without scripts, and goes on to the first question. */
async function firstQuestion(interviewId: string) {
  const link = await candidates.register(interviewId);
  const { attempt } = await candidates.begin(link.token);
  const asked = await candidates.answer(link.token, turnOf(attempt).turn_id, { seen: true });
  const first = await fetch(link.url, { redirect: 'manual' });
  const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const address = new URL(first.headers.get('location') ?? '', link.url);
  const open = (path: string | URL, headers: Record<string, string> = {}) =>
    fetch(new URL(path, address), { headers: { cookie, ...headers } });
  const page = await open(address);
  return { token: link.token, turn: turnOf(asked.attempt), page, html: await page.text(), open };
}

describe('the videos of an interview', () => {
  it('are rendered when it is created, shown to candidates, and rendered again for a changed question', async () => {
    // Each report that comes twice must neither order nor store a video twice.
    await platform.fault({ provider: 'heygen', hook: 'twice', times: 4 });
    const id = await create(['What did you build?', 'Why?']);
    const { videos, questions } = await settled(id);
    expect(videos).toEqual({ ready: 4, rendering: 0, failed: 0 });
    expect(questions.map(({ avatar_video }) => avatar_video)).toEqual([
      { state: 'ready', ai_generated: true },
      { state: 'ready', ai_generated: true },
    ]);

    const { token, turn, page, html, open } = await firstQuestion(id);
    expect(turn).toMatchObject({ text: 'What did you build?', has_video: true, ai_generated: false });
    const source = /<video[^>]* src="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(html).toContain('AI interviewer, generated');
    expect(page.headers.get('content-security-policy')).toContain("media-src 'self'");
    const whole = Buffer.from(await (await open(source)).arrayBuffer());
    expect(findSpokenText(whole)).toBe('What did you build?');
    expect(whole.toString('latin1')).toContain('trainedAlgorithmicMedia');
    const part = await open(source, { range: 'bytes=10-19' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
    expect((await open(source, { range: `bytes=${whole.length}-` })).status).toBe(416);
    const file = await fetch(`${platform.stack.portal_url}/portal/v1/turn-video?turn_id=${turn.turn_id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([file.headers.get('content-type'), Buffer.from(await file.arrayBuffer())]).toEqual([
      'video/mp4',
      whole,
    ]);

    const update = (body: Record<string, unknown>) =>
      platform.call('job-interview-update', { body: { position_id: id, ...body } });
    const changed = questions.map((question, index) =>
      index === 0 ? { ...question, question: 'What did you make?' } : question,
    );
    expect((await update({ status: 'draft', questions: changed })).status).toBe(200);
    expect((await update({ status: 'active' })).status).toBe(200);
    expect((await settled(id)).questions).toMatchObject([
      { question: 'What did you make?', avatar_video: { state: 'ready' } },
      { id: questions[1]?.id, avatar_video: { state: 'ready' } },
    ]);
    expect(
      [await ordersOf('What did you make?'), await ordersOf('Why?')].map(({ length }) => length),
    ).toEqual([1, 1]);
    expect((await firstQuestion(id)).turn).toMatchObject({ text: 'What did you make?', has_video: true });
  });

  it('that failed are shown, replaced by the speech, and rendered again', async () => {
    await platform.fault({ provider: 'heygen', video: 'fails', times: 3 });
    const id = await create(['What failed?']);
    const { videos, questions } = await settled(id);
    expect(videos).toEqual({ ready: 0, rendering: 0, failed: 3 });
    expect(questions).toMatchObject([{ avatar_video: { state: 'failed' } }]);
    const { turn, html } = await firstQuestion(id);
    expect(turn).toMatchObject({ has_video: false, has_speech: true });
    expect(html).not.toContain('<video');
    const again = await platform.call('job-interview-render-videos', { body: { position_id: id } });
    expect(again.body).toEqual({ queued: 3 });
    expect((await settled(id)).videos).toEqual({ ready: 3, rendering: 0, failed: 0 });
    expect((await platform.call('job-interview-render-videos', { body: { position_id: id } })).body).toEqual({
      queued: 0,
    });
  });
});

describe('/hooks/heygen', () => {
  const body = JSON.stringify({
    event_type: 'avatar_video.success',
    event_data: {
      video_id: 'x',
      url: 'http://169.254.169.254/',
      callback_id: '01a20b1d-0c44-7e0f-8f1b-6c2d9a7b3e10',
    },
  });
  const post = (secret: string, sent = body) =>
    fetch(`${platform.stack.origin}/hooks/heygen`, {
      method: 'POST',
      headers: { signature: createHmac('sha256', secret).update(body).digest('hex') },
      body: sent,
    });

  it('takes signed reports, also of videos that nobody renders, and refuses all others', async () => {
    expect((await post(platform.videoSecret)).status).toBe(204);
    expect((await post(platform.videoSecret, `${body} `)).status).toBe(401);
    expect((await post('another secret')).status).toBe(401);
  });
});
