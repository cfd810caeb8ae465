import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { compiledScript, lastLines, startGuarded } from './processes';
import { onPath } from './program-path';

/** After this time the download is abandoned in favor of the build. Without a network it fails at once. */
const downloadLimitMs = 45_000;
const installLimitMs = 30 * 60_000;
const oldDraftMs = 60 * 60_000;

export interface Installation {
  /** The final path of the program. */
  target: string;
  version: string;
  environment: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
}

/** Installs the program and resolves with undefined, or with the reason for the failure. */
export type InstallAttempt = (installation: Installation) => Promise<string | undefined>;

/** Downloads the server with the Temporal SDK. */
export const downloadTemporal: InstallAttempt = async ({ target, version, environment, onProgress }) => {
  onProgress('temporal: no server found, downloading one');
  return makeInDraft(target, (folder) => ({
    command: process.execPath,
    args: [compiledScript('temporal-download'), folder, version],
    env: environment,
    limitMs: downloadLimitMs,
    what: 'the download failed',
  }));
};

/** Builds the server from source with the Go tools of this machine. */
export const installTemporal: InstallAttempt = async ({ target, version, environment, onProgress }) => {
  const go = onPath('go', environment);
  if (go === undefined) return 'there is no go on the PATH';
  onProgress('temporal: building the server with go install, once; this takes some two minutes');
  return makeInDraft(target, (folder) => ({
    command: go,
    args: [
      'install',
      '-trimpath',
      '-ldflags',
      `-s -w -X github.com/temporalio/cli/temporalcli.Version=${version}`,
      `github.com/temporalio/cli/cmd/temporal@v${version}`,
    ],
    env: { ...environment, GOBIN: folder, CGO_ENABLED: '0' },
    limitMs: installLimitMs,
    what: 'go install failed',
  }));
};

interface Command {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  limitMs: number;
  what: string;
}

/**
 * Runs a command that puts one program into a temporary folder, then moves the program into place. Concurrent processes
 * each make their own, and no process ever finds a partial one.
 */
async function makeInDraft(
  target: string,
  describe: (folder: string) => Command,
): Promise<string | undefined> {
  mkdirSync(path.dirname(target), { recursive: true });
  removeOldDrafts(target);
  const draft = mkdtempSync(`${target}.draft-`);
  const folder = path.join(draft, 'bin');
  const logFile = path.join(draft, 'log');
  try {
    mkdirSync(folder);
    const { command, args, env, limitMs, what } = describe(folder);
    const running = startGuarded({
      name: 'temporal-install',
      command,
      args,
      env,
      cwd: draft,
      endSignals: [],
      graceMs: 0,
      logFile,
    });
    const limit = setTimeout(() => running.kill(), limitMs);
    const cause = await running.ended;
    clearTimeout(limit);
    const made = readdirSync(folder).find((name) => !name.endsWith('.downloading'));
    if (made === undefined)
      return `${what} (${(lastLines(logFile).split('\n').at(-1) || cause).slice(0, 200)})`;
    renameSync(path.join(folder, made), target);
    return undefined;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Removes drafts of installations that were killed. Younger ones may still be in use. */
function removeOldDrafts(target: string): void {
  const parent = path.dirname(target);
  for (const name of readdirSync(parent)) {
    const draft = path.join(parent, name);
    if (!draft.startsWith(`${target}.draft-`)) continue;
    const age = Date.now() - (statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > oldDraftMs) rmSync(draft, { recursive: true, force: true });
  }
}
