import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { atEnd } from '../harness/at-end';
import { eachOf } from '../harness/each-row';
import { createDoor } from '../harness/platform/door';
import { infrastructure } from '../harness/platform/infrastructure';
import { takePort } from '../harness/platform/ports';
import type { TestProcess } from '../harness/platform/process';
import { startLive as startLiveOf, startPlatform } from '../harness/platform/start-platform';
import type { OwnPlatform } from '../harness/platform/start-platform';
import { candidateCalls } from '../harness/taking/candidate';
import type { CandidateLink } from '../harness/taking/candidate';
import { sentence, talkers } from '../harness/taking/talker';
import type { Talker } from '../harness/taking/talker';
import { until, waitFor } from '../harness/wait-for';

const oneWayMs = 150;
/** TCP sends a lost segment again after the round trip and at least 200 ms. */
const againMs = 2 * oneWayMs + 200;
const segmentBytes = 1_448;
const loss = 0.02;

/**
 * Starts a relay to a server (host:port) and returns its port. It models what TCP makes of a network with a round trip of
 * 300 ms that loses 2 % of its segments: nothing is lost for the two ends, but a segment that was lost once arrives 500 ms
 * later, and all behind it wait. It does not model congestion control, or losses of acknowledgements. The losses are the
 * same in each run.
 */
async function startSlowNetwork(target: string): Promise<number> {
  const port = await takePort();
  const [host = '', targetPort = ''] = target.split(':');
  let seed = 1;
  const isLost = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff < loss;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(targetPort), host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      carry(from, to, isLost);
    }
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return port;
}

function carry(from: Socket, to: Socket, isLost: () => boolean): void {
  const onTheWay: { at: number; deliver: () => void }[] = [];
  const arrive = () => {
    while (onTheWay[0] && onTheWay[0].at <= performance.now()) onTheWay.shift()?.deliver();
    if (onTheWay[0]) setTimeout(arrive, onTheWay[0].at - performance.now());
  };
  const send = (deliver: () => void) => {
    const at = performance.now() + oneWayMs + (isLost() ? againMs : 0);
    onTheWay.push({ at: Math.max(at, onTheWay.at(-1)?.at ?? 0), deliver });
    if (onTheWay.length === 1) setTimeout(arrive, at - performance.now());
  };
  from.on('data', (chunk: Buffer) => {
    for (let start = 0; start < chunk.length; start += segmentBytes)
      send(() => to.write(chunk.subarray(start, start + segmentBytes)));
  });
  from.on('error', () => undefined).on('close', () => send(() => to.destroy()));
}

type Live = { url: string; port: number; process: TestProcess };
let platform: OwnPlatform;
let calls: ReturnType<typeof candidateCalls>;
let talk: ReturnType<typeof talkers>;
let first: Live;
let second: Live;
beforeAll(async () => {
  platform = await startPlatform({ worker: false, live: true });
  calls = candidateCalls(platform);
  talk = talkers(platform);
  [first, second] = await Promise.all([startLive(), startLive()]);
});

const makeInterview = (max_followups: number) =>
  calls.makeInterview([{ question: 'First?' }, { question: 'Second?' }], {
    interview_template_id: platform.stack.template_ids.interactive_avatar_1,
    recording: 'audio_all',
    max_followups,
  });

async function startLive(more: NodeJS.ProcessEnv = {}): Promise<Live> {
  const port = await takePort();
  return { port, url: `ws://127.0.0.1:${port}`, process: await startLiveOf(platform.facts, port, more) };
}

const twoHalves = 'I have planned the work of my whole team, and have led it to its end.';
/** Checks that each question was asked once, and that its answer is what was said, once, and in one recording. */
async function expectAnswers(tokens: string[], said: Record<string, string>): Promise<void> {
  for (const token of tokens) {
    const { attempt } = await calls.get(token);
    expect(attempt.state).toBe('collected');
    const rows = await until(
      'the transcripts',
      () =>
        platform.database.rows<{ asked: string; answer: string; status: string; recordings: number }>(
          `select q.question_asked as asked, q.answer, q.transcript_status as status, (select count(*)::int from recording c
             where c.turn_id = q.id and c.state <> 'discarded') as recordings
           from result_question q where q.result_id = $1 and q.mode = 'voice' order by q.step_order`,
          [attempt.result_id],
        ),
      (found) => found.every(({ status }) => status !== 'pending'),
      // What a killed worker was doing is repeated after up to 30 seconds.
      75_000,
    );
    expect(rows).toEqual(
      Object.entries(said).map(([asked, answer]) => ({ asked, answer, status: 'done', recordings: 1 })),
    );
  }
}

