import { execFile, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withAdminConnection } from '../../db/platform/credentials';
import { createPortalClient } from '../../local/demo/portal-client';
import { assertPortsFree } from '../../local/ports';
import type { OpenLinks } from '../../local/seed/open-links';
import type { StackDescription } from '../../local/stack-file';
import { takePort } from '../harness/platform/ports';
import { openLink } from '../harness/taking/open-link';
import { inTime, until } from '../harness/wait-for';

// Each test starts the whole stack.
jest.setTimeout(180_000);

const run = promisify(execFile);
const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-start-'));
const portNames = [
  'PORT',
  'POSTGRES_PORT',
  'TEMPORAL_PORT',
  'TEMPORAL_UI_PORT',
  'FAKES_PORT',
  'METRICS_PORT',
  'WORKER_METRICS_PORT',
  'LIVE_PORT',
  'LIVE_METRICS_PORT',
];
let variables: NodeJS.ProcessEnv;
const children = new Set<ChildProcess>();

async function start(...flags: string[]): Promise<{ child: ChildProcess; output: () => string }> {
  const child = fork(path.join(root, 'dist/local/start.js'), flags, {
    env: variables,
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  let output = '';
  let isUp = false;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      isUp ||= output.includes('Ctrl-C ends everything');
    });
  // A start takes more than a minute on a loaded machine. The wait continues as long as the number of files in the
  // folder still changes.
  const step = () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
    return isUp ? Infinity : readdirSync(folder).length;
  };
  await until('npm start to be ready', step, (files) => files === Infinity);
  return { child, output: () => output };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const gone = once(child, 'exit');
  child.kill(signal);
  const [code] = (await inTime(`npm start to end after ${signal}`, gone)) as [number | null];
  return code;
}

const stack = () =>
  JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription & {
    links: OpenLinks;
  };
/** Returns the pid of the stack's process that runs this file. */
const pidOf = (file: string): number | undefined =>
  (
    JSON.parse(readFileSync(path.join(folder, 'pids.json'), 'utf8')) as { pid: number; command: string }[]
  ).find(({ command }) => command.includes(`dist/${file}`))?.pid;
const token = async (...flags: string[]) =>
  (await run('node', [path.join(root, 'dist/local/token.js'), ...flags], { env: variables })).stdout.trim();
