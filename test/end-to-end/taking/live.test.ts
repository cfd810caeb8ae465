import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLinkTokens } from '../../../db/platform/link-tokens';
import { jwkSet } from '../../../db/platform/tokens';
import { findSpokenText } from '../../../local/fakes/speech-file';
import { eachOf, eachRow } from '../../harness/each-row';
import { createDoor } from '../../harness/platform/door';
import type { Platform } from '../../harness/platform/platform';
import { takePort } from '../../harness/platform/ports';
import type { TestProcess } from '../../harness/platform/process';
import { sharedPlatform } from '../../harness/platform/shared-platform';
import { startLive } from '../../harness/platform/start-platform';
import { candidateCalls } from '../../harness/taking/candidate';
import { injectionsFor } from '../../harness/taking/injections';
import { livePages } from '../../harness/taking/live-page';
import type { LivePage } from '../../harness/taking/live-page';
import { until, waitFor } from '../../harness/wait-for';

let platform: Platform;
let calls: ReturnType<typeof candidateCalls>;
let pages: ReturnType<typeof livePages>;
let interviewId: string;
let live: TestProcess;
/** Another live process, which reaches the database through a door. */
let second: TestProcess;
let door: Awaited<ReturnType<typeof createDoor>>;
let url: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: true, live: true });
  const database = new URL(platform.databaseUrls.apiUrl);
  door = await createDoor(database.host);
  await door.open();
  database.port = String(door.port);
  const port = await takePort();
  url = `ws://127.0.0.1:${port}`;
  [live, second] = await Promise.all([
    startLive(platform),
    startLive(platform, port, { DATABASE_URL: database.href }),
  ]);
  calls = candidateCalls(platform);
  pages = livePages(platform);
  const { interactive_avatar_1: template } = platform.stack.template_ids;
  interviewId = await calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], {
    interview_template_id: template,
    recording: 'audio_all',
  });
});
afterEach(() => platform.clearFaults());

const answer = 'I have planned the work of my whole team.';
const begin = (interview = interviewId) => calls.beginAt(interview);
/** Opens the page of a new candidate at the first question, and begins to record the answer. */
async function answering(interview?: string) {
  const link = await begin(interview);
  const page = await pages.open(link);
  const { turn_id: turnId } = await page.listen();
  const recordingId = await page.record(turnId);
  return { link, page, turnId, recordingId };
}
/** What details show of a turn. */
async function shown(token: string, turnId: string) {
  const { attempt } = await calls.get(token);
  const { body } = await platform.call('job-interview-details', {
    query: { interview_result_id: attempt.result_id },
  });
  return (body['transcript'] as Record<string, unknown>[]).find(({ id }) => id === turnId);
}
const finishAnswer = async (page: LivePage) => {
  page.pause(2_500);
  return page.next('answered');
};