describe('50 conversations', () => {
  it('all go on in the other process when one of two is killed', async () => {
    // Without decisions, so that the worker is not needed while they last.
    const interviewId = await makeInterview(0);
    const links: CandidateLink[] = [];
    await eachOf([...Array(50).keys()], async () => links.push(await calls.beginAt(interviewId)));
    const killed = await startLive();
    const candidates = links.map(({ token }, index): Talker => {
      const places = index % 2 === 0 ? [first, killed] : [killed, first];
      let connections = 0;
      return talk(token, { live: () => (places[connections++ % 2] as Live).url });
    });
    const answered = `select from result_question where mode = 'voice' and answered_at is not null`;
    await until(
      'half of them to be at the second question',
      async () => (await platform.database.rows(answered)).length,
      (found) => found >= 25,
    );
    await killed.process.kill();
    await Promise.all(candidates.map(({ ended }) => ended));
    expect(candidates.some(({ connections }) => connections() > 1)).toBe(true);
    const attempts = await Promise.all(links.map(({ token }) => calls.get(token)));
    expect(new Set(attempts.map(({ attempt }) => attempt.state))).toEqual(new Set(['collected']));
    // Nothing is transcribed yet. An answer that the page has sent itself has no draft.
    const rows = await platform.database.rows<{ asked: string; draft: string | null }>(
      `select q.question_asked as asked, c.draft from result_question q
       join recording c on c.turn_id = q.id and c.state <> 'discarded'
       where q.mode = 'voice' and q.recording_id = c.id and c.state = 'completed'`,
    );
    expect(rows).toHaveLength(100);
    for (const { asked, draft } of rows) expect([null, sentence(asked)]).toContain(draft);
  });
});

describe('a network of 300 ms that loses 2 %', () => {
  beforeAll(() => platform.startWorker());
  it('delays a conversation, and does not end the turn of a candidate who pauses', async () => {
    const interviewId = await makeInterview(0);
    const { token } = await calls.beginAt(interviewId);
    const [live, api] = await Promise.all([
      startSlowNetwork(`127.0.0.1:${first.port}`),
      startSlowNetwork(new URL(platform.stack.origin).host),
    ]);
    const candidate = talk(token, {
      live: () => `ws://127.0.0.1:${live}`,
      origin: `http://localhost:${api}`,
      async answer(talker, question) {
        if (question !== 'First?') {
          talker.say(sentence(question));
          return talker.done();
        }
        talker.say('I have planned the work of my whole team,');
        talker.pause(1_500);
        talker.say('and have led it to its end.');
        talker.pause(3_000);
        await talker.answered();
      },
    });
    await candidate.ended;
    expect(candidate.asked).toEqual(['First?', 'Second?']);
    await expectAnswers([token], { 'First?': twoHalves, 'Second?': sentence('Second?') });
  });
});

describe('when something is unavailable for ten seconds in the middle of an answer', () => {
  it('stores the answer once, and the conversation goes on', async () => {
    const { hostname, port } = new URL(platform.databaseUrls.apiUrl);
    const [closed, deaf, temporal, api] = await Promise.all([
      createDoor(`${hostname}:${port}`),
      createDoor(`${hostname}:${port}`),
      createDoor(infrastructure().temporalAddress),
      createDoor(new URL(platform.stack.origin).host),
    ]);
    const doors = [closed, deaf, temporal, api];
    await Promise.all(doors.map((door) => door.open()));
    const databaseAt = (door: { port: number }) => {
      const url = new URL(platform.databaseUrls.apiUrl);
      url.port = String(door.port);
      return { DATABASE_URL: url.href };
    };
    const [noDatabase, noReplies, noTemporal, killed] = await Promise.all([
      startLive(databaseAt(closed)),
      startLive(databaseAt(deaf)),
      startLive({ TEMPORAL_ADDRESS: temporal.address }),
      startLive(),
    ]);
    const apiOrigin = `http://localhost:${api.port}`;
    const places: { live: Live; origin?: string }[] = [
      { live: noDatabase },
      { live: noReplies },
      { live: noTemporal },
      { live: killed },
      { live: first, origin: apiOrigin },
      // The worker.
      { live: second },
    ];
    // Each answer is followed by a decision, which needs Temporal and the worker.
    const interviewId = await makeInterview(1);
    let halves = 0;
    let goOn = (): void => undefined;
    const away = new Promise<void>((resolve) => (goOn = resolve));
    const links = await Promise.all(places.map(() => calls.beginAt(interviewId)));
    const candidates = places.map(({ live, origin }, index) =>
      talk(links[index]?.token ?? '', {
        live: () => live.url,
        ...(origin ? { origin } : {}),
        async answer(candidate, question) {
          if (question !== 'First?') {
            candidate.say(sentence(question));
            return candidate.done();
          }
          candidate.say('I have planned the work of my whole team,');
          candidate.pause(600);
          await waitFor('the first half', async () => candidate.heard() !== '' || candidate.isOver());
          halves += 1;
          await away;
          candidate.say('and have led it to its end.');
          return candidate.done();
        },
      }),
    );
    await until(
      'the first halves',
      () => halves,
      (found) => found === places.length,
    );
    // Nobody connects through a closed door. Through a deaf one, statements arrive but their replies do not.
    await Promise.all([
      closed.close(),
      temporal.close(),
      api.close(),
      killed.process.kill(),
      platform.worker?.kill(),
    ]);
    deaf.setMode('deaf');
    goOn();
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    deaf.setMode('open');
    await Promise.all([
      ...doors.map((door) => door.open()),
      startLiveOf(platform.facts, killed.port),
      platform.startWorker(),
    ]);
    await Promise.all(candidates.map(({ ended }) => ended));
    await expectAnswers(
      links.map(({ token }) => token),
      { 'First?': twoHalves, 'Second?': sentence('Second?') },
    );
  });
});
