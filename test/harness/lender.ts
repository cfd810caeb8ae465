import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { startBrowser } from '../../local/browser';
import type { HeadlessBrowser } from '../../local/browser';
import { createTemplate } from '../db/platform/world-template';
import type { PlatformFacts } from './platform/platform';
import { takeSnapshot } from './platform/snapshot';
import { startPlatform } from './platform/start-platform';

type Shared = { facts: PlatformFacts; restore: () => Promise<void>; stop: () => Promise<void> };

/**
 * Lends test files what is too expensive to start for each of them. It runs in the process of the global setup, which
 * outlives them:
 * - a platform of each kind for each process of Jest, which runs one file at a time. Before a file gets it, the rows of
 *   the seed are restored and the fakes cleared. A start takes eight seconds of CPU, a restore a tenth of a second;
 * - one Chromium, in which each page has a context of its own;
 * - the template of the worlds of `test/db`.
 */
export async function startLender(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const platforms = new Map<string, Promise<Shared>>();
  let browser: Promise<HeadlessBrowser> | undefined;
  let template: ReturnType<typeof createTemplate> | undefined;

  const lend: Record<string, (query: URLSearchParams) => Promise<unknown>> = {
    platform: async (query) => {
      const kind = query.toString();
      const running = platforms.get(kind);
      if (running) await (await running).restore();
      const platform =
        running ?? share({ worker: query.get('worker') === 'true', live: query.get('live') === 'true' });
      platforms.set(kind, platform);
      // The next file tries again.
      platform.catch(() => platforms.delete(kind));
      return (await platform).facts;
    },
    browser: async () => (await (browser ??= startBrowser(path.join(folder, 'browser')))).endpoint,
    template: () => (template ??= createTemplate()),
  };
  const server = createServer((request, response) => {
    // A client could send the next request at the moment at which the server ends an idle connection.
    response.shouldKeepAlive = false;
    const url = new URL(request.url ?? '/', 'http://lender');
    void (lend[url.pathname.slice(1)] ?? unknown)(url.searchParams).then(
      (lent) => response.end(JSON.stringify(lent)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      // What did not start has stopped what it had started (`startPlatform`).
      const started = await Promise.allSettled(platforms.values());
      await Promise.all(started.flatMap((each) => (each.status === 'fulfilled' ? [each.value.stop()] : [])));
      await (await browser)?.close();
    },
  };
}

const unknown = async () => {
  throw new Error('The lender does not have this.');
};

async function share(kind: { worker: boolean; live: boolean }): Promise<Shared> {
  const platform = await startPlatform(kind);
  return { facts: platform.facts, restore: await takeSnapshot(platform), stop: platform.stop };
}