describe('a live conversation', () => {
  it('says the turns, hears the answers and keeps what their recordings contain', async () => {
    const link = await calls.register(interviewId);
    await calls.begin(link.token);
    const page = await pages.open(link);
    expect((await page.listen()).text).toBe('Welcome');
    const first = await page.listen();
    expect(first).toMatchObject({ text: 'First?', has_speech: true });
    const recordingId = await page.record(first.turn_id);
    expect(await page.say(answer)).toBe(answer);
    await finishAnswer(page);
    const second = await page.next('say');
    expect(second.text).toBe('Second?');
    page.send({ type: 'played', turn_id: second.turn_id, ms: 1_100, is_end: false });
    expect((await page.next('complete')).turn_id).toBe(first.turn_id);
    await page.complete(recordingId, 'What was really said.');
    page.send({ type: 'played', turn_id: second.turn_id, ms: 2_000, is_end: true });
    const last = await page.record(second.turn_id);
    await page.say('I would');
    await page.say('do it again in the same way.');
    await finishAnswer(page);
    const { attempt } = await page.next('turn');
    expect(attempt.state).toBe('collected');
    expect((await page.next('complete')).turn_id).toBe(second.turn_id);
    expect(await page.closed()).toBe(1000);
    // The attempt has ended, and the last recording is still accepted.
    await page.complete(last, 'The end.');
    for (const [turnId, text] of [
      [first.turn_id, 'What was really said.'],
      [second.turn_id, 'The end.'],
    ] as const)
      await waitFor('the transcript', async () => {
        const found = await shown(link.token, turnId);
        return found?.['answer'] === text && found['answer_is_draft'] === false;
      });
    const [listened] = await platform.database.rows<{ ms: number; cost: number }>(
      `select sum(duration_ms)::int as ms, sum(cost_usd)::float8 as cost from model_call
       where purpose = 'listening' and result_id = $1`,
      [attempt.result_id],
    );
    expect(listened?.ms).toBeGreaterThan(5_000);
    expect(listened?.cost).toBeCloseTo((0.6 * (listened?.ms ?? 0)) / 60_000, 5);
  });

  it('hears an answer from its beginning if the provider is slow to listen', async () => {
    await platform.fault({ provider: 'openai', call: 'listening_session', delay_ms: 2_000 });
    const { page } = await answering();
    expect(await page.say(answer)).toBe(answer);
  });

  it('opens an answer again while its candidate goes on, and decides about all of it', async () => {
    const { page, turnId, link } = await answering();
    await page.say(answer);
    await finishAnswer(page);
    const withdrawn = await page.next('say');
    page.send({ type: 'played', turn_id: withdrawn.turn_id, ms: 0, is_end: false });
    page.speak('And I have led it.');
    // The page may already record what could become the next answer.
    await page.record(withdrawn.turn_id);
    page.send({ type: 'barge', turn_id: withdrawn.turn_id, heard_ms: 600 });
    expect((await page.next('withdrawn')).turn_id).toBe(turnId);
    expect((await page.next('turn')).attempt.turn?.turn_id).toBe(turnId);
    page.pause(600);
    expect((await page.next('caption')).text).toBe(`${answer} And I have led it.`);
    await finishAnswer(page);
    const again = await page.next('say');
    expect(again.text).toBe('Second?');
    const [row] = await platform.database.rows<{ draft: string }>(
      'select draft from recording where turn_id = $1',
      [turnId],
    );
    expect(row?.draft).toBe(`${answer} And I have led it.`);
    // A later interruption belongs to the next answer.
    page.speak('Yes');
    page.send({ type: 'barge', turn_id: again.turn_id, heard_ms: 1_500 });
    expect((await page.next('complete')).turn_id).toBe(turnId);
    page.pause(600);
    expect(await page.next('caption')).toEqual({ type: 'caption', turn_id: again.turn_id, text: 'Yes' });
    expect((await calls.get(link.token)).attempt.turn?.turn_id).toBe(again.turn_id);
  });

  it('asks no model for ever about an answer that is taken back again and again', async () => {
    const { page, link } = await answering();
    await page.say(answer);
    await finishAnswer(page);
    const next = await page.next('say');
    const { attempt } = await calls.get(link.token);
    await platform.database.rows(
      `insert into model_call (merchant_id, interview_id, purpose, result_id, attempt, prompt_version, model, duration_ms, outcome)
       select merchant_id, interview_id, 'next_turn', id, attempt, 'x', 'x', 1, 'accepted'
       from interview_result, generate_series(1, 500) where id = $1`,
      [attempt.result_id],
    );
    page.send({ type: 'barge', turn_id: next.turn_id, heard_ms: 0 });
    expect((await page.next('say')).turn_id).toBe(next.turn_id);
    expect(page.has('withdrawn')).toBe(false);
  });

  it('keeps what it has heard if the recording is never completed, and says so', async () => {
    const { page, turnId, link } = await answering();
    await page.say(answer);
    await finishAnswer(page);
    await page.next('say');
    expect(await shown(link.token, turnId)).toMatchObject({ answer: null, answer_is_draft: false });
    await platform.database.rows('update recording set work_at = now() where turn_id = $1', [turnId]);
    await waitFor('the draft', async () => (await shown(link.token, turnId))?.['answer'] === answer);
    expect(await shown(link.token, turnId)).toMatchObject({ answer_is_draft: true });
  });

  it('asks for the recording of an answer of which it has heard no word or not all', async () => {
    const { page, turnId, recordingId, link } = await answering();
    await platform.fault({ provider: 'openai', call: 'listening', transcript: '…' });
    expect(await page.say('Hm')).toBe('…');
    page.send({ type: 'done', turn_id: turnId });
    expect((await page.next('send_recording')).turn_id).toBe(turnId);
    await page.complete(recordingId, answer);
    await calls.answer(link.token, turnId, { recording_id: recordingId });
    page.send({ type: 'refresh' });
    const second = await page.next('say');
    expect(second.text).toBe('Second?');
    // As from a page that was away when its candidate began the answer.
    page.send({ type: 'played', turn_id: second.turn_id, ms: 0, is_end: true, has_spoken: true });
    await page.record(second.turn_id);
    await page.say('to its end');
    page.send({ type: 'done', turn_id: second.turn_id });
    expect((await page.next('send_recording')).turn_id).toBe(second.turn_id);
  });

  it('says a turn again only once, however often the page says that something has changed', async () => {
    const link = await begin();
    const { turn_id: turnId } = await (await pages.open(link)).listen();
    // As from a page that could not send the recording which an earlier connection has asked for.
    const page = await pages.open(link, { seen: { turnId, isHeard: true } });
    expect(await page.next('state')).toEqual({ type: 'state', state: 'listens' });
    page.send({ type: 'refresh' });
    expect((await page.listen()).turn_id).toBe(turnId);
    for (let times = 0; times < 18; times += 1) page.send({ type: 'refresh' });
    await page.record(turnId);
    await page.say(answer);
    await finishAnswer(page);
    expect((await page.next('say')).text).toBe('Second?');
  });

  it('stores an answer after the database was away', async () => {
    const page = await pages.open(await begin(), { url });
    const { turn_id: turnId } = await page.listen();
    await page.record(turnId);
    await page.say(answer);
    await door.close();
    page.pause(2_500);
    await page.next('state');
    await door.open();
    expect((await page.next('say')).text).toBe('Second?');
  });
});

