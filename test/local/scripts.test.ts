import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startBenchStack } from '../../bench/stack';
import type { BenchStack } from '../../bench/stack';

/*
 * Runs the scripts of package.json that no other test runs. With TEST_BENCHMARKS=1, as in CI, these include the benchmarks:
 * each runs with a small SHARE, on one stack that all share. Its figures mean nothing then, and none is checked.
 */

const withBenchmarks = process.env['TEST_BENCHMARKS'] === '1';

// The limit of every test has room for a machine on which a start of the stack takes more than a minute.
jest.setTimeout(300_000);

const root = path.resolve(__dirname, '../..');
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };

/**
 * How a script is tested. `prints` is what its program prints when it runs here; `isAlone` means that it starts its own
 * servers. `file` is a file that runs it, in which `as` can be found. `partOf` is a script that runs it, as `test` runs `pretest`.
 */
type Program = { prints: RegExp | string; isAlone?: true };
type Entry = Program | { file: string; as: string } | { partOf: string };

const table: Record<string, Entry> = {
  start: { file: 'test/local/start.test.ts', as: 'dist/local/start.js' },
  prestart: { partOf: 'start' },
  token: { file: 'test/local/start.test.ts', as: 'dist/local/token.js' },
  'create-admin': { file: 'test/local/create-admin.test.ts', as: 'dist/api/commands/create-admin.js' },
  'renew-sync-generation': {
    file: 'test/db/sync/sync.test.ts',
    as: 'dist/api/commands/renew-sync-generation.js',
  },
  migrate: { file: 'test/db/platform/migrate.test.ts', as: 'db/platform/migrate-command.js' },
  premigrate: { partOf: 'migrate' },
  demo: { file: 'test/local/start.test.ts', as: 'dist/local/demo.js' },
  test: { file: '.ci/run', as: 'npm test' },
  pretest: { partOf: 'test' },
  check: { file: '.ci/run', as: 'npm run check' },
  'format:check': { partOf: 'check' },
  lint: { partOf: 'check' },
  build: { partOf: 'check' },
  'build:scripts': { partOf: 'build' },
  'build:client': { partOf: 'build' },
  'generate:client': { file: 'test/end-to-end/client/package.test.ts', as: 'dist/local/generate-client.js' },
  format: { file: 'test/local/scripts.test.ts', as: "scripts['format']" },
  'bench:api': { prints: /merchant-technical-issue.*\n +p50 of 1, one after another +\d/ },
  'bench:catalogue': { prints: /catalogue-tag-get, 1 sessions +\d/ },
  'bench:live': { prints: /kill -9 of live .*\n +answers lost +0\.00/ },
  'bench:page': { prints: /a grid by tags +p50 \d/ },
  'bench:pdf': { prints: /PDF of 60 answers, p50 +\d/ },
  'bench:people': { prints: /calls about the same people at once +1 without an error/ },
  'bench:reports': { prints: /30 days by week, cached, compared with a read of one row +\d/ },
  'bench:scoring': { prints: /submit to scored and announced, p50 +\d/ },
  'bench:sync': { prints: /objects of the mirror that differ, of \d+ +0/ },
  'bench:taking': { prints: /completed interviews +4 of 4/ },
  'bench:temporal': { prints: /in memory +\d+ workflows\/s/ },
  'bench:webhooks': { prints: /insert → receipt at 500\/s, p50 \/ p99 +\d/, isAlone: true },
  'live:record': { file: 'test/local/fake-realtime.test.ts', as: 'dist/local/fakes/record-realtime.js' },
  'chaos:webhooks': { prints: /lost +0 /, isAlone: true },
  // It exits with 1 if the fake model misses a bar.
  eval: { prints: tablesOfScoring(), isAlone: true },
};

const pick = (names: string[]) => Object.fromEntries(names.map((name) => [name, process.env[name]]));
/** No key of a provider is among these variables, so every script uses the fakes. */
const machine = pick(['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH']);

const execute = promisify(execFile);
const ended = new AbortController();
const run = (file: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) =>
  execute(file, args, { ...options, signal: ended.signal });

const runProgram = (name: string) => {
  const [, program = ''] = /node --enable-source-maps (dist\/\S+)$/.exec(scripts[name] ?? '') ?? [];
  return run(process.execPath, ['--enable-source-maps', program], {
    cwd: root,
    env: { ...machine, SHARE: '0.001', BENCH_STACK: bench?.folder },
  });
};
const isBenchmark = (name: string) => /^(?:bench|chaos):/.test(name);
const programs = Object.entries(table).flatMap(([name, entry]) =>
  'prints' in entry && (withBenchmarks || !isBenchmark(name)) ? [{ name, ...entry }] : [],
);

let bench: BenchStack | undefined;
const outputs = new Map<string, Promise<string>>();
/** Runs the programs that share the stack one after the other, and at the same time those that do not. */
beforeAll(async () => {
  if (withBenchmarks) bench = await startBenchStack({ RATE_LIMIT_PER_MINUTE: '0' }, machine);
  for (const isAlone of [true, undefined]) {
    let last: Promise<unknown> = Promise.resolve();
    for (const { name } of programs.filter((program) => program.isAlone === isAlone)) {
      const output = last.then(() => runProgram(name)).then(({ stdout }) => stdout);
      last = output.catch(() => undefined);
      outputs.set(name, output);
    }
  }
});
afterAll(async () => {
  ended.abort();
  await bench?.stop();
});

/** Runs the command of the script in a folder with one file, because in the repository it would change files. */
async function formatFile(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'interview-platform-format-'));
  const file = path.join(folder, 'file.ts');
  writeFileSync(file, 'const a  =  1\n');
  await run('sh', ['-c', scripts['format'] ?? ''], {
    cwd: folder,
    env: { ...machine, PATH: `${path.join(root, 'node_modules/.bin')}:${machine['PATH']}` },
  });
  expect(readFileSync(file, 'utf8')).toBe('const a = 1;\n');
  rmSync(folder, { recursive: true });
}

function tablesOfScoring(): string {
  const [, tables = ''] =
    /<!-- evaluation -->\n([\s\S]*)\n<!-- \/evaluation -->/.exec(text('docs/scoring.md')) ?? [];
  if (tables === '') throw new Error('docs/scoring.md has no tables of npm run eval');
  return tables;
}

describe('the scripts of package.json', () => {
  it('are each run by this file, by another one or by a script', () => {
    expect(Object.keys(table).toSorted()).toEqual(Object.keys(scripts).toSorted());
    for (const [name, entry] of Object.entries(table)) {
      if ('file' in entry)
        expect([name, text(entry.file)]).toEqual([name, expect.stringContaining(entry.as)]);
      if ('partOf' in entry && name !== `pre${entry.partOf}`)
        expect([name, scripts[entry.partOf]]).toEqual([
          name,
          expect.stringContaining(`npm run --silent ${name}`),
        ]);
    }
  });

  it('include format, which formats files', formatFile);

  it.each(programs)('include $name, which runs', async ({ name, prints }) =>
    expect(await outputs.get(name)).toMatch(prints),
  );
});