const read = (id: string, bearer: string) =>
  fetch(`${stack().base_url}/job-interview-get?position_id=${id}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });

beforeAll(async () => {
  chmodSync(folder, 0o711);
  const ports = await Promise.all(portNames.map(async (name) => [name, String(await takePort())] as const));
  variables = {
    PATH: process.env['PATH'],
    // With these variables, the stack finds the Temporal program that the global setup has found or installed.
    HOME: process.env['HOME'],
    XDG_CACHE_HOME: process.env['XDG_CACHE_HOME'],
    TEMPORAL_CLI_PATH: process.env['TEMPORAL_CLI_PATH'],
    LOCAL_DIR: folder,
    // seed/history.test.ts tests the demo's history.
    DEMO_HISTORY: 'off',
    ...Object.fromEntries(ports),
  };
});
afterAll(async () => {
  const left = [...children].filter((child) => child.exitCode === null && child.signalCode === null);
  await Promise.all(left.map((child) => end(child, 'SIGTERM')));
  rmSync(folder, { recursive: true, force: true });
});

/** Expects that the links work, and that `npm start` has printed them. */
async function expectOpenLinks(output: string): Promise<void> {
  const { typed_interview, recorded_interview, coaching_session } = stack().links;
  for (const link of [typed_interview, recorded_interview, coaching_session])
    expect(output.split('\n')).toContain(link);
  for (const link of [typed_interview, recorded_interview]) {
    const { status, html } = await openLink(link);
    expect([status, html]).toEqual([200, expect.stringContaining('name="consent"')]);
  }
  expect((await openLink(recorded_interview)).html).toContain('Your voice and your picture');
  expect((await openLink(coaching_session)).html).toContain('<button class="button">');
}

/** Takes the interview of a link: answers the first question, finishes early and submits. */
async function submitEarly(link: string): Promise<void> {
  const candidate = createPortalClient(link);
  const { turn: welcome } = await candidate.begin();
  const { turn } = welcome ? await candidate.skip(welcome) : { turn: null };
  if (turn) await candidate.answer(turn, 'I keep a list and check it every day.');
  await candidate.finish();
  await candidate.submit();
}

/** Expects the result that the demo has made and shown, and a picture of each page. */
async function expectDemo(stdout: string): Promise<void> {
  expect(stdout).toMatch(/Attempt 1 had .*score.*, and attempt 2 has .*score/);
  for (const line of [
    'attempt-submit returned the state submitted.',
    'The receiver of webhooks got interview_collected and interview_result',
  ])
    expect(stdout).toContain(line);
  const [, id] = /\/console\/results\/(\S+)/.exec(stdout) ?? [];
  const { rows } = await withAdminConnection(stack().database_url, (admin) =>
    admin.query(
      `select r.status, r.attempt, r.processing_status, a.fields -> 'recruiter_go_next_round' as first_decision
       from interview_result r join interview_result_attempt a on a.result_id = r.id where r.id = $1`,
      [id],
    ),
  );
  expect(rows).toEqual([
    { status: 'active', attempt: 2, processing_status: 'completed', first_decision: true },
  ]);
  const pictures = path.join(folder, 'demo');
  expect(readFileSync(path.join(pictures, 'report.pdf'), 'latin1')).toMatch(/^%PDF/);
  for (const what of ['start', 'question', 'review', 'submitted', 'result'])
    expect([what, existsSync(path.join(pictures, `interview-${what}.png`))]).toEqual([what, true]);
}

describe('npm start', () => {
  let interviewId = '';
  let usedUp = '';

  it('removes other data with --fresh, prints links and lines that create and list interviews, and tokens and the demo work', async () => {
    // With this folder, a start without --fresh would fail and leave the folder unchanged.
    mkdirSync(path.join(folder, 'postgres'));
    writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '9.6');
    const { child, output } = await start('--fresh');
    const runLine = (beginning: string) => {
      const line =
        output()
          .split('\n')
          .find((text) => text.startsWith(beginning)) ?? '';
      return run('bash', ['-c', line], { env: variables, cwd: root });
    };
    const { stdout } = await runLine('curl ');
    interviewId = (JSON.parse(stdout) as { interview_def_set_id: string }).interview_def_set_id;
    expect((await read(interviewId, stack().tokens.merchant)).status).toBe(200);
    expect((await runLine('TOKEN=')).stdout).toContain(`${interviewId} Backend engineer`);

    await expectOpenLinks(output());
    usedUp = stack().links.typed_interview;
    await submitEarly(usedUp);

    const { origin } = stack();
    expect((await fetch(`${origin}/docs`)).status).toBe(200);
    expect((await fetch(stack().temporal_ui_url)).status).toBe(200);
    for (const port of [variables['METRICS_PORT'], variables['WORKER_METRICS_PORT']])
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain(
        'process_cpu_seconds_total',
      );
    expect((await fetch(`http://127.0.0.1:${variables['WORKER_METRICS_PORT']}/readyz`)).status).toBe(200);
    for (const file of ['stack.json', 'secrets.json', 'token-signing-keys.json'])
      expect(statSync(path.join(folder, file)).mode & 0o077).toBe(0);

    const session = JSON.parse(await token('--role', 'operator', '--json')) as {
      access_token: string;
      session_id: string;
    };
    expect((await read(interviewId, session.access_token)).status).toBe(200);
    await token('--revoke', session.session_id);
    expect((await read(interviewId, session.access_token)).status).toBe(401);
    expect((await read(interviewId, await token('--role', 'merchant', '--expires-in', '-60'))).status).toBe(
      401,
    );
    expect((await read(interviewId, await token('--role', 'candidate'))).status).toBe(403);
    expect(
      (await read(interviewId, await token('--role', 'merchant_owner', '--environment', 'uat'))).status,
    ).toBe(404);
    const { merchant_id: merchantId } = stack();
    const key = await token('--service-key', '--merchant', merchantId);
    expect((await read(`${interviewId}&merchant_id=${merchantId}`, key)).status).toBe(200);
    const demo = path.join(root, 'dist/local/demo.js');
    await expectDemo((await run('node', [demo], { env: variables, cwd: root })).stdout);
    await end(child, 'SIGKILL');
  });

  it('continues with the same data after a kill -9, restarts worker and API, and a Ctrl-C ends everything', async () => {
    const { child, output } = await start();
    expect((await read(interviewId, stack().tokens.merchant)).status).toBe(200);
    // The link that was used up is replaced by one of another candidate.
    await expectOpenLinks(output());
    expect((await openLink(usedUp)).html).not.toContain('name="consent"');

    // The stack restarts a worker or an API that has died, on the same ports.
    const [worker, api] = [pidOf('activities/main.js'), pidOf('api/main.js')];
    for (const pid of [worker, api]) process.kill(Number(pid), 'SIGKILL');
    await until(
      'both to be ready again',
      output,
      (text) => /worker is ready again/.test(text) && /api is ready again/.test(text),
    );
    expect(output()).toMatch(/api ended by itself \(signal SIGKILL\) and is started again/);
    expect((await read(interviewId, stack().tokens.merchant)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${variables['WORKER_METRICS_PORT']}/readyz`)).status).toBe(200);
    const next = pidOf('activities/main.js');
    expect([worker, api, undefined]).not.toContain(next);

    // A Ctrl-C during a restart ends all processes.
    process.kill(Number(next), 'SIGKILL');
    await until(
      'another restart',
      () => output().split('worker ended by itself').length,
      (count) => count === 3,
    );
    expect(await end(child, 'SIGINT')).toBe(0);
    await assertPortsFree(
      portNames.map((name) => ({ variable: name, port: Number(variables[name]) })),
      0,
    );
  });
});
