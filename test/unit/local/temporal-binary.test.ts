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
import {
  buildFromSource,
  findTemporalServer,
  temporalVersion,
  type Installer,
} from '../../../local/temporal-binary';

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

/** Returns an installer that runs a shell script. The script gets the folder into which it must put the program. */
const script = (name: string, source: (folder: string) => string): Installer => ({
  name,
  limitMs: 60_000,
  command: (folder) => ({ command: 'sh', args: ['-c', source(folder)] }),
});
const works = script('a copy', (folder) => `cp /bin/true ${folder}/temporal`);
const fails = (name: string, reason: string) => script(name, () => `echo "${reason}" >&2; exit 1`);
const isNotTried = script('nothing', () => {
  throw new Error('this way should not have been tried');
});

async function find(installers: Installer[] = [isNotTried]): Promise<string> {
  return findTemporalServer({ onProgress: (line) => progress.push(line), environment, installers });
}

describe('findTemporalServer', () => {
  it('prefers the server that TEMPORAL_CLI_PATH names to one on the PATH', async () => {
    makeProgram(path.join(bin, 'temporal'));
    environment.TEMPORAL_CLI_PATH = makeProgram(path.join(folder, 'mine'));
    expect(await find()).toBe(path.join(folder, 'mine'));
  });

  it('throws if the server that TEMPORAL_CLI_PATH names cannot be run, and tries no other', async () => {
    makeProgram(path.join(bin, 'temporal'));
    environment.TEMPORAL_CLI_PATH = path.join(folder, 'absent');
    await expect(find()).rejects.toThrow(
      `TEMPORAL_CLI_PATH names ${path.join(folder, 'absent')}, which is not a program this user can run.`,
    );
  });

  it('prefers a server on the PATH to the cached one', async () => {
    makeProgram(cached);
    expect(await find()).toBe(cached);
    makeProgram(path.join(bin, 'temporal'));
    expect(await find()).toBe(path.join(bin, 'temporal'));
  });

  it('skips an entry of the PATH that is named temporal but is not a program', async () => {
    makeProgram(cached);
    mkdirSync(path.join(bin, 'temporal'), { recursive: true });
    expect(await find()).toBe(cached);
  });

  it('tries the installers in order, and installs once', async () => {
    expect(await find([fails('a download', 'no network'), works])).toBe(cached);
    expect(await find()).toBe(cached);
  });

  it('throws with the reason of every installer when all fail', async () => {
    await expect(find([fails('a download', 'no network'), fails('go install', 'no go')])).rejects.toThrow(
      /^There is no Temporal server: set TEMPORAL_CLI_PATH .* PATH or at .*temporal\.download.* Go .*TEMPORAL_ADDRESS .*\(a download failed \(no network\); go install failed \(no go\)\)\.$/,
    );
  });
});

describe('findTemporalServer, with a home that cannot be written', () => {
  it('installs once below LOCAL_DIR, where Go finds a home as well', async () => {
    environment.XDG_CACHE_HOME = '/dev/null';
    environment.LOCAL_DIR = path.join(folder, 'state');
    const needsHome = script('a build', (draft) => `touch $HOME/cache && cp /bin/true ${draft}/temporal`);
    const installed = await find([needsHome]);
    expect(installed).toMatch(new RegExp(`^${folder}/state/cache/`));
    expect(await find()).toBe(installed);
  });

  it('throws if no cache can be written', async () => {
    environment.XDG_CACHE_HOME = '/dev/null';
    environment.LOCAL_DIR = '/dev/null';
    await expect(find()).rejects.toThrow(/can be stored neither at .* nor at /);
  });
});

describe('findTemporalServer, while an installer runs', () => {
  it('reports that it takes a few minutes, and then its progress', async () => {
    // The installer waits until this file exists. The test creates the file when a line of progress has been printed.
    const seen = path.join(folder, 'seen');
    const slow = script(
      'a slow copy',
      (draft) => `until [ -e ${seen} ]; do sleep 0.02; done; cp /bin/true ${draft}/temporal`,
    );
    const onProgress = (line: string) => {
      progress.push(line);
      if (line.includes('still')) writeFileSync(seen, '');
    };
    expect(
      await findTemporalServer({ onProgress, environment, installers: [slow], progressEveryMs: 5 }),
    ).toBe(cached);
    expect(progress.slice(0, 2)).toEqual([
      'temporal: no server found, installing one by a slow copy (a few minutes, only once)',
      expect.stringMatching(/^temporal: still installing by a slow copy, \d+ s so far$/),
    ]);
  });
});

describe('buildFromSource', () => {
  it('builds into its own folder, then moves the program to its place', async () => {
    makeProgram(
      path.join(bin, 'go'),
      'echo "$@" > "$GOBIN/temporal"; echo "CGO=$CGO_ENABLED" >> "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"',
    );
    expect(await find([buildFromSource])).toBe(cached);
    const built = readFileSync(cached, 'utf8');
    expect(built).toContain(`github.com/temporalio/cli/cmd/temporal@v${temporalVersion}`);
    expect(built).toContain('CGO=0');
    expect(readdirSync(path.dirname(cached))).toEqual(['temporal']);
    expect(progress).toHaveLength(1);
  });

  it('lets two processes install at once', async () => {
    makeProgram(path.join(bin, 'go'), 'sleep 0.2; echo built > "$GOBIN/temporal"');
    expect(await Promise.all([find([buildFromSource]), find([buildFromSource])])).toEqual([cached, cached]);
    expect(readFileSync(cached, 'utf8')).toBe('built\n');
    expect(readdirSync(path.dirname(cached))).toEqual(['temporal']);
  });

  it('reports the last line of a build that failed, and leaves nothing', async () => {
    makeProgram(path.join(bin, 'go'), 'echo "no such host" >&2; exit 1');
    await expect(find([buildFromSource])).rejects.toThrow('(go install failed (no such host)).');
    expect(existsSync(cached)).toBe(false);
    expect(readdirSync(path.dirname(cached))).toEqual([]);
  });

  it('reports that the go command is missing', async () => {
    environment.PATH = bin;
    await expect(find([buildFromSource])).rejects.toThrow('(go install failed (spawn go ENOENT)).');
  });
});