describe('the connection', () => {
  it('is refused without a valid token of a link that works', async () => {
    const link = await begin();
    const place = await pages.place(link.token);
    const [gone, ended] = [await begin(), await begin()];
    const [goneTo, endedTo] = [await pages.place(gone.token), await pages.place(ended.token)];
    const generation = 'update enrolment set link_generation = link_generation + 1 where id = $1';
    await platform.database.rows(generation, [gone.enrolmentId]);
    await calls.answer(ended.token, ended.turnId, { text: 'Yes.' });
    await calls.call('attempt-finish', { token: ended.token, body: {} });
    const links = await createLinkTokens(jwkSet.parse(platform.linkKeysFile), platform.stack.portal_url);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 6 * 60_000);
    const { enrolmentId } = link;
    const expired = await links.liveToken({
      kind: 'interview_link',
      enrolmentId,
      interviewId,
      generation: 0,
      isTest: false,
      domain: null,
    });
    now.mockRestore();
    await eachRow<[string, { url: string; token: string }, number, string?]>(
      [
        ['no token', { ...place, token: 'nothing' }, 401],
        ['the token of a link', { ...place, token: link.token }, 401],
        ['an expired token', { ...place, token: expired }, 401],
        ['a page of another origin', place, 403, 'https://elsewhere.example'],
        ['a link that was revoked', goneTo, 410],
        ['an attempt that has ended', endedTo, 410],
        ['a valid token', place, 101],
      ],
      async (_, to, status, origin) => {
        expect((await pages.refusal(to, origin)).status).toBe(status);
      },
    );
  });

  it('is not kept open after it was refused, whatever the other side does', async () => {
    const socket = connect({ port: platform.livePort, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined);
    const headers = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
    socket.write(`GET / HTTP/1.1\r\n${headers}\r\n`);
    socket.resume();
    await once(socket, 'end');
    // A server that still reads would never reset the connection.
    await waitFor('a reset', async () => socket.destroyed || (socket.write('x'), false));
  });

  it('is refused by a process that stops, which names the lower step', async () => {
    const port = await takePort();
    const stopping = await startLive(platform, port);
    const link = await begin();
    const { token } = await pages.place(link.token);
    const page = await pages.open(link, { url: `ws://127.0.0.1:${port}` });
    // A process that stops takes no new connection, but this one is open already.
    const early = connect({ port, host: '127.0.0.1' });
    await once(early, 'connect');
    const stopped = stopping.stop();
    expect(await page.closed()).toBe(1012);
    const headers = `Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: live.v1, ${token}\r\n`;
    early.write(`GET / HTTP/1.1\r\nHost: x\r\nOrigin: ${platform.stack.portal_url}\r\n${headers}\r\n`);
    const reply = await text(early);
    expect(reply).toMatch(/^HTTP\/1.1 503 /);
    expect(reply).toContain('{"step":"record","why":"busy"}');
    await stopped;
  });

  it('is refused to an attempt that has opened too many at once', async () => {
    const place = await pages.place((await begin()).token);
    const statuses: number[] = [];
    for (let tries = 0; tries < 22; tries += 1) statuses.push((await pages.refusal(place)).status);
    expect(statuses[0]).toBe(101);
    expect(statuses.at(-1)).toBe(503);
    expect((await pages.refusal(await pages.place((await begin()).token))).status).toBe(101);
  });

  it('is closed at the first thing that breaks the protocol', async () => {
    const frame = (bytes: number, number = 0) => {
      const made = Buffer.alloc(bytes);
      made.writeUInt32LE(number);
      return made;
    };
    await eachRow<[string, (page: LivePage) => void, number]>(
      [
        ['a short frame', ({ socket }) => socket.send(frame(963)), 1008],
        ['a long frame', ({ socket }) => socket.send(frame(965)), 1008],
        [
          'frames in the wrong order',
          ({ socket }) => [2, 1].forEach((n) => socket.send(frame(964, n))),
          1008,
        ],
        ['a frame of 10 MB', ({ socket }) => socket.send(Buffer.alloc(10_000_000)), 1009],
        ['frames without end', (page) => page.pause(30_000), 1008],
        ['no JSON', ({ socket }) => socket.send('{"type":'), 1008],
        ['another JSON', ({ socket }) => socket.send('[]'), 1008],
        ['an unknown message', ({ socket }) => socket.send('{"type":"say"}'), 1008],
        ['a text of 5 KB', ({ socket }) => socket.send(`{"type":"moment","x":"${'x'.repeat(5_000)}"}`), 1009],
        [
          'a second hello',
          ({ send }) => send({ type: 'hello', attempt: 1, turn_id: null, is_heard: false, sequence: 0 }),
          1008,
        ],
        [
          'too many messages',
          ({ send }) => Array.from({ length: 300 }).forEach(() => send({ type: 'moment' })),
          1008,
        ],
      ],
      async (_, act, code) => {
        const page = await pages.open(await begin());
        await page.next('say');
        act(page);
        expect(await page.closed()).toBe(code);
      },
    );
  });

  it('ends when another one of the attempt begins, also in another process', async () => {
    const link = await begin();
    const first = await pages.open(link);
    await first.next('say');
    const next = await pages.open(link, { url });
    expect(await first.closed()).toBe(4001);
    const last = await pages.open(link, { url });
    expect(await next.closed()).toBe(4001);
    expect((await last.next('say')).text).toBe('First?');
  });

  it('reaches one attempt only: the current one of its link', async () => {
    const [mine, other] = await Promise.all([answering(), answering()]);
    mine.page.send({ type: 'answering', turn_id: mine.turnId, recording_id: other.recordingId });
    mine.page.send({ type: 'done', turn_id: other.turnId });
    await mine.page.say(answer);
    mine.page.send({ type: 'done', turn_id: mine.turnId });
    expect((await mine.page.next('send_recording')).turn_id).toBe(mine.turnId);
    expect(
      await platform.database.rows('select from recording where id = $1 and draft is not null', [
        other.recordingId,
      ]),
    ).toEqual([]);
    const outdated = await pages.open(mine.link, { attempt: 2 });
    expect(await outdated.closed()).toBe(4001);
  });

  it('ends when the link is revoked while the candidate talks', async () => {
    const { page, link } = await answering();
    await page.say(answer);
    await platform.database.rows('update enrolment set link_generation = link_generation + 1 where id = $1', [
      link.enrolmentId,
    ]);
    page.pause(2_500);
    expect(await page.closed()).toBe(4003);
  });
});

