import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findTemporalServer, temporalVersion } from '../../local/temporal-binary';
import { installTemporal, type InstallAttempt } from '../../local/temporal-install';

let folder: string;
let bin: string;
let cached: string;
let environment: NodeJS.ProcessEnv;
let progress: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'temporal-binary-'));
  bin = path.join(folder, 'bin');
  cached = path.join(folder, 'cache/interview-platform', `temporal-${temporalVersion}`, 'temporal');
  environment = {
    PATH: [bin, '/usr/bin', '/bin'].join(path.delimiter),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  };
  progress = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function makeProgram(file: string, source = 'exit 0'): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${source}\n`);
  chmodSync(file, 0o755);
  return file;
}

const works: InstallAttempt = async ({ target }) => {
  makeProgram(target);
  return undefined;
};
const fails =
  (reason: string): InstallAttempt =>
  async () =>
    reason;
const isNotAsked: InstallAttempt = async () => {
  throw new Error('this way should not have been tried');
};

async function find(attempts: InstallAttempt[] = [isNotAsked]): Promise<string> {
  return findTemporalServer({ onProgress: (line) => progress.push(line), environment, attempts });
}

describe('findTemporalServer', () => {
  it('takes the named one before the one on the PATH', async () => {
    makeProgram(path.join(bin, 'temporal'));
    environment.TEMPORAL_CLI_PATH = makeProgram(path.join(folder, 'mine'));
    expect(await find()).toBe(path.join(folder, 'mine'));
  });

  it('does not pass over a named one that cannot be run', async () => {
    makeProgram(path.join(bin, 'temporal'));
    environment.TEMPORAL_CLI_PATH = path.join(folder, 'absent');
    await expect(find()).rejects.toThrow(
      `TEMPORAL_CLI_PATH names ${path.join(folder, 'absent')}, which is not a program this user can run.`,
    );
  });

  it('takes the one on the PATH before the cached one', async () => {
    makeProgram(cached);
    expect(await find()).toBe(cached);
    makeProgram(path.join(bin, 'temporal'));
    expect(await find()).toBe(path.join(bin, 'temporal'));
  });

  it('passes over what is named temporal and is no program', async () => {
    makeProgram(cached);
    mkdirSync(path.join(bin, 'temporal'), { recursive: true });
    expect(await find()).toBe(cached);
  });

  it('tries the ways of getting one in their order, once', async () => {
    expect(await find([fails('no network'), works])).toBe(cached);
    expect(await find()).toBe(cached);
  });

  it('names every way when none works', async () => {
    await expect(find([fails('no network'), fails('no go')])).rejects.toThrow(
      /^There is no Temporal server: set TEMPORAL_CLI_PATH .* PATH or at .*temporal\.download.* Go .*TEMPORAL_ADDRESS .*\(no network; no go\)\.$/,
    );
  });
});

describe('installTemporal', () => {
  it('builds into a folder of its own, then moves the program to its place', async () => {
    makeProgram(
      path.join(bin, 'go'),
      'echo "$@" > "$GOBIN/temporal"; echo "CGO=$CGO_ENABLED" >> "$GOBIN/temporal"',
    );
    expect(await find([installTemporal])).toBe(cached);
    const built = readFileSync(cached, 'utf8');
    expect(built).toContain(`github.com/temporalio/cli/cmd/temporal@v${temporalVersion}`);
    expect(built).toContain('CGO=0');
    expect(readdirSync(path.dirname(cached))).toEqual(['temporal']);
    expect(progress).toHaveLength(1);
  });

  it('may be done by two at once', async () => {
    makeProgram(path.join(bin, 'go'), 'sleep 0.2; echo built > "$GOBIN/temporal"');
    const target = cached;
    const install = async () =>
      installTemporal({ target, version: temporalVersion, environment, onProgress: () => undefined });
    expect(await Promise.all([install(), install()])).toEqual([undefined, undefined]);
    expect(readFileSync(cached, 'utf8')).toBe('built\n');
    expect(readdirSync(path.dirname(cached))).toEqual(['temporal']);
  });

  it('gives the last line of a build that failed, and leaves nothing', async () => {
    makeProgram(path.join(bin, 'go'), 'echo "no such host" >&2; exit 1');
    await expect(find([installTemporal])).rejects.toThrow('(go install failed (no such host)).');
    expect(existsSync(cached)).toBe(false);
    expect(readdirSync(path.dirname(cached))).toEqual([]);
  });

  it('says that there is no go', async () => {
    environment.PATH = bin;
    await expect(find([installTemporal])).rejects.toThrow('(there is no go on the PATH).');
  });
});
