import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { merchants } from '../../../local/seed/accounts';
import { atEnd } from '../../harness/at-end';
import { makeKey } from '../../harness/identity/accounts';
import { infrastructure } from '../../harness/platform/infrastructure';
import type { Platform } from '../../harness/platform/platform';
import { sharedPlatform } from '../../harness/platform/shared-platform';

// npm downloads the suite and the Inspector if it does not have them yet.
jest.setTimeout(600_000);

const folder = path.join(__dirname, 'mcp');
const run = (...command: string[]) =>
  promisify(execFile)(path.join(folder, 'run'), command, { cwd: infrastructure().folder }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}\n${stderr}`.slice(-10_000));
    },
  );
// They need a package registry, which not every machine reaches.
const whenWanted = process.env['TEST_MCP_CONFORMANCE'] === '1' ? it : it.skip;

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await sharedPlatform({ worker: false });
  key = await makeKey(platform, merchants.main.id);
});

/** Serves `/mcp` with a credential, because the suite knows none. Returns the address. */
async function serveSignedIn(): Promise<string> {
  const target = new URL('/mcp', platform.stack.origin);
  const server = createServer((received, response) => {
    const { host, origin, ...headers } = received.headers;
    // What the suite sends as our own address is its address.
    const isOwn = (text = '') => text.endsWith(`:${(server.address() as AddressInfo).port}`);
    const sent = request(target, {
      method: received.method ?? 'GET',
      headers: {
        ...headers,
        host: isOwn(host) ? target.host : host,
        ...(origin === undefined ? {} : { origin: isOwn(origin) ? target.origin : origin }),
        authorization: `Bearer ${key}`,
      },
    });
    sent.once('response', (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    sent.once('error', () => response.destroy());
    received.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

describe('/mcp', () => {
  // The files name the scenarios that do not apply to our server. A scenario in them that passes fails the run.
  whenWanted.each(['2025-11-25', '2026-07-28'])('conforms to the protocol of %s', async (revision) => {
    const url = await serveSignedIn();
    const baseline = path.join(folder, `not-ours-${revision}.yml`);
    await run(
      'conformance',
      'server',
      '--url',
      url,
      '--requirements',
      revision,
      '--expected-failures',
      baseline,
    );
  });

  whenWanted('shows its tools to the MCP Inspector, and runs one', async () => {
    const inspect = async (...more: string[]) => {
      const url = `${platform.stack.origin}/mcp`;
      const header = `Authorization: Bearer ${key}`;
      const { stdout } = await run(
        'mcp-inspector',
        '--cli',
        url,
        '--transport',
        'http',
        '--header',
        header,
        ...more,
      );
      return JSON.parse(stdout) as { tools: unknown[]; structuredContent: unknown };
    };
    expect((await inspect('--method', 'tools/list')).tools).toHaveLength(20);
    const called = await inspect('--method', 'tools/call', '--tool-name', 'whoami');
    expect(called.structuredContent).toMatchObject({ data: { merchant_id: merchants.main.id } });
  });
});