describe('what a candidate says', () => {
  it('does not change the words of the interviewer', async () => {
    const { interactive_avatar_1: interview_template_id } = platform.stack.template_ids;
    const open = await calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], {
      interview_template_id,
      max_followups: 1,
    });
    // The model does as it is told.
    await platform.fault({ provider: 'openai', call: 'decision', decision: 'obeys_answer', times: 1_000 });
    const injections = injectionsFor('Backs the result of the project with numbers or feedback');
    await eachOf(injections, async (injection) => {
      const { link, page, turnId } = await answering(open);
      page.speak(injection);
      page.pause(600);
      await page.next('caption');
      page.send({ type: 'done', turn_id: turnId });
      const said = await page.next('say');
      expect([injection, said.text]).toEqual([injection, 'Second?']);
      const spoken = await until(
        'the speech',
        () => calls.call('turn-speech', { token: link.token, query: `?turn_id=${said.turn_id}` }),
        ({ status }) => status === 200,
      );
      expect(findSpokenText(Buffer.from(spoken.text))).toBe('Second?');
    });
    // Each answer was decided about by a model that obeyed.
    expect(await platform.faultsLeft()).toBeLessThanOrEqual(1_000 - injections.length);
  });
});

describe('whatever the provider does', () => {
  const listening = (more: object) => ({ provider: 'openai', call: 'listening', ...more });
  type End = 'answered' | 'send_recording' | 'lower';
  it('no answer is lost: the conversation goes on with it, or at the lower step', async () => {
    const given: { token: string; turnId: string }[] = [];
    await eachRow<[string, Record<string, unknown>[], End]>(
      [
        ['drops the connection', [listening({ listening: 'drop' })], 'send_recording'],
        ['stalls', [listening({ listening: 'stall' })], 'send_recording'],
        ['answers garbage', [listening({ listening: 'garbage' })], 'send_recording'],
        ['cannot write down the words', [listening({ listening: 'fail' })], 'send_recording'],
        ['hears wrong words', [listening({ transcript: 'Nobody has said this at all.' })], 'answered'],
        ['speaks', [listening({ listening: 'speaks' })], 'answered'],
        ['limits the rate', [listening({ listening: 'rate_limit' })], 'lower'],
        [
          'refuses a session after a dropped one',
          [listening({ listening: 'drop' }), { provider: 'openai', call: 'listening_session', status: 500 }],
          'lower',
        ],
      ],
      async (_, faults, expected) => {
        const { page, link, turnId, recordingId } = await answering();
        // The session is open, so its refusal can only be that of the next one.
        if (faults.length > 1) await page.say('Well,');
        for (const fault of faults) await platform.fault(fault);
        page.speak(answer);
        page.pause(600);
        if (expected === 'answered') await page.next('caption');
        // What is said in the next session is heard, but it is not all of the answer.
        if (expected === 'send_recording') await page.sayAgain('And more of it in the end.');
        if (expected !== 'lower') page.send({ type: 'done', turn_id: turnId });
        await page.next(expected);
        if (expected === 'answered') await page.next('say');
        await page.complete(recordingId, answer);
        if (expected !== 'answered') await calls.answer(link.token, turnId, { recording_id: recordingId });
        if (expected === 'send_recording') page.send({ type: 'refresh' });
        if (expected === 'send_recording') expect((await page.next('say')).text).toBe('Second?');
        expect((await calls.get(link.token)).attempt.turn?.text).toBe('Second?');
        expect(JSON.stringify(page.messages)).not.toContain('hired');
        given.push({ token: link.token, turnId });
        page.socket.close();
        await platform.clearFaults();
      },
    );
    expect(readFileSync(live.logFile, 'utf8')).toContain('"reason":"rate_limit"');
    for (const { token, turnId } of given)
      await until(
        'the transcript',
        () => shown(token, turnId),
        (found) => found?.['answer'] === answer && found['answer_is_draft'] === false,
      );
  });
});

/* The last test, because it ends the second process. */
describe('a conversation', () => {
  it('goes on in another process after one was killed', async () => {
    const link = await begin();
    const first = await pages.open(link, { url });
    const { turn_id: turnId } = await first.listen();
    const recordingId = await first.record(turnId);
    await first.say('I have planned');
    await second.kill();
    expect(await first.closed()).toBe(1006);
    const page = await pages.open(link, { seen: { turnId, isHeard: true } });
    page.send({ type: 'answering', turn_id: turnId, recording_id: recordingId });
    expect(await page.next('state')).toEqual({ type: 'state', state: 'listens' });
    await page.say('the work of my whole team.');
    page.pause(2_500);
    expect((await page.next('send_recording')).turn_id).toBe(turnId);
  });
});
