import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { BenchStack } from '../stack';

/** This folder is not compiled: it has npm packages of its own, which are not part of the product. */
const folder = path.join(__dirname, '../../../bench/drizzle-cube');

/**
 * Starts drizzle-cube on a free port, after installing it if its version is missing. drizzle-cube accepts the stack's
 * tokens.
 */
export async function startDrizzleCube({
  stack,
}: BenchStack): Promise<{ url: string; version: string; stop: () => Promise<void> }> {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  const version = dependencies['drizzle-cube'] ?? '';
  const installed = path.join('node_modules', 'drizzle-cube', 'package.json');
  if (
    !existsSync(path.join(folder, installed)) ||
    (readJson(installed) as { version: string }).version !== version
  )
    // `npm ci` fails where a registry lacks some platform builds of optional packages, which this bench does not need.
    execFileSync('npm', ['install', '--no-save'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const keys = await fetch(`${stack.origin}/.well-known/jwks.json`);
  const child = fork(path.join(folder, 'server.mjs'), {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: stack.database_url,
      JWKS: await keys.text(),
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { port: number }) => resolve(message.port));
    child.once('exit', () => reject(new Error('drizzle-cube did not start')));
  });
  return {
    url: `http://127.0.0.1:${port}/cubejs-api/v1`,
    version,
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
